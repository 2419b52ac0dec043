"""What pictures of all games are made of: SVG elements, themes, cards and stops in rows, labels of maps."""
