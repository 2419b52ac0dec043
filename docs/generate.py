"""Write the generated parts of the documentation: tables of the environments' pages, and pictures of games.

    python -m docs.generate            write the files
    python -m docs.generate --check    only name the files that are out of date

The page of a game is the docstring of its module `thurn_env/GAME_v0.py`. Its tables and lists are between
`<!-- table: NAME -->` and `<!-- end -->`; the file in `docs/` is a copy of the whole page. A picture shows a position
of a recorded game. The picture of the architecture shows `docs/floors.py`, and the page of the models shows their
cards. The page of the ladder shows the results that `python -m eval.ladder --write` saved, the table of recipes for
other libraries those of `python -m eval.clients --write`, and the page of OpenSpiel those of
`python -m eval.exploitability --write`. The table on the page of evaluation shows simulated matches, and the transcript
of the protocol for programs a game that is played here.
"""

from __future__ import annotations

import ast
import importlib
import re
import sys
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from docs import agent_transcript, exploitability, ladders, models, reference, sequential
from docs.floors import architecture
from eval.clients.report import table as recipes_table
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
"""Pictures: record, and number of moves after which the picture is taken."""
BLOCK = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


@dataclass(frozen=True)
class Arguments:
    """Write the generated tables and pictures in docs/.

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
        variants: boards with options that add pieces to the observation.
        like: game whose page explains the pieces of the observation that are the same; None for no such game.
    """

    game: str
    module: Path
    file: Path
    variants: tuple[tuple[str, dict[str, Any]], ...] = ()
    like: str | None = None


PAGES = (
    Page(
        "thurn_und_taxis",
        ROOT / "thurn_env" / "thurn_und_taxis_v0.py",
        ROOT / "docs" / "environment.md",
        (("north", {"horses": True}),),
    ),
    Page(
        "zug_um_zug_deutschland",
        ROOT / "thurn_env" / "zug_um_zug_deutschland_v0.py",
        ROOT / "docs" / "zug_um_zug_deutschland.md",
        like="thurn_und_taxis",
    ),
)


def markdown(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def listed(lines: Iterable[str]) -> str:
    """Return a Markdown list."""
    return "\n" + "".join(f"- {line}\n" for line in lines) + "\n"


def code(text: str) -> str:
    """Return text formatted as code."""
    return f"`{text}`"


def tables(page: Page) -> dict[str, str]:
    """Return the tables of a page by name, for the usual board with 2 players."""
    rules = make_rules(page.game, 2)
    shown = rules.tables()
    made = {
        "facts": facts(page, rules),
        "options": listed(
            f"{code(name)} ({code(default)}): {meaning}" for name, _, default, meaning in shown["options"].rows
        ),
        "observation": pieces(shown["observation"].rows, meanings(page.like) if page.like else ()),
        "actions": listed(
            f"{code(text)} ({index.split(' ')[0]}): {meaning}" for index, text, meaning in shown["actions"].rows
        ),
    }
    for board, options in page.variants:
        made[f"{'_'.join(options)}_observation"] = further_observation(page.game, board, options)
    return made


def facts(page: Page, rules: GameRules) -> str:
    """Return the list of facts at the head of a page."""
    env = importlib.import_module(f"thurn_env.{page.game}_v0").raw_env()
    agent = env.possible_agents[0]
    vector = env.observation_space(agent)["observation"]
    numbers = rules.player_numbers
    lines = (
        f"Agents: {numbers[0]} to {numbers[-1]}; default {code(str(env.possible_agents))}",
        f"Actions: {code(str(env.action_space(agent)))}",
        f"Observation: {vector.shape}, values in [-1, 1]",
        f"State: {env.state_space.shape}",
        "Parallel API, manual control: no",
    )
    return listed(lines)


def meanings(game: str) -> Collection[str]:
    """Return the meanings of all pieces of a game's observation."""
    return {meaning for *_, meaning in make_rules(game, 2).tables()["observation"].rows}


def pieces(rows: Sequence[Sequence[str]], explained: Collection[str] = ()) -> str:
    """Return the list of pieces of the observation with shape and scale; those of 1 are left out.

    Args:
        rows: index, name, shape, scale and meaning of every piece.
        explained: meanings that another page explains, so that they are left out, too.
    """
    lines = []
    for _, name, shape, scale, meaning in rows:
        size = ", ".join(text for text in (shape, scale) if text not in ("1", "1/1"))
        lines.append(f"{code(name)}{f' ({size})' if size else ''}{f': {meaning}' if meaning not in explained else ''}")
    return listed(lines)


def further_observation(game: str, board: str, options: dict[str, Any]) -> str:
    """Return the list of the observation's pieces that exist only with these options."""
    plain = {name for _, name, *_ in make_rules(game, 2, board).tables()["observation"].rows}
    rows = make_rules(game, 2, board, **options).tables()["observation"].rows
    return pieces([row for row in rows if row[1] not in plain])


def filled(source: str, made: dict[str, str]) -> str:
    """Return a text with the tables between its markers replaced, by name."""
    return BLOCK.sub(lambda block: f"{block[1]}{made[block[2]]}{block[3]}", source)


def files_of(page: Page) -> dict[Path, str]:
    """Return the contents of a page's files."""
    module = filled(read_text(page.module), tables(page))
    text = ast.get_docstring(ast.parse(module))
    assert text is not None
    note = f"<!-- Written by `python -m docs.generate` from the docstring of thurn_env/{page.game}_v0.py. -->\n\n"
    return {page.module: module, page.file: f"{note}{text}\n"}


def picture(record: Record, moment: int) -> str:
    """Return the picture of a game after `moment` moves, as seat 0 sees it."""
    (game,) = islice(replay(record), moment, moment + 1)
    return svg(game.view(0), theme="auto", names=record.agents)


def generated() -> dict[Path, str]:
    """Return the contents of all generated files."""
    pages = {path: text for page in PAGES for path, text in files_of(page).items()}
    drawn = {
        IMAGES / name: picture(Record.load(IMAGES / source), moment) for name, (source, moment) in PICTURES.items()
    }
    docs = IMAGES.parent
    libraries = docs / "other_libraries.md"
    recipes = {libraries: filled(read_text(libraries), {"recipes": markdown(*recipes_table())})}
    spiel = docs / "open_spiel.md"
    solved = {"exploitability": markdown(*exploitability.table())}
    evaluation = docs / "evaluation.md"
    matches = {"matches": markdown(*sequential.table())}
    protocol = docs / "agent_protocol.md"
    made = {
        protocol: filled(read_text(protocol), {"transcript": agent_transcript.table()}),
        **models.files(docs),
        **ladders.files(docs),
        **exploitability.files(docs),
        spiel: filled(read_text(spiel), solved),
        evaluation: filled(read_text(evaluation), matches),
        **reference.files(docs),
        IMAGES / "architecture.svg": architecture().svg("auto"),
    }
    return {**pages, **drawn, **recipes, **made}


def out_of_date() -> list[Path]:
    """Return the files that are out of date."""
    return [path for path, text in generated().items() if not path.exists() or read_text(path) != text]


def run(command: list[str]) -> int:
    """Write the files that are out of date, or name them."""
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
