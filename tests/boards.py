"""Boards of one's own for tests: changed copies of the tiny board."""

import json
import tomllib
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

from thurn_env.games.thurn_und_taxis.board.board import Board
from thurn_env.games.thurn_und_taxis.board.shipped import load_board

SHIPPED = Path(__file__).parents[1] / "thurn_env/games/thurn_und_taxis/board"
Data = dict[str, Any]
DISTANCE_5, DISTANCE_4, EVERYWHERE, FRANKEN, END = range(5)  # the tiny board's stacks


def tiny_data() -> Data:
    return tomllib.loads((SHIPPED / "tiny.toml").read_text("utf-8"))


def quoted(value: object) -> str:
    """A value as TOML writes it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {quoted(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(quoted, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def as_toml(data: Data) -> str:
    """Enough of a TOML writer for boards: JSON values are TOML values once the tables are spelt out."""
    plain = [f"{key} = {quoted(value)}" for key, value in data.items() if not _is_tables(value)]
    tables = []
    for key, value in data.items():
        if _is_tables(value):
            heading = f"[{key}]" if isinstance(value, dict) else f"[[{key}]]"
            for table in [value] if isinstance(value, dict) else value:
                tables += [heading, *(f"{name} = {quoted(item)}" for name, item in table.items())]
    return "\n".join(plain + tables)


def _is_tables(value: object) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)
    )


def load_changed(tmp_path: Path, change: Callable[[Data], object]) -> Board:
    data = tiny_data()
    change(data)
    path = tmp_path / "my.toml"
    path.write_text(as_toml(data), "utf-8")
    return load_board(path)


def put(*keys_and_value: Any) -> Callable[[Data], object]:
    """Set the value at the end of a path of keys and list places."""
    *path, last, value = keys_and_value

    def change(data: Any) -> None:
        for key in path:
            data = data[key]
        data[last] = value

    return change


def without(*path: Any) -> Callable[[Data], object]:
    """Delete what lies at the end of a path of keys and list places."""
    *front, last = path

    def change(data: Any) -> None:
        for key in front:
            data = data[key]
        del data[last]

    return change


def more(key: str, item: Any) -> Callable[[Data], object]:
    """Append to one of the board's lists."""
    return lambda data: data[key].append(item)


def several(*changes: Callable[[Data], object]) -> Callable[[Data], object]:
    return lambda data: [change(data) for change in changes]


def many_cities(number: int) -> Callable[[Data], object]:
    """A chain of that many more cities behind Langenburg."""

    def change(data: Data) -> None:
        names = ["Langenburg", *(f"Weiler {n}" for n in range(number))]
        data["cities"] += [{"name": name, "province": "Ries", "x": 1, "y": 1} for name in names[1:]]
        data["roads"] += [list(pair) for pair in pairwise(names)]

    return change


def many_provinces(data: Data) -> None:
    data["provinces"] += [{"name": f"Gau {n}", "colour": "#123456"} for n in range(28)]
