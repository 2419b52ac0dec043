"""Training from a checkout: doors to the commands of `thurn`, and publishing a policy with the package."""
