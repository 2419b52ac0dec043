"""Words and pictures that all games share."""
