"""Review of a recorded game: win probabilities, mistakes and accuracy, in passes of growing effort.

The first pass searches every decision briefly, the second one longer, and the third one spends the adviser's whole
budget on the decisions in which the played action may still be a mistake. Every step yields a `Review` of what is known
so far.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from queue import SimpleQueue
from typing import Any

from thurn_env.checks import MOST_THREADS, checked_whole
from thurn_env.engine.cores import available_cores
from thurn_env.errors import OptionError
from thurn_env.games.contract import GameRules
from thurn_env.players.advice import AHEAD, Advice, Adviser
from thurn_env.players.analysis import MoveAnalyst
from thurn_env.players.programs.sandbox import Sandbox
from thurn_env.table.game import Game
from thurn_env.table.record import Record
from thurn_env.table.replay import replay

__all__ = ["MoveReview", "PlayerReview", "Review", "Reviewer"]

MISTAKE, BLUNDER = 0.05, 0.15
"""Costs from which an action is a mistake, and a blunder."""
DOUBTFUL = MISTAKE / 2
"""Cost after the second pass from which an action may be a mistake."""
MARKS = {"blunder": "??", "mistake": "?"}
"""Marks of actions by kind."""
STEEPNESS = 4.5
"""How fast accuracy falls with the cost of an action; see `accuracy_of`."""
PASSES = (1 / 16, 1 / 4, 1.0)
"""Share of the adviser's budget for a decision in each pass."""
SCORED = 1 / 4
"""Share of the budget for the expected scores of a mistake: such a search is many times slower."""


def accuracy_of(cost: float) -> float:
    """Return the accuracy of an action from the win probability that it gave away: `100 * exp(-4.5 * cost)`."""
    return 100 * math.exp(-STEEPNESS * cost)


@dataclass(frozen=True)
class MoveReview:
    """Review of an action that its player chose among several.

    Attributes:
        seat: seat of the player.
        played: action that was played, as text.
        advice: the adviser's opinion, given only what the player knew.
        scores: expected final scores of the player after the recommended action and after the played one; None unless
            the action is a mistake or a blunder, and the last pass has reached it.
    """

    seat: int
    played: str
    advice: Advice
    scores: tuple[float, float] | None = None

    @property
    def cost(self) -> float | None:
        """Win probability that the action gave away, from 0 to 1; None if the adviser does not know."""
        return self.advice.cost(self.played)

    @property
    def kind(self) -> str:
        """`mistake` from a cost of 5 % on, `blunder` from 15 % on, else empty."""
        cost = self.cost or 0.0
        return "blunder" if cost >= BLUNDER else "mistake" if cost >= MISTAKE else ""

    @property
    def before(self) -> tuple[float, ...]:
        """Win probability of every seat if the player chooses the recommended action; empty if unknown."""
        return self._chances(self.advice.action)

    @property
    def after(self) -> tuple[float, ...]:
        """Win probability of every seat after the action that was played; empty if unknown."""
        return self._chances(self.played)

    @property
    def reason(self) -> str:
        """The adviser's opinion in words; for a mistake with expected scores and continuation."""
        parts = [self.advice.on(self.played)]
        if self.scores is not None:
            parts.append("Expected final score: {:.1f} instead of {:.1f}.".format(*self.scores))
        if self.kind and self.advice.analysis is not None and (then := self.advice.analysis.lines[0].best):
            parts.append(f"Expected continuation: {', '.join(then[:AHEAD])}.")
        return " ".join(parts)

    def _chances(self, action: str) -> tuple[float, ...]:
        lines = self.advice.analysis.lines if self.advice.analysis is not None else ()
        return next((line.chances for line in lines if line.action == action), ())

    def as_dict(self) -> dict[str, Any]:
        """Return the review as plain data."""
        return {
            "seat": self.seat,
            "played": self.played,
            "best": self.advice.action,
            "before": list(self.before),
            "after": list(self.after),
            "cost": self.cost,
            "kind": self.kind,
            "scores": None if self.scores is None else list(self.scores),
            "reason": self.reason,
        }


