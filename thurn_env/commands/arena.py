"""`thurn arena`: keep a standing list of agents."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from tyro.conf import OmitArgPrefixes, OmitSubcommandPrefixes, Positional, arg, subcommand

from thurn_env.checks import checked_whole
from thurn_env.commands.arguments import INTERRUPTED, call, chosen_sandbox, program, ray_address
from thurn_env.commands.show import output_console
from thurn_env.commands.tournament import hide_secret
from thurn_env.games.options import parse_options
from thurn_env.tournament.arena.figures import figures_of
from thurn_env.tournament.arena.playing import USUAL_BUDGET, USUAL_GOAL, add_agents, play
from thurn_env.tournament.arena.settings import Wishes
from thurn_env.tournament.arena.store import Store
from thurn_env.tournament.arena.table import print_list
from thurn_env.tournament.results import MOST_RESAMPLES

PROGRAM = "thurn arena"


@dataclass(frozen=True)
class Add:
    """Add agents to the list, and start the list if the folder has none.

    The options are settings of the list: the first call sets them, later calls can omit them.

    Args:
        agents: the agents, for example: random greedy mcts:100 my_package.my_module:MyAgent.
        name: name of the agent on the list, if you add one; by default its spec.
        game: name of the game; by default thurn_und_taxis.
        players: number of seats at a table; by default 2.
        board: name of a shipped board, or path of a board file; by default the game's usual board.
        option: options of the game as name=value, see thurn info.
        seed: seed of all decks; by default 1.
        secret: text that all seeds depend on, so that no agent can compute the decks. By default, a list draws a secret
            and keeps it. The word none means no secret.
        time_limit: seconds per decision; an agent that takes longer loses by forfeit. By default no limit.
        sandbox: run exec agents under bubblewrap, with limits as in thurn tournament.
    """

    agents: Positional[tuple[str, ...]]
    name: str | None = None
    game: str | None = None
    players: int | None = None
    board: str | None = None
    option: tuple[str, ...] | None = None
    seed: int | None = None
    secret: str | None = None
    time_limit: float | None = None
    sandbox: tuple[str, ...] | None = None

    def run(self, folder: Path) -> int:
        """Add the agents."""
        if self.secret is not None:
            hide_secret(self.secret)
        options = None if self.option is None else parse_options(self.option)
        sandbox = chosen_sandbox(self.sandbox)
        wishes = Wishes(self.game, self.players, self.board, options, self.seed, self.secret, self.time_limit, sandbox)
        names = add_agents(folder, self.agents, self.name, wishes)
        print(f"{folder} has {', '.join(names)}; thurn arena {folder} play finds their places.")
        return 0


@dataclass(frozen=True)
class Retire:
    """Retire an agent: it keeps its games and its rating, and plays no further games.

    Args:
        agent: name of the agent on the list.
    """

    agent: Annotated[Positional[str], arg(metavar="NAME")]

    def run(self, folder: Path) -> int:
        """Retire the agent."""
        with Store(folder) as store:
            store.retire(self.agent)
        print(f"{self.agent} is retired.")
        return 0


@dataclass(frozen=True)
class Play:
    """Play games until the interval of every agent is narrow, or the budget is spent.

    Ctrl-C keeps all finished games. Run the command again to continue; several processes may play on one list.

    Args:
        budget: minutes to play; games under way are finished.
        interval: half the width of the 95 % interval of a rating that is narrow enough, in Elo points.
        jobs: number of worker processes; by default one per core. 0 plays in this process.
        ray: play on the Ray cluster at this address; without an address, start Ray on this machine.
    """

    budget: float = USUAL_BUDGET
    interval: float = USUAL_GOAL
    jobs: int | None = None
    ray: tuple[str, ...] | None = None

    def run(self, folder: Path) -> int:
        """Play the games."""
        ray = None if self.ray is None else ray_address(self.ray)
        try:
            report = play(folder, self.budget, self.interval, self.jobs, ray)
        except KeyboardInterrupt:
            print("\nstopped: all finished games are kept; run the same command again to continue", file=sys.stderr)
            return INTERRUPTED
        outcome = "the budget is spent" if report.over_budget else f"every interval is within ±{self.interval:g}"
        if report.alone:
            outcome = "fewer than two agents are left to play"
        print(f"{report.games:,} games played; {outcome}.")
        for name in report.unlinked:
            print(f"{name} is unconnected: no result links its rating with those of other agents.")
        return 0


@dataclass(frozen=True)
class Table:
    """Print the list.

    Args:
        json: print all figures as JSON instead.
        bootstrap: number of resamples of the decks for the intervals.
    """

    json: bool = False
    bootstrap: int = 1000

    def run(self, folder: Path) -> int:
        """Print the list."""
        checked_whole("bootstrap", self.bootstrap, 0, MOST_RESAMPLES)
        with Store(folder) as store:
            figures = figures_of(store, self.bootstrap)
        if self.json:
            print(json.dumps(figures, indent=2, ensure_ascii=False))
        else:
            print_list(figures, output_console())
        return 0


@dataclass(frozen=True)
class Html:
    """Write the list as a static site: the list, a page for every agent, and its last games.

    Args:
        out: folder of the site.
        last_games: number of last games of every agent to draw.
        bootstrap: number of resamples of the decks for the intervals.
    """

    out: Positional[Path]
    last_games: int = 5
    bootstrap: int = 1000

    def run(self, folder: Path) -> int:
        """Write the site."""
        from thurn_env.tournament.arena.site import write_site

        page = write_site(folder, self.out, self.last_games, self.bootstrap)
        print(f"The list is {page}; open it in a browser.")
        return 0


@dataclass(frozen=True)
class Arguments:
    """Keep a standing list of agents: every game ever played on shared decks, and one rating from all of them.

    Args:
        folder: folder of the list.
        action: the action to take.
    """

    folder: Annotated[Positional[Path], arg(metavar="FOLDER")]
    action: OmitSubcommandPrefixes[
        OmitArgPrefixes[
            Annotated[Add, subcommand("add")]
            | Annotated[Play, subcommand("play")]
            | Annotated[Table, subcommand("table")]
            | Annotated[Html, subcommand("html")]
            | Annotated[Retire, subcommand("retire")]
        ]
    ]


def run(command: list[str]) -> int:
    """Run an action on a list."""
    # Actions come after the folder, and so does their help.
    arguments = call(Arguments, command, PROGRAM if command[:1] in (["-h"], ["--help"]) else f"{PROGRAM} FOLDER")
    return arguments.action.run(arguments.folder)


main = program(PROGRAM, run)
