"""Write what the documentation shows of the code: the tables of the environments' pages, and pictures of games.

    python -m docs.generate            write them anew
    python -m docs.generate --check    only say what is out of date

The page of a game is the docstring of its module `thurn_env/GAME_v0.py`. Its tables stand between
`<!-- table: NAME -->` and `<!-- end -->`; the file in `docs/` is a copy of the whole page. A picture is a moment of a
recorded game. The picture of the architecture shows `docs/floors.py`, and the page of the models shows their cards. The
page of the ladder, and a table on the page of the agents, show the results that `python -m eval.ladder --write` saved;
the page of OpenSpiel shows those of `python -m eval.exploitability --write`.
"""

from __future__ import annotations

import ast
import importlib
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from docs import exploitability, ladders, models, reference
from docs.floors import architecture
from thurn_env.commands.arguments import call, program
from thurn_env.files import read_text, write_text
from thurn_env.games import make_rules
from thurn_env.games.contract import GameRules
from thurn_env.show import svg
from thurn_env.table.record import Record
from thurn_env.table.replay import replay

PROGRAM = "python -m docs.generate"
ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
PICTURES = {"table.svg": ("game.json", 161), "zug_um_zug_deutschland.svg": ("zug_um_zug_deutschland.json", 140)}
"""Every picture to the record that it is taken from, and after how many moves."""
BLOCK = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


@dataclass(frozen=True)
class Arguments:
    """Write the tables and pictures in docs/ that show what the code says.

    Args:
        check: write nothing; name the files that are out of date, and exit with code 1 if there are any.
    """

    check: bool = False


@dataclass(frozen=True)
class Page:
    """The page of a game's environment.

    Attributes:
        game: the game's name.
        module: the module whose docstring the page is.
        file: the copy of the page.
        certain: the board whose certainty of facts the page shows; None for the usual one.
        variants: boards with options that have sizes, and pieces of the observation, of their own.
    """

    game: str
    module: Path
    file: Path
    certain: str | None = None
    variants: tuple[tuple[str, dict[str, Any]], ...] = ()


PAGES = (
    Page(
        "thurn_und_taxis",
        ROOT / "thurn_env" / "thurn_und_taxis_v0.py",
        ROOT / "docs" / "environment.md",
        "north",
        (("north", {"horses": True}),),
    ),
    Page(
        "zug_um_zug_deutschland",
        ROOT / "thurn_env" / "zug_um_zug_deutschland_v0.py",
        ROOT / "docs" / "zug_um_zug_deutschland.md",
    ),
)


def markdown(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def code(text: str) -> str:
    """Text set as code."""
    return f"`{text}`"


def tables(page: Page) -> dict[str, str]:
    """The tables of a page by name, for the usual board with 2 players."""
    rules = make_rules(page.game, 2)
    shown = rules.tables()
    made = {
        "facts": facts(page, rules),
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
        "certainty": certainty(page),
        "sizes": sizes(page, rules),
    }
    for board, options in page.variants:
        made[f"{'_'.join(options)}_observation"] = further_observation(page.game, board, options)
    return made


def facts(page: Page, rules: GameRules) -> str:
    """The table at the head of a page."""
    env = importlib.import_module(f"thurn_env.{page.game}_v0").raw_env()
    agent = env.possible_agents[0]
    vector = env.observation_space(agent)["observation"]
    numbers = rules.player_numbers
    lines = [
        ("Actions", "Discrete"),
        ("Parallel API", "No"),
        ("Manual Control", "No"),
        ("Agents", code(f"agents = {env.possible_agents}")),
        ("Agents", f"{len(env.possible_agents)} ({numbers[0]} to {numbers[-1]})"),
        ("Action Shape", "(1,)"),
        ("Action Values", str(env.action_space(agent))),
        ("Observation Shape", str(vector.shape)),
        ("Observation Values", "[-1, 1]"),
        ("State Shape", str(env.state_space.shape)),
    ]
    return markdown(("Creation", code(f'make("aec", "thurn_env/{page.game}-v0")')), lines)


def certainty(page: Page) -> str:
    """What is confirmed and what is reconstructed on a board."""
    table = make_rules(page.game, 2, page.certain).tables()["certainty"]
    return markdown(table.columns, table.rows)


def further_observation(game: str, board: str, options: dict[str, Any]) -> str:
    """The pieces of the observation that only games with these options have."""
    plain = {name for _, name, *_ in make_rules(game, 2, board).tables()["observation"].rows}
    table = make_rules(game, 2, board, **options).tables()["observation"]
    return markdown(table.columns, [(at, code(name), *rest) for at, name, *rest in table.rows if name not in plain])


def sizes(page: Page, rules: GameRules) -> str:
    """The sizes of all spaces for every board and number of players."""
    rows = []
    for board, options in (*((board, {}) for board in rules.boards), *page.variants):
        for players in rules.player_numbers:
            other = make_rules(rules.name, players, board, **options)
            numbers = (other.action_size, other.observation_size, other.state_vector_size)
            rows.append((board + "".join(f" with {name}" for name in options), str(players), *map(str, numbers)))
    return markdown(("board", "players", "actions", "observation", "state"), rows)


def filled(source: str, made: dict[str, str]) -> str:
    """A text with the tables between its markers brought up to date, by name."""
    return BLOCK.sub(lambda block: f"{block[1]}{made[block[2]]}{block[3]}", source)


def files_of(page: Page) -> dict[Path, str]:
    """What the files of a page should hold."""
    module = filled(read_text(page.module), tables(page))
    text = ast.get_docstring(ast.parse(module))
    assert text is not None
    note = f"<!-- Written by `python -m docs.generate` from the docstring of thurn_env/{page.game}_v0.py. -->\n\n"
    return {page.module: module, page.file: f"{note}{text}\n"}


def picture(record: Record, moment: int) -> str:
    """A game after so many moves, as the first seat sees it."""
    (game,) = islice(replay(record), moment, moment + 1)
    return svg(game.view(0), theme="auto", names=record.agents)


def generated() -> dict[Path, str]:
    """What the files should hold."""
    pages = {path: text for page in PAGES for path, text in files_of(page).items()}
    drawn = {
        IMAGES / name: picture(Record.load(IMAGES / source), moment) for name, (source, moment) in PICTURES.items()
    }
    docs = IMAGES.parent
    agents = docs / "agents.md"
    searched = {agents: filled(read_text(agents), {"search": markdown(*ladders.search_table())})}
    spiel = docs / "open_spiel.md"
    solved = {"trees": markdown(*exploitability.trees()), "exploitability": markdown(*exploitability.table())}
    made = {
        **models.files(docs),
        **ladders.files(docs),
        **exploitability.files(docs),
        spiel: filled(read_text(spiel), solved),
        **reference.files(docs),
        IMAGES / "architecture.svg": architecture().svg("auto"),
    }
    return {**pages, **drawn, **searched, **made}


def out_of_date() -> list[Path]:
    """The files that differ from what they should hold."""
    return [path for path, text in generated().items() if not path.exists() or read_text(path) != text]


def run(command: list[str]) -> int:
    """Write what is out of date, or name it."""
    arguments = call(Arguments, command, PROGRAM)
    stale = out_of_date()
    for path in stale:
        print(f"{path.relative_to(ROOT)} {'is out of date' if arguments.check else 'written'}")
    if arguments.check:
        return 1 if stale else 0
    for path, text in generated().items():
        write_text(path, text)
    return 0


main = program(PROGRAM, run)


if __name__ == "__main__":
    sys.exit(main())
