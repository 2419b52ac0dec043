"""Add agents to a standing list, and play games until every interval is narrow or the time is over.

Games end up in the store as soon as they finish. Whatever stops a process, the next one plays the games that were under
way; they have the same seeds, so they are the same games. Several processes may play on one list.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from math import inf
from pathlib import Path
from typing import NamedTuple

from thurn_env.checks import MOST_THREADS, checked_number, checked_whole
from thurn_env.engine.cores import available_cores
from thurn_env.engine.library_threads import one_thread
from thurn_env.errors import ThurnError
from thurn_env.players.agent import is_program
from thurn_env.players.programs.program import Program
from thurn_env.progress import Progress
from thurn_env.tournament.arena.choice import Choice
from thurn_env.tournament.arena.claims import Claims, Unit
from thurn_env.tournament.arena.figures import resampled_half_widths
from thurn_env.tournament.arena.identity import Identity, identity_of
from thurn_env.tournament.arena.levels import Meetings
from thurn_env.tournament.arena.settings import Settings, Table, Wishes
from thurn_env.tournament.arena.store import FILE, EmptyStore, Entry, Lineup, Store
from thurn_env.tournament.play import (
    SCRIPTED_CHUNK,
    Played,
    Task,
    check_agents,
    forget_agents,
    lost_game,
    play_chunk,
    warm_up,
)
from thurn_env.tournament.referee import made
from thurn_env.tournament.workers import Crew

USUAL_BUDGET = 60.0
"""Default budget in minutes."""
LONGEST_BUDGET = 1_000_000
"""Largest budget in minutes: about two years."""
USUAL_GOAL = 30.0
"""Default of half the width of a narrow interval, in Elo points."""
CHECK_RESAMPLES = 400
"""Resamples for the check that intervals are narrow."""
WAIT_SECONDS = 0.2
"""Seconds between two looks at games that another process plays."""


class Report(NamedTuple):
    """What a run achieved.

    Attributes:
        games: number of games that it played.
        over_budget: whether the time was over before all intervals were narrow.
        unlinked: names of agents whose rating no result links with that of another agent after many games.
        alone: whether all agents but one were retired meanwhile.
    """

    games: int
    over_budget: bool
    unlinked: list[str]
    alone: bool = False


def add_agents(folder: Path, specs: Sequence[str], name: str | None = None, wishes: Wishes | None = None) -> list[str]:
    """Add agents to a list, and start the list if there is none.

    Args:
        folder: folder of the list.
        specs: specs of the agents.
        name: name of the agent on the list, if there is one spec; None takes the spec.
        wishes: settings of a new list; those of an existing list must agree.

    Returns:
        The names of the agents.

    Raises:
        ThurnError: an agent does not exist or does not play the game, a name is taken, or the settings contradict.
    """
    if not specs:
        raise ThurnError(f"name the agents to add, for example: thurn arena {folder} add random greedy")
    if name is not None and len(specs) > 1:
        raise ThurnError(f"--name is for one agent, not {len(specs)}; add them one after the other")
    if name is not None and not name.isprintable():
        raise ThurnError("--name must be a text of printable characters")
    wishes = wishes or Wishes()
    if (folder / FILE).exists() and (there := _existing(folder)) is not None:
        settings = there
        wishes.require(settings)
        settings.check()
    else:
        settings = wishes.settings()
    names = [name] if name is not None else list(specs)
    if len(set(names)) < len(names):
        twice = next(one for one in names if names.count(one) > 1)
        raise ThurnError(f"the agent {twice!r} is named twice; add it a second time under another name with --name")
    table = settings.table(names, specs, folder)
    check_agents(table)
    identities = [_introduced(spec, table) for spec in specs]
    with Store.started(folder, settings) as store:
        # Another process may have started the list in the meantime.
        wishes.require(store.settings)
        store.add(list(zip(names, specs, identities, strict=True)))
    return names


def _introduced(spec: str, table: Table) -> Identity:
    """Return version and digest of an agent; the version of a program is what it calls itself."""
    identity = identity_of(spec, table.rules)
    if not is_program(spec):
        return identity
    program = made(spec, table.rules.bots, table.time_limit, table.rules, table.sandbox)
    assert isinstance(program, Program)
    with closing(program):
        return identity._replace(version=program.title)


def _existing(folder: Path) -> Settings | None:
    """Return the settings of a list; None if its database has no tables yet."""
    try:
        with Store(folder) as store:
            return store.settings
    except EmptyStore:
        return None


def play(
    folder: Path,
    budget: float = USUAL_BUDGET,
    goal: float = USUAL_GOAL,
    jobs: int | None = None,
    ray: str | None = None,
) -> Report:
    """Play games on a list until the interval of every agent is narrow, or the budget is spent.

    Args:
        folder: folder of the list.
        budget: minutes; games under way are finished.
        goal: half the width of an interval that is narrow enough, in Elo points.
        jobs: number of worker processes; None for one per core. 0 plays in this process.
        ray: address of a Ray cluster; "" starts Ray on this machine; None plays without Ray.

    Raises:
        ThurnError: there is no list, an agent has changed since it was added, or fewer than two agents play.
        KeyboardInterrupt: the run was interrupted; all finished games are stored.
    """
    until = time.monotonic() + 60 * checked_number("budget", budget, 0, LONGEST_BUDGET, above=True)
    checked_number("interval", goal, 0, 1_000_000, above=True)
    workers = available_cores() if jobs is None else checked_whole("jobs", jobs, 0, MOST_THREADS)
    with Store(folder) as store:
        entries = ready_entries(store)
        with Claims(store) as claims:
            return Run(store, claims, entries, until, goal, workers, ray).play()


def ready_entries(store: Store) -> list[Entry]:
    """Return the agents that play; raise `ThurnError` if one cannot be made, or has changed since it was added."""
    settings = store.settings
    settings.check()
    entries = [entry for entry in store.entries() if entry.retired is None]
    if len(entries) < 2:
        count = "one agent" if entries else "no agent"
        raise ThurnError(f"{store.folder} has {count} to play; add at least two, for example random and greedy")
    table = settings.table([entry.name for entry in entries], [entry.spec for entry in entries], store.folder)
    check_agents(table)
    for entry in entries:
        found = identity_of(entry.spec, table.rules)
        if not entry.identity.same(found, settings.game):
            raise ThurnError(
                f"the agent {entry.name!r} has changed since it was added: its digest was "
                f"{entry.identity.digest} and is {found.digest}; retire it, and add it again under another name "
                "with --name"
            )
    return entries


class Run:
    """One run of a process on a list."""

    def __init__(
        self,
        store: Store,
        claims: Claims,
        entries: Sequence[Entry],
        until: float,
        goal: float,
        jobs: int,
        ray: str | None,
    ) -> None:
        self._store, self._claims = store, claims
        self._settings = store.settings
        self._entries = {entry.id: entry for entry in entries}
        self._until, self._jobs, self._ray = until, jobs, ray
        bots = self._table(()).rules.bots
        scripted = frozenset(entry.id for entry in entries if entry.spec in bots)
        self._choice = Choice(self._settings.players, list(self._entries), scripted, goal)
        self._meetings = Meetings()
        self._given_out: deque[Unit] = deque()
        self._left: Counter[tuple[Lineup, int]] = Counter()
        self._played = 0
        self._progress: Progress

    def play(self) -> Report:
        """Play until all intervals are narrow, or the time is over."""
        forget_agents()
        self._read()
        with ExitStack() as stack:
            self._progress = stack.enter_context(Progress("arena", 0))
            if self._in_process:
                stack.enter_context(one_thread())
                crew = None
            else:
                crew = stack.enter_context(Crew(self._jobs))
            if self._ray is None:
                self._compile()
            finished = False
            while not self._time_is_over:
                # Also those of a process that was killed in the meantime, even if nothing more is wanted.
                units = self._claims.take_unfinished(set(self._entries))
                if finished and not units:
                    break
                before = self._played
                with closing(self._results(self._tasks(units), crew)) as results:
                    for games in results:
                        self._save(self._given_out.popleft(), games)
                self._read()
                finished = self._finished(stood_still=self._played == before)
        alone = len(self._entries) < 2
        return Report(self._played, not alone and bool(self._wide()), self._unlinked(), alone)

    @property
    def _time_is_over(self) -> bool:
        return time.monotonic() >= self._until

    @property
    def _in_process(self) -> bool:
        """Whether games are played in this process, which no agent can end."""
        only_bots = self._choice.scripted.issuperset(self._entries)
        return self._ray is None and (self._jobs <= 0 or (self._jobs == 1 and only_bots))

    def _table(self, agents: Iterable[int]) -> Table:
        """Return the configuration of games between agents; without agents, one to look up the rules."""
        entries = [self._entries[agent] for agent in agents] or list(self._entries.values())
        names, specs = [entry.name for entry in entries], [entry.spec for entry in entries]
        return self._settings.table(names, specs, self._store.folder)

    def _compile(self) -> None:
        """Compile missing kernels once, before several processes would compile them at the same time."""
        table = self._table(())
        for first in range(len(self._entries)):
            warm_up(table, tuple((first + seat) % len(self._entries) for seat in range(self._settings.players)))

    def _tasks(self, units: Sequence[Unit]) -> Iterator[Task]:
        """Yield tasks; claim more games whenever all claimed ones are given out."""
        for unit in units:
            yield from self._tasks_of(unit)
        while not self._time_is_over:
            self._read()
            if len(self._entries) < 2:
                return
            self._show()
            claimed, _ = self._claims.under_way()
            wanted = self._choice.next(self._meetings, claimed, 2 * max(1, self._jobs))
            if not wanted:
                return
            for wish in wanted:
                if self._time_is_over:
                    return
                yield from self._tasks_of(self._claims.take(wish))

    def _tasks_of(self, unit: Unit) -> Iterator[Task]:
        config = self._table(dict.fromkeys(unit.lineup))
        self._left.update((unit.lineup, slot.deck) for slot, _ in unit.games)
        self._progress.expect(max(self._progress.total, self._progress.done + sum(self._left.values())))
        # Only games of scripted bots cannot fail, so others are tasks of their own.
        size = SCRIPTED_CHUNK if self._choice.scripted.issuperset(unit.lineup) else 1
        for first in range(0, len(unit.games), size):
            part = unit.games[first : first + size]
            self._given_out.append(Unit(unit.lineup, part))
            yield config, tuple(slot for slot, _ in part)

    def _results(self, tasks: Iterator[Task], crew: Crew | None) -> Generator[list[Played], None, None]:
        """Yield the games of the tasks, in order."""
        if self._ray is not None:
            from thurn_env.tournament.rays import in_order

            yield from in_order(tasks, self._jobs, self._ray, lambda facts: None)
        elif crew is None:
            yield from (play_chunk(*task) for task in tasks)
        else:
            yield from crew.in_order(play_chunk, tasks, lost_game)

    def _save(self, unit: Unit, games: Sequence[Played]) -> None:
        """Store the games of a task."""
        stored = [(slot, seats, played) for (slot, seats), played in zip(unit.games, games, strict=True)]
        self._store.save(unit.lineup, stored)
        self._left.subtract((unit.lineup, slot.deck) for slot, _ in unit.games)
        decks = {slot.deck for slot, _ in unit.games}
        self._claims.give_back(unit.lineup, {deck for deck in decks if not self._left[unit.lineup, deck]})
        self._played += len(games)
        self._progress.advance(len(games))

    def _read(self) -> None:
        """Read the games that were stored since the last time, also those of other processes, and who was retired."""
        self._meetings.add(self._store.outcomes(self._meetings.last))
        for entry in self._store.entries():
            if entry.retired is not None:
                self._entries.pop(entry.id, None)
        self._choice.active = list(self._entries)

    def _widths(self) -> dict[int, float]:
        """Return the half width of every agent's interval; infinite without a result that links it with another."""
        if not self._meetings.decks:
            return dict.fromkeys(self._entries, inf)
        levels = self._meetings.levels()
        covariance = levels.covariance()
        return {
            agent: self._choice.width(agent, levels, covariance) if agent in levels.place else inf
            for agent in self._entries
        }

    def _wide(self) -> list[int]:
        """Return the agents whose intervals are not narrow yet, without those that more games do not help."""
        unlinked = set(self._given_up())
        return [a for a, width in self._widths().items() if width > self._choice.goal and a not in unlinked]

    def _given_up(self) -> list[int]:
        if not self._meetings.decks:
            return []
        levels = self._meetings.levels()
        return [a for a in self._entries if a in levels.place and self._choice.given_up(a, self._meetings, levels)]

    def _unlinked(self) -> list[str]:
        return [self._entries[agent].name for agent in self._given_up()]

    def _finished(self, *, stood_still: bool) -> bool:
        """Return whether there is nothing left to play; wait a moment for games of other processes."""
        _, others = self._claims.under_way()
        if others:
            if stood_still:
                time.sleep(WAIT_SECONDS)
            return False
        if stood_still:
            return True
        if not self._wide():
            # Resampled intervals, which are published, may be wider.
            halves = resampled_half_widths(self._store, CHECK_RESAMPLES)
            self._choice.width_factors = {}
            widths = self._widths()
            self._choice.width_factors = {
                agent: half / widths[agent] for agent, half in halves.items() if half and agent in widths
            }
        return not self._wide()

    def _show(self) -> None:
        """Show the widest interval, and the number of games that narrow intervals probably take."""
        widths = {agent: width for agent, width in self._widths().items() if width < inf}
        if not widths:
            return
        widest = max(widths, key=lambda agent: widths[agent])
        games = sum(count for (seats, _), count in self._meetings.results.items() if widest in seats)
        more = games * max(0.0, (widths[widest] / self._choice.goal) ** 2 - 1)
        self._progress.expect(self._progress.done + max(round(more), sum(self._left.values())))
        self._progress.name(f"arena, widest interval ±{widths[widest]:.0f}")
