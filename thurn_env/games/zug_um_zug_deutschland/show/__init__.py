"""The game as texts, tables and pictures."""