@dataclass(frozen=True)
class PlayerReview:
    """Review of a player's actions.

    Attributes:
        decisions: number of decisions reviewed.
        agreed: how many times the player chose the recommended action.
        accuracy: mean of `accuracy_of` over the decisions whose cost is known; None if there are none.
        mistakes, blunders: numbers of mistakes and of blunders.
    """

    decisions: int
    agreed: int
    accuracy: float | None
    mistakes: int
    blunders: int


@dataclass(frozen=True)
class Review:
    """Review of a game, complete or partial.

    Attributes:
        adviser: name of the adviser.
        players: number of players.
        moves: review of every move; None for a forced move, and for a move not reviewed yet.
        reached: number of moves that the first pass has reached; it goes through the game in order, and a decision
            reaches the forced moves after it too.
        result: win probability of every seat after the last move, 0 or 1 or the share of a tie; empty if the game is
            unfinished.
        stage, stages: number of the current pass from 1, and number of passes.
        done, of: number of decisions reviewed in the current pass, and its number of decisions.
    """

    adviser: str
    players: int
    moves: tuple[MoveReview | None, ...]
    reached: int
    result: tuple[float, ...]
    stage: int
    stages: int
    done: int
    of: int

    @property
    def complete(self) -> bool:
        """Whether the last pass is over."""
        return self.stage == self.stages and self.done == self.of

    def chances(self) -> list[tuple[float, ...]]:
        """Return the win probability of every seat at all positions that were reached; empty where it is unknown.

        At a decision it is `MoveReview.before`. Before a forced move it is that after the preceding move.
        """
        found: list[tuple[float, ...]] = []
        last: tuple[float, ...] = ()
        for move in self.moves[: self.reached]:
            found.append(move.before if move is not None else last)
            last = move.after if move is not None else last
        if self.reached == len(self.moves):
            found.append(self.result or last)
        return found

    def player(self, seat: int) -> PlayerReview:
        """Return the review of a player."""
        own = [move for move in self.moves if move is not None and move.seat == seat]
        known = [accuracy_of(move.cost) for move in own if move.cost is not None]
        return PlayerReview(
            decisions=len(own),
            agreed=sum(move.played == move.advice.action for move in own),
            accuracy=sum(known) / len(known) if known else None,
            mistakes=sum(move.kind == "mistake" for move in own),
            blunders=sum(move.kind == "blunder" for move in own),
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the review as plain data."""
        return {
            "adviser": self.adviser,
            "complete": self.complete,
            "moves": [None if move is None else move.as_dict() for move in self.moves],
            "chances": [list(chances) for chances in self.chances()],
            "players": [vars(self.player(seat)) for seat in range(self.players)],
        }


class Reviewer:
    """A reviewer of games with these rules.

    Args:
        rules: rules of the games.
        spec: spec of the agent that advises; None for the default adviser.
        sandbox: sandbox for an adviser that is a program of its own; None for none.
        threads: number of decisions searched at the same time; None for all available cores. The result does not
            depend on it. Only an adviser that is a `MoveAnalyst` is used in several threads, and in several passes.
        name: name of the adviser in the review; None for the agent's own.

    Raises:
        AgentError: there is no agent with this spec.
        OptionError: the number of threads is no whole number from 1 up.
    """

    def __init__(
        self,
        rules: GameRules,
        spec: str | None = None,
        sandbox: Sandbox | None = None,
        threads: int | None = None,
        name: str | None = None,
    ) -> None:
        number = available_cores() if threads is None else checked_whole("threads", threads, 1, MOST_THREADS)
        first = Adviser(rules, spec, sandbox, name)
        self.name = first.name
        self._in_passes = isinstance(first.agent, MoveAnalyst)
        further = number - 1 if self._in_passes else 0
        self._advisers = [first, *(Adviser(rules, spec, sandbox, name) for _ in range(further))]

    def review(self, record: Record) -> Iterator[Review]:
        """Yield the review at the beginning of every pass and after every decision; only the last one is complete.

        The same record and adviser give the same reviews in the same order, unless the adviser's budget is a time.

        Raises:
            OptionError: the record is of another game, board, number of players or options than the reviewer.
            RecordError: the record is invalid, see `thurn_env.table.replay`.
        """
        own, played = (
            (rules.name, rules.players, rules.board_digest, rules.options)
            for rules in (self._advisers[0].rules, record.rules)
        )
        if own != played:
            raise OptionError("the record is of another table than the reviewer; make it with record.rules")
        games = list(replay(record))
        decisions = [number for number in range(len(record.moves)) if len(games[number].legal) > 1]
        passes = PASSES if self._in_passes else (1.0,)
        # A decision reaches the forced moves after it too, so that the review is complete with the last decision.
        reached = [*decisions, len(record.moves)]
        known = Review(
            self.name,
            record.players,
            moves=(None,) * len(record.moves),
            reached=reached[0],
            result=_result(games[-1]),
            stage=0,
            stages=len(passes),
            done=0,
            of=0,
        )
        for stage, effort in enumerate(passes, start=1):
            if stage == len(PASSES):
                decisions = [number for number in decisions if _doubtful(known.moves[number])]
            known = replace(known, stage=stage, done=0, of=len(decisions))
            yield known

            def reviewed(number: int, adviser: Adviser, effort: float = effort) -> MoveReview:
                return _reviewed(adviser, games[number], record.moves[number], effort)

            with self._results(reviewed, decisions) as results:
                for number, move in zip(decisions, results, strict=True):
                    moves = (*known.moves[:number], move, *known.moves[number + 1 :])
                    done = known.done + 1
                    known = replace(known, moves=moves, done=done, reached=max(known.reached, reached[done]))
                    yield known

    @contextmanager
    def _results(
        self, reviewed: Callable[[int, Adviser], MoveReview], decisions: Sequence[int]
    ) -> Iterator[Iterator[MoveReview]]:
        """Review decisions in threads, each with an adviser; the results come in the order of the decisions."""
        free: SimpleQueue[Adviser] = SimpleQueue()
        for adviser in self._advisers:
            free.put(adviser)

        def work(number: int) -> MoveReview:
            adviser = free.get()
            try:
                return reviewed(number, adviser)
            finally:
                free.put(adviser)

        with ThreadPoolExecutor(len(self._advisers)) as pool:
            try:
                yield pool.map(work, decisions)
            finally:
                pool.shutdown(wait=True, cancel_futures=True)


def _reviewed(adviser: Adviser, game: Game, played: str, effort: float) -> MoveReview:
    """Review an action with a share of the adviser's budget."""
    move = MoveReview(game.seat, played, adviser.on_move(game.view(), played, effort))
    if effort < 1.0 or not move.kind or not isinstance(adviser.agent, MoveAnalyst):
        return move
    scored = adviser.on_move(game.view(), played, SCORED, scored=True)
    assert scored.analysis is not None
    scores = {line.action: line.score for line in scored.analysis.lines}
    best = scores.get(move.advice.action)
    return move if best is None or played not in scores else replace(move, scores=(best, scores[played]))


def _doubtful(move: MoveReview | None) -> bool:
    """Return whether an action may be a mistake after a shorter search."""
    return move is not None and (move.cost or 0.0) >= DOUBTFUL


def _result(game: Game) -> tuple[float, ...]:
    """Return the win probabilities after the last move of a game; empty if it is unfinished."""
    if not game.over:
        return ()
    winners = game.ranks.count(1)
    return tuple(1 / winners if rank == 1 else 0.0 for rank in game.ranks)
