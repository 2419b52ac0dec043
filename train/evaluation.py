"""Alias of `thurn evaluation` in a checkout: `python -m train.evaluation` takes the same options."""

from thurn_env.commands.cli import door

if __name__ == "__main__":
    door("evaluation")
