"""How fast other environments are, measured beside this one: `python -m eval.peers`."""
