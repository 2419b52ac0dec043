"""Compiled machinery that knows no rule: kernels, many games in lanes, search, networks, random numbers."""
