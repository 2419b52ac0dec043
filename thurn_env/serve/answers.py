"""Answers of the server: pages, and errors as `{"error": "A sentence."}`."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from thurn_env.serve.refusal import Refusal
from thurn_env.show.template import policy_of

FAILED = "Internal error; the terminal of the server shows the details."


def page(text: str, status: int = 200) -> Response:
    """Return a page with the content security policy for its scripts and styles."""
    return HTMLResponse(text, status, {"content-security-policy": f"{policy_of(text)}; frame-ancestors 'none'"})


async def refused(request: Request, refusal: Exception) -> Response:
    """Answer a refused request."""
    assert isinstance(refusal, Refusal)
    headers = {"retry-after": "60"} if refusal.status == 503 else None
    return JSONResponse({"error": refusal.message}, refusal.status, headers)


async def not_found(request: Request, error: Exception) -> Response:
    """Answer a request that leads nowhere, or comes by a wrong method."""
    assert isinstance(error, HTTPException)
    message = "There is nothing at this address." if error.status_code == 404 else f"{error.detail}."
    return JSONResponse({"error": message}, error.status_code, error.headers)


async def failed(request: Request, error: Exception) -> Response:
    """Answer a request that failed by a fault of the server."""
    return JSONResponse({"error": FAILED}, 500)
