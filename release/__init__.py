"""How thurn-env is packed."""
