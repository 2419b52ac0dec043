"""Evaluation from a checkout: the ladder, puzzles, the comparison with other environments, and doors to commands."""
