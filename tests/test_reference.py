"""The API reference: every public name is in it, and its docstring says what it takes and returns."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="the reference covers the extras, too")
pytest.importorskip("pyarrow", reason="the reference covers the extras, too")
pytest.importorskip("resvg_py", reason="the reference covers the extras, too")

from docs import reference

PAGE = reference.page_of_site()
NAMES = [
    pytest.param(module, name, value, id=f"{module}.{name}")
    for module, names in reference.public_names().items()
    for name, value in names.items()
]
ARRAY = re.compile(r"\b(Float32|Float64|Int8|Int16|Int64|Bool|UInt64)Array\b|ndarray")
SHAPE = re.compile(r"\((?:[\w+ ]+, ?)+[\w+ ]*\)|shape|row of|for every|by seat")


def documented(value: Any) -> Iterator[tuple[str, Any]]:
    """A public name and its own public methods and properties, each with what stands behind it."""
    yield "", value
    if inspect.isclass(value):
        for name, member in vars(value).items():
            if not name.startswith("_") and (inspect.isfunction(member) or isinstance(member, property | classmethod)):
                yield name, member


def function_of(member: Any) -> Any:
    """The function behind a method or a property."""
    if isinstance(member, property):
        return member.fget
    return member.__func__ if isinstance(member, classmethod) else member


def inherited_doc(value: Any, name: str) -> str:
    """The docstring of a method, or of the one that it overrides."""
    return inspect.getdoc(getattr(value, name)) or ""


@pytest.mark.parametrize(("module", "name", "value"), NAMES)
def test_it_is_in_the_reference(module: str, name: str, value: Any) -> None:
    assert f"::: {reference.path_of(module, name, value)}\n" in PAGE


def test_the_page_in_the_repository_lists_the_modules() -> None:
    page = Path(reference.__file__).with_name("reference.md").read_text("utf-8")
    listed = re.findall(r"^- `([\w.]+)`: ", page, re.MULTILINE)
    assert listed == re.findall(r"^## ([\w.]+)$", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("module", "name", "value"), NAMES)
def test_it_says_what_it_is(module: str, name: str, value: Any) -> None:
    if not (inspect.isclass(value) or inspect.isfunction(value)):
        return
    for member, behind in documented(value):
        text = inspect.getdoc(value) if not member else inherited_doc(value, member)
        assert text, f"{name}.{member} has no docstring"
        if inspect.isclass(behind):
            continue
        function = function_of(behind)
        parameters = [each for each in inspect.signature(function).parameters if each not in ("self", "cls")]
        if len(parameters) > 2 and not member:
            missing = [each for each in parameters if not re.search(rf"\b{each}\b", text)]
            assert not missing, f"{name} does not say what {', '.join(missing)} is"
        if ARRAY.search(str(function.__annotations__.get("return", ""))):
            assert SHAPE.search(text), f"{name}.{member} returns an array, and its docstring gives no shape"
