"""Compiled code independent of games: kernels, lanes, search, networks, random numbers."""
