"""Training scripts, run from a checkout."""

import os

# Threads of torch that wait for each other keep their cores busy by default. Beside other work, even beside one busy
# program, they keep each other from working then, and several are many times slower than one. Torch reads this once,
# when it is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
