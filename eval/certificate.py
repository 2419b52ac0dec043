"""Alias of `thurn certificate` in a checkout: `python -m eval.certificate` takes the same options."""

from thurn_env.commands.cli import door

if __name__ == "__main__":
    door("certificate")
