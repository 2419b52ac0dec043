"""Training scripts, run from a checkout."""
