"""Training scripts. Reserved: nothing is here yet."""
