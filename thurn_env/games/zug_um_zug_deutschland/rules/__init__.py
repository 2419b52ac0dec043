"""The rules as compiled functions, and their records."""
