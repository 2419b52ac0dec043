"""Tournaments, ratings and the analysis of recorded games. Run from a checkout: `python -m eval.tournament`."""
