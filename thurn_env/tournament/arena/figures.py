"""Ratings, intervals and all other figures of a list, computed as for a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from thurn_env.errors import ThurnError
from thurn_env.games import make_rules
from thurn_env.table.style import combined
from thurn_env.table.style import figures_of as style_figures
from thurn_env.tournament.arena.levels import Meetings
from thurn_env.tournament.arena.settings import Settings
from thurn_env.tournament.arena.store import Entry, Game, Store
from thurn_env.tournament.intervals import resampled
from thurn_env.tournament.outcomes import Outcomes
from thurn_env.tournament.pairs import pair_shares
from thurn_env.tournament.ratings import STRANGERS, Comparisons, elo_ratings
from thurn_env.tournament.results import agent_rows
from thurn_env.tournament.style import KEY as STYLE
from thurn_env.tournament.style import Styles

FORMAT = "thurn-arena/1"


def figures_of(store: Store, bootstrap: int = 1000) -> dict[str, Any]:
    """Return all figures of a list.

    Args:
        store: the list.
        bootstrap: number of resamples of the decks for the 95 % intervals.

    Returns:
        `format`, the settings without the secret, `games`, `decks`, `bootstrap`, `agents` (best first, with the keys of
        a tournament's agents and `id`, `spec`, `version`, `digest`, `added`, `retired`, `linked`), `style_figures` and
        `pairs` as for a tournament, `unconnected`: groups of agents that no result links with the largest group, which
        has `linked`, and `waiting`: the agents without games.
    """
    settings, entries, games = store.settings, store.entries(), store.games()
    played = {agent for game in games for agent in game.seats}
    rated = [entry for entry in entries if entry.id in played]
    outcomes = outcomes_of(rated, games)
    styles = styles_of(settings, rated, games)
    rows: list[dict[str, Any]] = []
    pairs: dict[str, dict[str, dict[str, Any]]] = {}
    if games:
        samples = resampled(outcomes.decks, bootstrap, settings.seed)
        rows = agent_rows(
            outcomes, samples, [game.times for game in games if game.times is not None], styles, STRANGERS
        )
        pairs = pair_shares(outcomes, samples)
    known = {entry.name: entry for entry in entries}
    main, *others = _groups(store) or [[]]
    names = {entry.id: entry.name for entry in entries}
    return {
        "format": FORMAT,
        "game": settings.game,
        "players": settings.players,
        "board": settings.board,
        "options": settings.options,
        "time_limit": settings.time_limit,
        "engine": settings.engine,
        "games": len(games),
        "decks": outcomes.decks,
        "bootstrap": bootstrap,
        "agents": [_facts(known[row["agent"]]) | row | {"linked": known[row["agent"]].id in main} for row in rows],
        "style_figures": None if styles.figures is None else [asdict(figure) for figure in styles.figures],
        "pairs": pairs,
        "unconnected": [[names[agent] for agent in group] for group in others],
        "waiting": [_facts(entry) for entry in entries if entry.id not in played],
    }


def _facts(entry: Entry) -> dict[str, Any]:
    return {
        "agent": entry.name,
        "id": entry.id,
        "spec": entry.spec,
        "version": entry.identity.version,
        "digest": entry.identity.digest,
        "added": entry.added,
        "retired": entry.retired,
    }


def _groups(store: Store) -> list[list[int]]:
    """Return the groups of agents that results link with each other, the largest first."""
    meetings = Meetings()
    meetings.add(store.outcomes())
    if not meetings.decks:
        return []
    levels = meetings.levels()
    groups = {tuple(np.flatnonzero(row).tolist()) for row in levels.linked}
    return [
        [levels.agents[place] for place in group] for group in sorted(groups, key=lambda group: (-len(group), group))
    ]


def styles_of(settings: Settings, entries: Sequence[Entry], games: Sequence[Game]) -> Styles:
    """Return the style figures of agents; unknown if the board of the list is not available."""
    try:
        declared = style_figures(make_rules(settings.game, settings.players, settings.board, **settings.options))
    except ThurnError:
        return Styles(None, [{} for _ in entries])
    counts: dict[int, list[dict[str, int]]] = {entry.id: [] for entry in entries}
    for game in games:
        # A game with a forfeit has no counts.
        for agent, count in zip(game.seats, game.facts.get(STYLE) or (), strict=False):
            counts[agent].append(count)
    return Styles(declared, [combined(declared, counts[entry.id]) for entry in entries])


def outcomes_of(entries: Sequence[Entry], games: Sequence[Game]) -> Outcomes:
    """Return games as arrays; decks that were played are numbered from 0."""
    place = {entry.id: number for number, entry in enumerate(entries)}
    decks = {deck: number for number, deck in enumerate(sorted({game.facts["deck"] for game in games}))}
    lines = [game.facts for game in games]
    ranks = np.array([line["ranks"] for line in lines], np.float64)
    first = ranks == 1
    return Outcomes(
        tuple(entry.name for entry in entries),
        len(decks),
        np.array([decks[line["deck"]] for line in lines], np.int64),
        np.array([[place[agent] for agent in game.seats] for game in games], np.int64),
        np.array([line["start_player"] for line in lines], np.int64),
        ranks,
        first / first.sum(axis=1, keepdims=True) if games else first,
        np.array([line["forfeit"] is None for line in lines], np.bool_),
        lines,
    )


def resampled_half_widths(store: Store, bootstrap: int) -> dict[int, float | None]:
    """Return half the width of every rating's resampled interval in Elo points; None where there is none."""
    outcomes = store.outcomes()
    agents = sorted({agent for outcome in outcomes for agent in outcome.seats})
    place = {agent: number for number, agent in enumerate(agents)}
    decks = {deck: number for number, deck in enumerate(sorted({outcome.deck for outcome in outcomes}))}
    games = ((decks[one.deck], [place[agent] for agent in one.seats], one.ranks) for one in outcomes)
    comparisons = Comparisons.of(len(agents), len(decks), games, STRANGERS)
    _, bounds = elo_ratings(comparisons, resampled(len(decks), bootstrap, store.settings.seed))
    halves = [None if bound is None else (bound[1] - bound[0]) / 2 for bound in bounds]
    return dict(zip(agents, halves, strict=True))
