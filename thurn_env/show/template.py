"""Pages made from templates: their style, their script, and a policy that lets nothing else in."""

from __future__ import annotations

import base64
import hashlib
import json
from html import unescape
from importlib import resources
from typing import Any

from thurn_env.drawing.picture import Picture
from thurn_env.drawing.themes import FONTS, THEMES, Theme

TEMPLATES = resources.files("thurn_env.show") / "templates"


def template(name: str) -> str:
    """The text of a template."""
    return (TEMPLATES / name).read_text("utf-8")


def filled(name: str, values: dict[str, str]) -> str:
    """A template with its places filled; text that looks like a place is left as it is."""
    first, *parts = template(name).split("{{")
    page = [first]
    for part in parts:
        place, rest = part.split("}}", 1)
        page += [values[place.strip()], rest]
    return "".join(page)


def style(sheet: str, picture: Picture | None = None) -> str:
    """The style of a page: its colours, those of a picture's drawings, what all pages share, and a sheet of its own."""
    light, dark = (_variables(theme) for theme in THEMES.values())
    drawings = picture.style_sheet("auto", "svg ") if picture is not None else ""
    return (
        f":root{{color-scheme:light dark;{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"
        f"{drawings}\n{template('page.css')}{template(sheet)}"
    )


def data_block(data: Any) -> str:
    """Data for a page's script; no text in it may end the script element."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def policy(styles: str, script: str, *more: str) -> str:
    """A Content-Security-Policy that allows this style and this script, and nothing but what `more` says."""
    return "; ".join(
        [
            "default-src 'none'",
            f"style-src {_digest(styles)}",
            f"script-src {_digest(script)}",
            "base-uri 'none'",
            "form-action 'none'",
            *more,
        ]
    )


def policy_of(page: str) -> str:
    """The policy that a page made from a template has in its head."""
    _, _, rest = page.partition('http-equiv="Content-Security-Policy" content="')
    return unescape(rest.partition('"')[0])


def _digest(content: str) -> str:
    """How a policy names the content of an element."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


def _variables(theme: Theme) -> str:
    colours: dict[str, Any] = {
        "paper": theme.paper,
        "raised": theme.raised,
        "ink": theme.ink,
        "muted": theme.muted,
        "line": theme.line,
        "on-seat": theme.on_seat,
        "font": FONTS,
        **{f"seat-{seat}": colour for seat, colour in enumerate(theme.seats)},
    }
    return ";".join(f"--{name}:{colour}" for name, colour in colours.items())
