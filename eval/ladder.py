"""The ladder: agents in the order of their strength, every one against the one before it.

    python -m eval.ladder --out runs/ladder

plays what `eval/ladder.toml` says, one tournament for every number of players, and goes on where it was stopped. A
rung holds if its agent ranks before the one below in more than half of their games, and the 95 % interval says so too.
"""

from __future__ import annotations

import hashlib
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.table import Table

from eval import tournament
from eval.folder import Folder
from thurn_env.commands.arguments import call, program
from thurn_env.commands.show import output_console
from thurn_env.errors import ThurnError
from thurn_env.pace import available_cores
from thurn_env.record import write_text

PROGRAM = "python -m eval.ladder"
PLAN = Path(__file__).with_name("ladder.toml")
PAGE = Path(__file__).parents[1] / "docs" / "ladder.md"
FORMAT = "thurn-ladder/1"
BROKEN = 1
"""The exit code if a rung does not hold."""


INTRODUCTION = """\
<!-- Written by `{program} --write` from eval/ladder.toml {digest}. -->

# The ladder

Every agent against the one below it, on the same decks, with rotated seats; with three and four players it sits alone
among copies of that one. *Ranks before it* is how often it ranks before the other; the 95 % interval comes from
resampling decks. One command plays it again, and goes on where it was stopped:

```sh
{program} --out runs/ladder
```"""


@dataclass(frozen=True)
class Arguments:
    """Play the ladder.

    Args:
        out: the folder; one of a tournament for every number of players is made in it.
        name: which ladder of eval/ladder.toml.
        players: only these numbers of players; all of the ladder if not given.
        jobs: processes; one for every core if not given.
        write: bring docs/ladder.md up to date.
    """

    out: Path
    name: str = "full"
    players: tuple[int, ...] = ()
    jobs: int = field(default_factory=available_cores)
    write: bool = False


@dataclass(frozen=True)
class Ladder:
    """A ladder of the plan.

    Attributes:
        name: its name there.
        board: the board.
        players: the numbers of players it is played with.
        agents: the rungs, from below.
        games: decks for every pair of rungs.
        seed: of the decks.
        game: the name of the game.
    """

    name: str
    board: str
    players: tuple[int, ...]
    agents: tuple[str, ...]
    games: int
    seed: int
    game: str = "thurn_und_taxis"

    def command(self, players: int, out: Path) -> list[str]:
        """The tournament for a number of players, as the arguments of its command line."""
        return [
            *("--format", "ladder", "--agents", *self.agents, "--players", str(players)),
            *("--games", str(self.games), "--seed", str(self.seed), "--game", self.game, "--board", self.board),
            *("--out", str(out / f"{self.name}-{players}")),
        ]


@dataclass(frozen=True)
class Rung:
    """One agent against the one below.

    Attributes:
        agent: the upper one.
        below: the lower one.
        share: how often the upper one ranks before the lower one.
        low: the lower end of its 95 % interval.
        high: the upper end.
        games: the games they played.
    """

    agent: str
    below: str
    share: float
    low: float
    high: float
    games: int

    @property
    def holds(self) -> bool:
        """Whether the order is beyond doubt."""
        return self.low > 0.5


def read_plan(path: Path = PLAN) -> dict[str, Ladder]:
    """All ladders by name; `ThurnError` if the file is damaged."""
    try:
        document = tomllib.loads(path.read_text("utf-8"))
        if document.pop("format") != FORMAT:
            raise ValueError(f"the format is not {FORMAT}")
        return {
            name: Ladder(
                name,
                str(entry["board"]),
                tuple(int(number) for number in entry["players"]),
                tuple(str(agent) for agent in entry["agents"]),
                int(entry["games"]),
                int(entry["seed"]),
                str(entry.get("game", "thurn_und_taxis")),
            )
            for name, entry in document.items()
        }
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise ThurnError(f"{path}: this is no plan of ladders: {error}") from None


def rungs(ladder: Ladder, results: dict[str, Any]) -> Iterator[Rung]:
    """Every rung of a finished tournament, from below."""
    for below, agent in zip(ladder.agents, ladder.agents[1:], strict=False):
        pair = results["pairs"][agent][below]
        low, high = pair["interval"]
        yield Rung(agent, below, pair["share"], low, high, pair["games"])


def rung_table(found: dict[int, list[Rung]]) -> Table:
    """All rungs for people."""
    table = Table(title="Every agent against the one below")
    for heading in ("players", "agent", "below", "games", "ranks before it", "95 % interval", "holds"):
        table.add_column(heading, overflow="fold", justify="left" if heading in ("agent", "below") else "right")
    for players, row in found.items():
        for rung in row:
            interval = f"{rung.low:.1%} to {rung.high:.1%}"
            verdict = "yes" if rung.holds else "no"
            table.add_row(
                str(players), rung.agent, rung.below, f"{rung.games:,}", f"{rung.share:.1%}", interval, verdict
            )
    return table


def digest_of_plan() -> str:
    """What `docs/ladder.md` names the plan by that it was made from."""
    return hashlib.sha256(PLAN.read_bytes()).hexdigest()[:16]


def page(ladder: Ladder, found: dict[int, list[Rung]], folders: dict[int, Folder]) -> str:
    """`docs/ladder.md`."""
    lines = [INTRODUCTION.format(program=PROGRAM, digest=digest_of_plan())]
    for players, row in found.items():
        folder = folders[players]
        description = folder.description()
        config, last = description["config"], description["runs"][-1]
        lines += [
            "",
            f"## {players} players",
            "",
            "| agent | below it | games | ranks before it | 95 % interval | seconds per decision |",
            "|---|---|---|---|---|---|",
        ]
        times = {entry["agent"]: entry["seconds_per_decision"] for entry in folder.results()["agents"]}
        for rung in reversed(row):
            seconds = times[rung.agent]
            lines.append(
                f"| `{rung.agent}` | `{rung.below}` | {rung.games:,} | {rung.share:.1%} "
                f"| {rung.low:.1%} to {rung.high:.1%} | {'' if seconds is None else f'{seconds:.3f}'} |"
            )
        versions = ", ".join(f"{name} {number}" for name, number in last["versions"].items())
        machine = f"{last['machine']}, {last['cores']} cores, load {last['load'][0]} at the start"
        lines += [
            "",
            f"{ladder.games:,} decks, seed {ladder.seed}; {config['board']} board {config['board digest'][:16]}, "
            f"engine `{config['engine']}`; {versions}; {machine}.",
        ]
    return "\n".join(lines) + "\n"


def run(command: list[str]) -> int:
    """Play, print, write."""
    arguments = call(Arguments, command, PROGRAM)
    plan = read_plan()
    if arguments.name not in plan:
        raise ThurnError(f"there is no ladder {arguments.name!r}; eval/ladder.toml has {', '.join(plan)}")
    ladder = plan[arguments.name]
    found: dict[int, list[Rung]] = {}
    folders: dict[int, Folder] = {}
    for players in arguments.players or ladder.players:
        code = tournament.run([*ladder.command(players, arguments.out), "--jobs", str(arguments.jobs)])
        if code:
            return code
        folders[players] = Folder.existing(arguments.out / f"{ladder.name}-{players}")
        found[players] = list(rungs(ladder, folders[players].results()))
    output_console().print(rung_table(found))
    if arguments.write:
        write_text(PAGE, page(ladder, found, folders))
    return 0 if all(rung.holds for row in found.values() for rung in row) else BROKEN


main = program(PROGRAM, run)


if __name__ == "__main__":
    sys.exit(main())
