"""What the pictures of all games are put together from: positions, and pages of blocks."""
