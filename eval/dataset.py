"""Alias of `thurn dataset` in a checkout: `python -m eval.dataset` takes the same options."""

from thurn_env.commands.cli import door

if __name__ == "__main__":
    door("dataset")
