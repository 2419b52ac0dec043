"""Elements of pictures of all games: SVG elements, themes, chips in rows, map labels."""
