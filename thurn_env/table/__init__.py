"""Single games, views of a seat, batches of games, and game records."""
