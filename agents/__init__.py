"""Example agents to start from. Agents of the package itself are in `thurn_env.players`."""
