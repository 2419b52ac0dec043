"""Programs as agents: the protocol `thurn-agent/1` over the standard input and output of another process."""
