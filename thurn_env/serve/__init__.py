"""A web page to play on: `thurn serve`. What a seat does not know never leaves the server."""
