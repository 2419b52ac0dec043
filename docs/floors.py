"""The picture of the architecture: the floors of the house, the highest first. `python -m docs.generate` draws it."""

from __future__ import annotations

from typing import NamedTuple

from thurn_env.drawing.elements import rectangle, text
from thurn_env.drawing.picture import Block, Picture
from thurn_env.drawing.themes import THEMES, common_styles, mixed

WIDTH, MARGIN, HEIGHT, GAP = 800, 16, 58, 8
STEP = HEIGHT + GAP


class Floor(NamedTuple):
    """A floor of the house.

    Attributes:
        name: its name.
        rooms: its rooms; those of the package are modules and folders of thurn_env/.
        what: its purpose.
    """

    name: str
    rooms: str
    what: str


WORKBENCH = (
    Floor(
        "Checkout",
        "agents train eval release",
        "example agents; recipes and publishing; ladder, puzzles, peers, clients; wheels",
    ),
)
"""Run from a checkout."""
PACKAGE = (
    Floor("Commands", "commands __main__", "the command thurn: parse, call a function, print"),
    Floor("Web page", "serve", "games for people in a browser, and for programs that call tools"),
    Floor("Training", "training", "reinforcement learning, imitation, sweeps, evaluations"),
    Floor("Tournaments", "tournament", "schedules, referee, worker processes, ratings, reports"),
    Floor(
        "Environments",
        "envs thurn_und_taxis_v0 zug_um_zug_deutschland_v0",
        "PettingZoo, Gymnasium, Stable-Baselines3, OpenSpiel, games by text",
    ),
    Floor("Pictures of games", "show", "SVG, pixels, windows, pages of recorded games"),
    Floor("Players", "players", "agents, search, learned policies, matches, sessions, advice"),
    Floor("Games in words", "talk", "prompts for language models, and the reading of their answers"),
    Floor("Tables", "table", "single games and batches, views of a seat, records, whole game trees"),
    Floor("Games", "games", "the contract GameRules; a folder for every game: board, rules, bots, show"),
    Floor("Drawing", "drawing", "elements of pictures of all games"),
    Floor("Engine", "engine", "kernels, lanes, search, networks, random numbers: compiled, independent of games"),
    Floor("Ground", "errors checks files console progress __init__", "errors, input, files and locks, progress"),
)
"""In the wheel. The rooms are those that `tests/test_floors.py` holds the package to."""


def _floor(floor: Floor, y: float, classes: str) -> str:
    """Return a floor as a box: its name and description, and its rooms below."""
    rooms = " · ".join(room for room in floor.rooms.split() if not room.startswith("__"))
    return (
        rectangle(MARGIN, y, WIDTH - 2 * MARGIN, HEIGHT, classes, radius=6)
        + text(2 * MARGIN, y + 20, floor.name, 17, "ink strong", remark=(floor.what, 14))
        + text(2 * MARGIN, y + 42, rooms, 13, "muted")
    )


def architecture() -> Picture:
    """Return the picture of all floors, with the line between checkout and wheel."""
    drawn, y = [], float(MARGIN)
    for floor in WORKBENCH:
        drawn.append(_floor(floor, y, "panel"))
        y += STEP
    drawn.append(text(MARGIN, y + 8, "above: from a checkout", 13, "muted"))
    drawn.append(text(WIDTH - MARGIN, y + 8, "below: the wheel, package thurn_env", 13, "muted", "end"))
    y += 24
    for floor in PACKAGE:
        drawn.append(_floor(floor, y, "games" if floor.rooms == "games" else "panel"))
        y += STEP
    drawn.append(text(MARGIN, y + 8, "A room imports only from its own floor and from floors below it.", 13, "muted"))
    height = round(y + 24)
    styles = {
        name: common_styles(theme)
        | {".games": f"fill:{mixed(theme.raised, theme.seats[0], 0.2)};stroke:{theme.seats[0]}"}
        for name, theme in THEMES.items()
    }
    label = "The floors of the house, the highest first: " + ", ".join(floor.name for floor in (*WORKBENCH, *PACKAGE))
    block = Block("floors", 0, 0, WIDTH, height, {"floors": "".join(drawn)})
    return Picture(WIDTH, height, label, styles, (block,))
