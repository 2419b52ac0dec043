"""Evaluation from a checkout: ladder, puzzles, comparison with other environments, and aliases of commands."""
