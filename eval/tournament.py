"""Alias of `thurn tournament` in a checkout: `python -m eval.tournament` takes the same options."""

from thurn_env.commands.cli import run_and_exit

if __name__ == "__main__":
    run_and_exit("tournament")
