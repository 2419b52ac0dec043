"""The game in words, tables and pictures."""
