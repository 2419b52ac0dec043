"""Boards: shipped files, and reading and checking of board files."""
