"""Alias of `thurn sweep` in a checkout: `python -m train.sweep` takes the same options."""

from thurn_env.commands.cli import door

if __name__ == "__main__":
    door("sweep")
