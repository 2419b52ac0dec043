"""Speed of other environments, measured beside this project's: `python -m eval.peers`."""
