"""`python -m eval.clients`."""

import sys

from eval.clients.command import main

sys.exit(main())
