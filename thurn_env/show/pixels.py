"""SVG documents as pixels, identical on every machine.

resvg draws them with Source Sans from its own package. System fonts are not used, so the pixels do not depend on them.
"""

from __future__ import annotations

import importlib.util
import io
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from thurn_env.errors import MissingExtra

__all__ = ["pixels"]

UInt8Array = np.ndarray[Any, np.dtype[np.uint8]]

FONT_PACKAGE = "font_source_sans_pro"
FONT_FILES = ("SourceSansPro-Regular.ttf", "SourceSansPro-Semibold.ttf")
FONT_FAMILY = "Source Sans Pro"
INSTALL = 'pip install "thurn-env[render]"'


def pixels(document: str) -> UInt8Array:
    """Return the pixels of an SVG document at its natural size: uint8 (height, width, 3).

    Raises:
        MissingExtra: the extra `render` is not installed.
    """
    try:
        import PIL.Image
        import resvg_py
    except ModuleNotFoundError as error:
        raise MissingExtra(f"drawing pixels needs {error.name}: {INSTALL}") from None
    png = resvg_py.svg_to_bytes(
        svg_string=document,
        skip_system_fonts=True,
        font_files=font_files(),
        font_family=FONT_FAMILY,
        sans_serif_family=FONT_FAMILY,
    )
    with PIL.Image.open(io.BytesIO(png)) as image:
        return np.array(image.convert("RGB"))


@cache
def font_files() -> list[str]:
    """Return the font files; raise `MissingExtra` if their package is not installed."""
    # Do not import it: importing lists its folder, and only the files are needed.
    found = importlib.util.find_spec(FONT_PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise MissingExtra(f"drawing pixels needs {FONT_PACKAGE.replace('_', '-')}: {INSTALL}")
    folder = Path(found.submodule_search_locations[0]) / "files"
    return [str(folder / name) for name in FONT_FILES]
