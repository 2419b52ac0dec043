"""HTML pages from templates: styles, scripts, and a Content-Security-Policy.

Jinja2 belongs to the extra `eval`, and these pages work without it.
"""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape, unescape
from importlib import resources
from typing import Any
from urllib.parse import quote

from thurn_env.drawing.picture import Picture
from thurn_env.drawing.themes import FONTS, THEMES, Theme

ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
    '<path d="M4 27 28 19" stroke="#6b7280" stroke-width="4"/><circle cx="5" cy="27" r="4" fill="#b4600c"/>'
    '<path d="M7 13 17 3l10 10v10H7z" fill="#1860d8" stroke="#fff" stroke-width="2" stroke-linejoin="round"/>'
    '<path d="M14.5 23v-6h5v6z" fill="#fff"/></svg>'
)
"""A house at the end of a road: the icon of all pages."""
ICON_LINK = f'<link rel="icon" type="image/svg+xml" href="data:image/svg+xml,{quote(ICON, safe="")}">'
TEMPLATES = resources.files("thurn_env.show") / "templates"


def template(name: str) -> str:
    """Return the text of a template."""
    return (TEMPLATES / name).read_text("utf-8")


def filled(name: str, values: dict[str, str]) -> str:
    """Return a template with its placeholders filled; values that look like placeholders are left as they are."""
    first, *parts = template(name).split("{{")
    page = [first]
    for part in parts:
        place, rest = part.split("}}", 1)
        page += [values[place.strip()], rest]
    return "".join(page)


def document(name: str, styles: str, script: str, values: dict[str, str], *allowed: str) -> str:
    """Return a whole page.

    Args:
        name: its template; `head` stands there for what all pages have in their heads.
        styles: its style, as `style`.
        script: its script, as `script`.
        values: the other placeholders.
        allowed: what its Content-Security-Policy allows besides style and script, see `policy`.
    """
    head = filled("head.html", {"policy": escape(policy(styles, script, *allowed)), "icon": ICON_LINK})
    return filled(name, {"head": head.rstrip(), "style": styles, "script": script, **values})


def style(sheet: str, picture: Picture | None = None) -> str:
    """Return the style of a page: its colours, the styles of a picture, the common styles, and its own sheet."""
    light, dark = (_variables(theme) for theme in THEMES.values())
    drawings = picture.style_sheet("auto", "svg ") if picture is not None else ""
    return (
        f":root{{color-scheme:light dark;{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"
        f"{drawings}\n{template('page.css')}{template(sheet)}"
    )


def data_block(data: Any) -> str:
    """Return a script element with data; no text in it can end the element."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def policy(styles: str, script: str, *more: str) -> str:
    """Return a Content-Security-Policy that allows this style, this script, and nothing but `more`."""
    return "; ".join(
        [
            "default-src 'none'",
            f"style-src {_digest(styles)}",
            f"script-src {_digest(script)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            *more,
        ]
    )


def policy_of(page: str) -> str:
    """Return the policy in the head of a page made from a template."""
    _, _, rest = page.partition('http-equiv="Content-Security-Policy" content="')
    return unescape(rest.partition('"')[0])


def _digest(content: str) -> str:
    """Return the hash of an element's content, as policies write it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


def _variables(theme: Theme) -> str:
    colours: dict[str, Any] = {
        "paper": theme.paper,
        "raised": theme.raised,
        "ink": theme.ink,
        "muted": theme.muted,
        "line": theme.line,
        "on-seat": theme.on_seat,
        "mark": theme.mark,
        "mark-edge": theme.mark_edge,
        "font": FONTS,
        **{f"seat-{seat}": colour for seat, colour in enumerate(theme.seats)},
    }
    return ";".join(f"--{name}:{colour}" for name, colour in colours.items())
