"""The rules as compiled functions, and what they work on."""
