"""Protection against other sites: their pages must not reach a server on the reader's own machine.

A request must name this machine as its host; otherwise a name of another site that was pointed here (DNS rebinding)
would count as the page's own origin. Numeric addresses cannot be rebound. A request that changes something must come
from this server's own pages.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from thurn_env.checks import quoted
from thurn_env.errors import OptionError
from thurn_env.serve.refusal import Refusal

LOCAL = "localhost"
NAME = re.compile(r"[a-z0-9_.-]+")
SAFE = ("GET", "HEAD")
HEADERS = {
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
"""Headers of every response."""
POLICY = "default-src 'none'; frame-ancestors 'none'"
"""Policy of responses that are not pages; pages have their own."""


class Guard:
    """Middleware that accepts requests from this server's own pages, and adds headers to all responses.

    Args:
        app: the guarded application.
        names: host names of this machine as requests have them, see `host_name`, besides localhost and all numeric
            addresses.
    """

    def __init__(self, app: ASGIApp, names: Collection[str] = ()) -> None:
        self.app = app
        self.names = {LOCAL, *names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("content-security-policy", POLICY)
            await send(message)

        try:
            self._check(scope["method"], Headers(scope=scope))
        except Refusal as refusal:
            response = JSONResponse({"error": refusal.message}, refusal.status)
            await response(scope, receive, send_with_headers)
        else:
            await self.app(scope, receive, send_with_headers)

    def _check(self, method: str, headers: Headers) -> None:
        host = headers.get("host", "")
        if not self._is_here(host):
            raise Refusal(403, _unknown_host(host))
        origin = headers.get("origin")
        if origin is not None and _place(origin) != host.lower():
            raise Refusal(403, "Requests from pages of other sites are refused.")
        if method in SAFE:
            return
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise Refusal(403, "Requests from pages of other sites are refused.")
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise Refusal(415, "Send JSON, with the content type application/json.")

    def _is_here(self, host: str) -> bool:
        """Return whether a Host header is a numeric address or one of the names."""
        name = _name_in(host)
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name in self.names
        return True


def host_name(name: str) -> str:
    """Return a name as browsers send it in the Host header; raise `OptionError` if it is none.

    Args:
        name: name of a host, without scheme and port; letters beyond ASCII are encoded.
    """
    try:
        sent = name.encode("idna").decode("ascii").lower()
    except UnicodeError:
        sent = ""
    if not NAME.fullmatch(sent):
        raise OptionError(f"--names takes names of hosts such as games.example.org, not {quoted(name)}")
    return sent


def _place(address: str) -> str:
    """Return the host and the port of an address; empty if it has none."""
    try:
        return urlsplit(address).netloc.lower()
    except ValueError:
        return ""


def _name_in(host: str) -> str:
    """Return the name in a Host header without the port; empty if there is none."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _unknown_host(host: str) -> str:
    """Return why a host is refused, and how to allow it."""
    name = _name_in(host)
    if not name:
        return "The request names no host; open the page at the address that thurn serve prints."
    return f"Unknown host name {quoted(name)}; to allow it, pass it to thurn serve with --names."
