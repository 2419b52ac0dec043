"""The environments: a game behind the interfaces that learning libraries expect."""
