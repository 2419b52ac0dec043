"""Boards: the files that come with the game, and how a board file is read and checked."""
