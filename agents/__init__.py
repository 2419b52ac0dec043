"""Players that search: named by spec strings such as `mcts:1000`, see `thurn_env.agent.make_agent`."""
