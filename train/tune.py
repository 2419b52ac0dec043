"""Alias of `thurn tune` in a checkout: `python -m train.tune` takes the same options."""

from thurn_env.commands.cli import door

if __name__ == "__main__":
    door("tune")
