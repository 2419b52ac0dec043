"""Players: agents and their specs, search, learned policies, matches and sessions with people."""
