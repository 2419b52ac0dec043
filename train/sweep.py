"""Alias of `thurn sweep` in a checkout: `python -m train.sweep` takes the same options."""

from thurn_env.commands.cli import run_and_exit

if __name__ == "__main__":
    run_and_exit("sweep")
