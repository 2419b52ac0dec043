"""Who plays: agents and how they are named, search, learned policies, matches and sessions."""
