"""Alias of `thurn imitate` in a checkout: `python -m train.imitate` takes the same options."""

from thurn_env.commands.cli import door

if __name__ == "__main__":
    door("imitate")
