"""Games as values: one game, what a seat may know, many games at once, and games as text."""
