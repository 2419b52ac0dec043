"""Every option that a message, a docstring or a page names is one that the program it is about has."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.programs import ROOT, aliases, options_of, programs
from thurn_env.commands.cli import COMMANDS

OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*[a-z0-9](?![\w{-])")
COMMAND = re.compile(r"thurn (?:" + "|".join(COMMANDS) + r")\b|python -m (?:docs|eval|train)\.[a-z_.]*[a-z_]")
END_OF_COMMAND = re.compile(r"[`#\n]|[.;] ")
CODE = re.compile(r"```.*?```|`[^`]+`|^ {4}.*$", re.DOTALL | re.MULTILINE)
OTHER_PROGRAMS = {
    "eval/environments.py": ("--quiet", "--no-input", "--disable-pip-version-check", "--requirement"),
    "thurn_env/tournament/checkout.py": ("--show-toplevel", "--porcelain", "--untracked-files"),
    "thurn_env/players/programs/guard.py": ("--seccomp", "--info-fd"),
    "thurn_env/players/programs/sandbox.py": (
        *("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
        *("--die-with-parent", "--new-session", "--hostname", "--cap-drop", "--cap-add", "--reuid", "--regid"),
        *("--clear-groups", "--bounding-set", "--inh-caps", "--proc", "--dev", "--perms", "--size", "--tmpfs", "--dir"),
        *("--remount-ro", "--ro-bind", "--symlink", "--chdir"),
    ),
    "release/wheel.py": ("--cached", "--others", "--exclude-standard", "--wheel", "--outdir"),
    "thurn_env/tournament/plots.py": ("--ink", "--muted", "--line", "--page", "--sans", "--agent-0"),
}
"""What looks like an option and is one of pip, git or bubblewrap, or a variable of a style sheet."""

SOURCES = [
    file
    for folder in ("thurn_env", "agents", "eval", "release", "train", "docs")
    for file in sorted((ROOT / folder).rglob("*.py"))
    if "scripts" not in file.parts
]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


@cache
def known(names: frozenset[str]) -> set[str]:
    """The options of some programs; a switch can be turned off, too."""
    found = {"--help", "--version"}
    for name in names:
        for option, values in options_of(name).items():
            found |= {option} if values else {option, option.replace("--", "--no-", 1)}
    return found


def unknown_in(text: str, about: Collection[str]) -> Iterator[str]:
    """The options in a text that do not exist.

    After the name of a program they must be its own, up to the end of the command; elsewhere they must be those of a
    program that the text names, or that it is about.
    """
    commands = list(COMMAND.finditer(text))
    owners: dict[int, str] = {}
    for place, command in enumerate(commands):
        end = END_OF_COMMAND.search(text, command.end())
        stop = end.start() if end else len(text)
        following = commands[place + 1].start() if place + 1 < len(commands) else len(text)
        for option in OPTION.finditer(text, command.end(), min(stop, following)):
            owners[option.start()] = command.group()
    named = {aliases().get(command.group(), command.group()) for command in commands} & set(programs())
    for option in OPTION.finditer(text):
        owner = owners.get(option.start())
        owner = aliases().get(owner or "", owner)
        if owner is not None and owner not in programs():
            yield f"{owner} is no program"
        elif option.group() not in known(frozenset([owner] if owner else {*about, *named})):
            whose = owner or ", ".join(sorted({*about, *named}))
            yield f"{option.group()} is no option of {whose}: {text.strip()[:100]!r}"


def texts_in(source: Path) -> Iterator[str]:
    """All literal texts of a module; what an f-string fills in is `{}`."""
    tree = ast.parse(source.read_text("utf-8"))
    parts = set[int]()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts |= {id(part) for part in node.values}
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            yield node.value


@cache
def subjects(source: Path) -> set[str]:
    """The programs that a module is about: its own one, those of its folder, else all."""
    room, *rest = source.relative_to(ROOT).parts
    own = re.search(r'^PROGRAM = "(.*)"', source.read_text("utf-8"), re.MULTILINE)
    if own:
        return {own[1]}
    if rest[0] == "serve" or (rest[0] == "commands" and source.stem in COMMANDS):
        return {f"thurn {'serve' if rest[0] == 'serve' else source.stem}"}
    beginning = {"eval": "python -m eval.", "train": "python -m train.", "thurn_env": "thurn "}.get(room, "")
    return {name for name in programs() if name.startswith(beginning)}


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: str(source.relative_to(ROOT)))
def test_options_in_sources_exist(source: Path) -> None:
    others = OTHER_PROGRAMS.get(source.relative_to(ROOT).as_posix(), ())
    for text in texts_in(source):
        # An option alone is a word of a command line that is put together, maybe that of another program.
        about = programs() if OPTION.fullmatch(text) else subjects(source)
        wrong = [fault for fault in unknown_in(text, about) if fault.split()[0] not in others]
        assert not wrong, wrong


def code_in(page: str) -> Iterator[str]:
    """The pieces of code on a page, line by line in blocks; a line that goes on is one with the next."""
    for piece in CODE.findall(page):
        text = piece.strip("`") if not piece.startswith("```") else piece.strip("`").partition("\n")[2]
        yield from re.sub(r"\\\n\s*", " ", text).splitlines() if "\n" in piece.strip() else [text]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_options_on_pages_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    about = {aliases().get(command, command) for command in COMMAND.findall(text)} & set(programs()) or set(programs())
    for code in code_in(text):
        if COMMAND.search(code) or code.lstrip().startswith("--"):
            wrong = list(unknown_in(code, about))
            assert not wrong, wrong


def test_a_wrong_option_is_found() -> None:
    serve = {"thurn serve"}
    assert not list(unknown_in("start it with --names if it should be", serve))
    assert list(unknown_in("start it with --name if it should be", serve))
    assert list(unknown_in("try thurn watch --agents a b --names c", serve))
    assert not list(unknown_in("thurn replay FILE --verify; thurn serve --names here", ()))
    assert list(unknown_in("give --gamez to thurn tournament", ()))
    assert list(unknown_in("python -m eval.tournaments --games 3", ()))
