"""Alias of `thurn train` in a checkout: `python -m train.ppo` takes the same options."""

from thurn_env.commands.cli import run_and_exit

if __name__ == "__main__":
    run_and_exit("train")
