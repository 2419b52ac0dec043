"""Training from a checkout: aliases of `thurn` commands, and publishing a policy with the package."""
