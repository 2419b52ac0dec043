"""Matches of two agents that end when they are decided.

The decks are played and counted in their order, each in all seatings, until `thurn_env.tournament.evidence` accepts a
claim. Games of later decks that worker processes have already played are dropped, so the result does not depend on the
number of processes. The folder is that of a tournament with these decks, and `match.json`: the test and its result.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from math import inf, log10
from pathlib import Path
from typing import Any

import numpy as np

from thurn_env.checks import MOST_GAMES, MOST_THREADS, checked_whole
from thurn_env.engine.cores import available_cores
from thurn_env.errors import ThurnError
from thurn_env.files import read_text, write_text
from thurn_env.games.contract import Rules
from thurn_env.players.programs.limits import Limits
from thurn_env.players.programs.sandbox import Sandbox
from thurn_env.progress import Progress
from thurn_env.tournament.config import Config
from thurn_env.tournament.evidence import Evidence, SequentialTest, Verdict, interval
from thurn_env.tournament.folder import DESCRIPTION, MATCH, Folder
from thurn_env.tournament.play import Played
from thurn_env.tournament.playing import check, circumstances, prepared, secret_for
from thurn_env.tournament.workers import require_loadable

FORMAT = "thurn-match/1"
CLAIMS = ("above", "below")
MOST_DECKS = 5000
"""Default of the largest number of decks."""


@dataclass(frozen=True)
class SequentialMatch:
    """Result of a match that ended when it was decided.

    Attributes:
        agent: name of the agent.
        against: name of the other agent.
        verdict: `"above"` or `"below"`, the accepted claim of the test, or `"undecided"`.
        test: claims and error rates.
        decks: number of decks.
        games: number of games.
        share: share of the games in which the agent ranks before the other one; a tie counts as half a game. After an
            early stop it lies on average too far from one half.
        low: lower bound of the 95 % confidence interval of the expected share, which allows for the stop.
        high: upper bound of the interval.
        ratios: log-likelihood ratios of the claims `above` and `below`.
        forfeits: number of forfeited games by agent and reason. They count as games of any other result.
    """

    agent: str
    against: str
    verdict: Verdict
    test: SequentialTest
    decks: int
    games: int
    share: float
    low: float
    high: float
    ratios: tuple[float, float]
    forfeits: Mapping[str, Mapping[str, int]]

    @property
    def elo(self) -> tuple[float, float, float]:
        """The share and the bounds of its interval as Elo differences."""
        return elo(self.share), elo(self.low), elo(self.high)

    def figures(self) -> dict[str, Any]:
        """Return the result for JSON; an infinite Elo difference is None."""
        rating, *bounds = (None if abs(value) == inf else value for value in self.elo)
        return {
            "agent": self.agent,
            "against": self.against,
            "verdict": self.verdict,
            "decks": self.decks,
            "games": self.games,
            "share": self.share,
            "interval": [self.low, self.high],
            "elo": rating,
            "elo_interval": bounds,
            "log_likelihood_ratios": dict(zip(CLAIMS, self.ratios, strict=True)),
            "needed": dict(zip(CLAIMS, self.test.needed, strict=True)),
            "forfeits": {name: dict(reasons) for name, reasons in self.forfeits.items()},
        }


def elo(share: float) -> float:
    """Return the Elo difference that a share of games corresponds to; infinite for 0 and 1."""
    if share in (0, 1):
        return inf if share else -inf
    return 400 * log10(share / (1 - share))


def sequential_match(
    agent: str,
    against: str,
    rules: Rules,
    test: SequentialTest | None = None,
    *,
    most_decks: int = MOST_DECKS,
    seed: int = 1,
    folder: str | Path | None = None,
    time_limit: float | None = None,
    secret: str | None = None,
    jobs: int | None = None,
    command: str = "",
    sandbox: bool | Limits | Sandbox | None = None,
) -> SequentialMatch:
    """Play an agent against another one until the match is decided.

    Every deck is played with the agent in each seat in turn; the other agent fills the remaining seats. With the same
    seed, these are the games of `evaluate`.

    Args:
        agent: spec of the agent.
        against: spec of the other agent.
        rules: game, board, options and number of players.
        test: claims and error rates; None for `SequentialTest()`: above 50 % or below 55 %, 5 % each.
        most_decks: number of decks after which the match ends undecided. A later call with the same folder may
            increase it: the error rates and the interval remain valid.
        seed: seed of the decks and of the agents.
        folder: folder for the games; if it already holds this match, the match continues. None keeps no games.
        time_limit: seconds per decision; an agent that takes longer loses by forfeit. None for no limit.
        secret: text that all seeds depend on, see `play_tournament`.
        jobs: number of worker processes; None for one per core. 0 plays in this process.
        command: command line to note in the folder.
        sandbox: sandbox for agents that are programs, see `play_tournament`.

    Returns:
        The verdict, the share of games in which the agent ranks before the other one, and its 95 % interval.

    Raises:
        AgentError: an agent does not exist or does not play this game.
        OptionError: a value is out of bounds.
        ThurnError: the folder holds another match or a tournament, or another process is playing into it.
        KeyboardInterrupt: the match was interrupted. All counted games are in the folder; the same call continues.
    """
    require_loadable(rules)
    config = Config(
        (against, agent),
        rules.players,
        checked_whole("most_decks", most_decks, 1, MOST_GAMES),
        seed,
        rules.name,
        rules.board_name,
        dict(rules.options),
        "ladder",
        time_limit=time_limit,
        secret=secret or "",
        sandbox=Sandbox.of(sandbox),
    )
    test = test or SequentialTest()
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="thurn-match-") as scratch:
            return _play_config(config, test, Path(scratch), secret, jobs, command)
    return _play_config(config, test, Path(folder), secret, jobs, command)


def _play_config(
    config: Config, test: SequentialTest, path: Path, secret: str | None, jobs: int | None, command: str
) -> SequentialMatch:
    workers = available_cores() if jobs is None else checked_whole("jobs", jobs, 0, MOST_THREADS)
    config = config.hiding(path)
    check(config)
    with Folder(path, config).locked():
        folder = Folder(path, replace(config, secret=secret_for(config, secret, path)))
        _claim(path, test)
        folder.open(circumstances(command, workers))
        tally = _play(folder, test, workers)
        match = tally.result()
        _describe(path, test, match)
        return match


def _claim(path: Path, test: SequentialTest) -> None:
    """Note the test in the folder before the first game: a test chosen after seeing games would not be valid.

    Raises:
        ThurnError: the folder holds a tournament or a match with another test.
    """
    file = path / MATCH
    if not file.exists():
        if (path / DESCRIPTION).exists():
            raise ThurnError(f"{path} holds a tournament, not a match; choose another folder")
        _describe(path, test, None)
        return
    try:
        there = json.loads(read_text(file))
        before = SequentialTest(**there["test"]) if there["format"] == FORMAT else None
    except (ValueError, KeyError, TypeError):
        before = None
    if before is None:
        raise ThurnError(f"{file} is damaged or of another version; delete the folder and play the match again")
    now = asdict(test)
    differences = [
        f"{name} {value} in the folder, {now[name]} now" for name, value in asdict(before).items() if value != now[name]
    ]
    if differences:
        raise ThurnError(
            f"{path} holds a match with another test: {'; '.join(differences)}. Choose another folder: a test must be "
            "fixed before its first game"
        )


def description(test: SequentialTest, match: SequentialMatch | None) -> dict[str, Any]:
    """Return the content of `match.json`: the test, and the result of a match that is over."""
    return {"format": FORMAT, "test": asdict(test), "result": match and match.figures()}


def _describe(path: Path, test: SequentialTest, match: SequentialMatch | None) -> None:
    write_text(path / MATCH, json.dumps(description(test, match), indent=2, ensure_ascii=False) + "\n")


class Tally:
    """The decks of a match in their order, up to the one that decides it.

    Attributes:
        decks: largest number of decks.
        evidence: evidence of the complete decks.
        games: number of games, including those of an incomplete deck.
    """

    def __init__(self, config: Config, test: SequentialTest) -> None:
        self.against, self.agent = config.names
        self.test, self.decks = test, config.decks
        self.evidence = Evidence()
        self.games = 0
        self._games_per_deck = config.schedule.games_per_deck(config.schedule.tables[0])
        self._shares: list[float] = []
        self._scores: list[float] = []
        self._variances: list[float] = []
        self._forfeits: dict[str, Counter[str]] = {}

    @property
    def over(self) -> bool:
        """Whether the match is decided or has played all of its decks."""
        return self.evidence.decks == self.decks or self.test.verdict(self.evidence) != "undecided"

    def count(self, lines: Iterable[dict[str, Any]]) -> int:
        """Count games, given by their lines of the index, until the match is over; return the number of these games."""
        before = self.games
        for line in lines:
            if self.over:
                break
            self._count(line)
        return self.games - before

    def _count(self, line: dict[str, Any]) -> None:
        self.games += 1
        self._shares.append(share_before(line["ranks"], line["agents"].index(self.agent)))
        if line["forfeit"] is not None:
            self._forfeits.setdefault(line["forfeit"]["agent"], Counter())[line["forfeit"]["reason"]] += 1
        if len(self._shares) == self._games_per_deck:
            score = sum(self._shares) / self._games_per_deck
            self._shares.clear()
            self._scores.append(score)
            self._variances.append(float(self.evidence.variance))
            self.evidence = self.test.after(self.evidence, score)

    @property
    def note(self) -> str:
        """The log-likelihood ratios and the values that they need, for the progress."""
        return ratio_texts(self.test, self._ratios)

    @property
    def _ratios(self) -> tuple[float, float]:
        return float(self.evidence.above), float(self.evidence.below)

    def result(self) -> SequentialMatch:
        """Return the result."""
        scores = np.array(self._scores)
        low, high = interval(scores, np.array(self._variances))
        return SequentialMatch(
            self.agent,
            self.against,
            self.test.verdict(self.evidence),
            self.test,
            self.evidence.decks,
            self.games,
            float(scores.mean()),
            low,
            high,
            self._ratios,
            {name: dict(reasons.most_common()) for name, reasons in self._forfeits.items()},
        )


def percent(share: float) -> str:
    """Format a bound in percent."""
    return f"{100 * share:.4g} %"


def ratio_texts(test: SequentialTest, ratios: tuple[float, float]) -> str:
    """Return both log-likelihood ratios and what they need: `above 50 %: 3.1 of 3.0, below 55 %: -2.5 of 3.0`."""
    claims = (f"above {percent(test.above)}", f"below {percent(test.below)}")
    return ", ".join(
        f"{claim}: {ratio:z.1f} of {needed:.1f}"
        for ratio, needed, claim in zip(ratios, test.needed, claims, strict=True)
    )


def share_before(ranks: Sequence[int], seat: int) -> float:
    """Return the share of the other seats that rank behind this one; a tie counts as half a seat."""
    others = [rank for other, rank in enumerate(ranks) if other != seat]
    return sum((ranks[seat] < rank) + 0.5 * (ranks[seat] == rank) for rank in others) / len(others)


def _play(folder: Folder, test: SequentialTest, jobs: int) -> Tally:
    """Play until the match is over, and store the games that count."""
    tally, done = Tally(folder.config, test), folder.cut_off(0)
    if done:
        tally.count(line for _, line in folder.index())
    if tally.over:
        return tally
    # The result of fewer decks is none of this match.
    _describe(folder.path, test, None)
    with (
        closing(prepared(folder, [done], jobs)) as results,
        Progress("match", tally.decks, "decks", tally.evidence.decks, at_most=True) as progress,
    ):
        for _, games in results:
            before = tally.evidence.decks
            folder.append(0, _counted(tally, games))
            progress.note = tally.note
            if tally.over:
                progress.finish_at(tally.evidence.decks)
                break
            progress.advance(tally.evidence.decks - before)
    return tally


def _counted(tally: Tally, games: list[Played]) -> list[Played]:
    """Count games, and return those that came before the end of the match."""
    return games[: tally.count(json.loads(game.line) for game in games)]
