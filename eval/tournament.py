"""Alias of `thurn tournament` in a checkout: `python -m eval.tournament` takes the same options."""

from thurn_env.commands.cli import door

if __name__ == "__main__":
    door("tournament")
