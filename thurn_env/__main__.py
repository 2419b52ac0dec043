"""`python -m thurn_env` is the command `thurn`."""

import sys

from thurn_env.commands.cli import main

if __name__ == "__main__":
    sys.exit(main())
