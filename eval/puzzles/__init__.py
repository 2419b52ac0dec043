"""Puzzles: positions with a best move, and agents' scores on them: `python -m eval.puzzles`, from a checkout."""
