"""Positions with a best move, and how many of them an agent gets right: `python -m eval.puzzles`, from a checkout."""
