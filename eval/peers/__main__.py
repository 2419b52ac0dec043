"""`python -m eval.peers`."""

import sys

from eval.peers.command import main

sys.exit(main())
