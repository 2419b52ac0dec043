"""Write what the documentation shows of the code: the tables of the environment's page, and the picture of a game.

    python -m docs.generate            write them anew
    python -m docs.generate --check    only say what is out of date

The page is the docstring of `thurn_env/thurn_und_taxis_v0.py`. Its tables stand between `<!-- table: NAME -->` and
`<!-- end -->`; `docs/environment.md` is a copy of the whole page. The picture is a moment of a recorded game.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from thurn_env.games import make_rules
from thurn_env.games.contract import GameRules
from thurn_env.record import Record
from thurn_env.render import svg
from thurn_env.thurn_und_taxis_v0 import raw_env

ROOT = Path(__file__).resolve().parent.parent
MODULE = ROOT / "thurn_env" / "thurn_und_taxis_v0.py"
PAGE = ROOT / "docs" / "environment.md"
GAME = ROOT / "docs" / "images" / "game.json"
PICTURE = ROOT / "docs" / "images" / "table.svg"
MOMENT = 161
"""After so many moves of the game the picture is taken."""
NOTE = "<!-- Written by `python -m docs.generate` from the docstring of thurn_env/thurn_und_taxis_v0.py. -->\n\n"
BLOCK = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
PLAYERS = (2, 3, 4)


def markdown(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def code(text: str) -> str:
    """Text set as code."""
    return f"`{text}`"


def tables() -> dict[str, str]:
    """The tables of the page by name, for the usual board with 2 players."""
    rules = make_rules("thurn_und_taxis", 2)
    shown = rules.tables()
    return {
        "facts": facts(),
        "options": markdown(
            ("option", "default", "meaning"),
            [(code(name), code(default), meaning) for name, _, default, meaning in shown["options"].rows],
        ),
        "observation": markdown(
            shown["observation"].columns,
            [(index, code(name), *rest) for index, name, *rest in shown["observation"].rows],
        ),
        "actions": markdown(
            shown["actions"].columns,
            [(index, code(text), meaning) for index, text, meaning in shown["actions"].rows],
        ),
        "certainty": certainty(),
        "horse_observation": horse_observation(),
        "sizes": sizes(rules),
    }


def facts() -> str:
    """The table at the head of the page."""
    env = raw_env()
    agent = env.possible_agents[0]
    vector = env.observation_space(agent)["observation"]
    lines = [
        ("Actions", "Discrete"),
        ("Parallel API", "No"),
        ("Manual Control", "No"),
        ("Agents", code(f"agents = {env.possible_agents}")),
        ("Agents", f"{len(env.possible_agents)} ({PLAYERS[0]} to {PLAYERS[-1]})"),
        ("Action Shape", "(1,)"),
        ("Action Values", str(env.action_space(agent))),
        ("Observation Shape", str(vector.shape)),
        ("Observation Values", "[-1, 1]"),
        ("State Shape", str(env.state_space.shape)),
    ]
    return markdown(("Creation", code('make("aec", "thurn_env/thurn_und_taxis-v0")')), lines)


def certainty() -> str:
    """What is confirmed and what is reconstructed on the north board."""
    table = make_rules("thurn_und_taxis", 2, "north").tables()["certainty"]
    return markdown(table.columns, table.rows)


def horse_observation() -> str:
    """The pieces of the observation that only games with horses have."""
    plain = {name for _, name, *_ in make_rules("thurn_und_taxis", 2, "north").tables()["observation"].rows}
    table = make_rules("thurn_und_taxis", 2, "north", horses=True).tables()["observation"]
    return markdown(table.columns, [(at, code(name), *rest) for at, name, *rest in table.rows if name not in plain])


def sizes(rules: GameRules) -> str:
    """The sizes of all spaces for every board and number of players."""
    rows = []
    for board, options in (*((board, {}) for board in rules.boards), ("north", {"horses": True})):
        for players in PLAYERS:
            other = make_rules(rules.name, players, board, **options)
            numbers = (other.action_size, other.observation_size, other.state_vector_size)
            rows.append((board + (" with horses" if options else ""), str(players), *map(str, numbers)))
    return markdown(("board", "players", "actions", "observation", "state"), rows)


def filled(source: str) -> str:
    """A text with the tables between its markers brought up to date."""
    made = tables()
    return BLOCK.sub(lambda block: f"{block[1]}{made[block[2]]}{block[3]}", source)


def picture() -> str:
    """A moment of the recorded game, as the first seat sees it."""
    record = Record.load(GAME)
    (game,) = islice(record.replay(), MOMENT, MOMENT + 1)
    return svg(game.view(0), theme="auto", names=record.agents)


def generated() -> dict[Path, str]:
    """What the files should hold."""
    module = filled(MODULE.read_text("utf-8"))
    page = ast.get_docstring(ast.parse(module))
    assert page is not None
    return {MODULE: module, PAGE: f"{NOTE}{page}\n", PICTURE: picture()}


def out_of_date() -> list[Path]:
    """The files that differ from what they should hold."""
    return [path for path, text in generated().items() if not path.exists() or path.read_text("utf-8") != text]


def main(arguments: Sequence[str]) -> int:
    """The command; returns the exit code."""
    if list(arguments) not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    stale = out_of_date()
    for path in stale:
        print(f"{path.relative_to(ROOT)} {'is out of date' if arguments else 'written'}")
    if arguments:
        return 1 if stale else 0
    for path, text in generated().items():
        path.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
