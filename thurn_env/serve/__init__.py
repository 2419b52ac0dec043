"""The web page of `thurn serve`. The server sends only what a seat may know."""
