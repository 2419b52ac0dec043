"""Players that search or learn. Reserved: the scripted bots are part of `thurn_env`, and nothing else is here yet."""
