"""Alias of `thurn train` in a checkout: `python -m train.ppo` takes the same options."""

from thurn_env.commands.cli import door

if __name__ == "__main__":
    door("train")
