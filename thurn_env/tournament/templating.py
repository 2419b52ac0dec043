"""Jinja2 templates of reports and sites."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from thurn_env.show.template import ICON_LINK
from thurn_env.tournament import plots, wording
from thurn_env.tournament.counts import legality

TEMPLATES = Path(__file__).parent / "templates"


def environment() -> Environment:
    """Return an environment with the templates of this folder, which escapes all values."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {
        "icon": Markup(ICON_LINK),
        "colours": plots.COLOURS,
        "signed": wording.signed,
        "span": wording.span,
        "share": wording.share_text,
        "share_span": wording.share_span,
        "seconds": wording.seconds,
        "legality": legality,
    }
    return made
