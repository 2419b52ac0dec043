"""Recipes for other libraries, run and checked: `python -m eval.clients`."""
