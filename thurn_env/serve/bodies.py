"""Bodies of requests: small JSON objects with known fields."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request

from thurn_env.serve.refusal import Refusal

MOST_BYTES = 16 * 1024
"""Largest request body in bytes."""


async def json_object(request: Request) -> dict[str, Any]:
    """Return the JSON object in a request; raise `Refusal` if it is invalid or too large."""
    content = b""
    async for chunk in request.stream():
        content += chunk
        if len(content) > MOST_BYTES:
            raise Refusal(413, f"The request body must not exceed {MOST_BYTES:,} bytes.")
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        raise Refusal(400, "The request body is not valid JSON.") from None
    if not isinstance(body, dict):
        raise Refusal(400, "Send a JSON object.")
    return body


async def body_of(request: Request, *known: str) -> dict[str, Any]:
    """Return the JSON object in a request; raise `Refusal` also if it has other fields than `known`."""
    body = await json_object(request)
    if unknown := set(body) - set(known):
        raise Refusal(400, f"Unknown field {min(unknown)!r}.")
    return body
