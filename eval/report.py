"""Alias of `thurn report` in a checkout: `python -m eval.report` takes the same options."""

from thurn_env.commands.cli import door

if __name__ == "__main__":
    door("report")
