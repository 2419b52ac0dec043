"""`python -m eval.puzzles`."""

import sys

from eval.puzzles.command import main

sys.exit(main())
