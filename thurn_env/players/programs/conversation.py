"""One game of the protocol `thurn-agent/1`, from `game_start` to `game_end`."""

from __future__ import annotations

import time
from typing import Any

from thurn_env.engine.generator import derived_seed
from thurn_env.errors import IllegalAction
from thurn_env.games.contract import Rules
from thurn_env.players.programs.failure import Refused
from thurn_env.players.programs.messages import Message, encoded, line_of, read_message, written
from thurn_env.players.programs.process import Process
from thurn_env.players.programs.seen import Seen, full_view, legal_text, rules_text
from thurn_env.table.game import Game, View

MOST_POSITIONS = 4096
"""Number of positions that a request may hold: those sampled and those simulated."""
MOST_MESSAGES = 100_000
"""Number of messages of a program for one request."""
WRITING_SECONDS = 60.0
"""Seconds that a program without a time limit gets to take a message."""


class TimeControl:
    """Time limits of a game, in seconds; None for no limit."""

    def __init__(self, decision: float | None = None, start: float | None = None) -> None:
        self.decision = decision
        self.start = start


def milliseconds(seconds: float | None) -> int | None:
    """Return seconds as whole milliseconds, at least 1; None for no limit."""
    return None if seconds is None else max(1, round(1000 * seconds))


def deadline_in(seconds: float | None) -> float | None:
    """Return the time in `seconds`, as `time.monotonic` tells it; None for no limit."""
    return None if seconds is None else time.monotonic() + seconds


class Conversation:
    """One game with a running program.

    Args:
        process: the program, after the greeting.
        observation: whether it asked for observations.
        seat: its seat.
        rules: rules of the game.
        seed: seed of its randomness.
        times: time limits.

    Every method raises `ProgramFailed` if the program fails.
    """

    def __init__(
        self, process: Process, observation: bool, seat: int, rules: Rules, seed: int, times: TimeControl
    ) -> None:
        self._process = process
        self._observation = observation
        self._seat = seat
        self._rules = rules
        self._seed = seed
        self._times = times
        self._seen: Seen | None = None
        self._moves = 0
        self._request = 0

    def begin(self, view: View) -> None:
        """Start the game from a view, which may be in the middle of it, and wait until the program is ready."""
        game = view.game
        self._seen = Seen(view)
        self._moves = game.moves_played
        times = {"decision_ms": milliseconds(self._times.decision), "start_ms": milliseconds(self._times.start)}
        own = {"seat": self._seat, "start_player": game.start_player, "move": self._moves, "seed": str(self._seed)}
        deadline = deadline_in(self._times.start)
        self._send(
            f'{{"type":"game_start",{encoded(own)[1:-1]},{rules_text(self._rules)},"view":{self._seen.text},'
            f'"time":{encoded(times)}}}',
            deadline,
        )
        self._expect("ready", deadline)

    def saw(self, mover: int, action: int | None, view: View) -> None:
        """Tell a move: `action` is None if the seat may not know it; the view is that after the move."""
        if self._seen is None:
            return
        text = None if action is None else self._rules.action_texts[action]
        self._tell(view, mover, text)

    def _tell(self, view: View, mover: int | None, text: str | None) -> None:
        assert self._seen is not None
        moves, changes = view.game.moves_played, self._seen.update(view)
        self._moves = moves
        self._send(
            f'{{"type":"event","move":{moves},"seat":{encoded(mover)},"action":{encoded(text)},"changes":{changes}}}',
            deadline_in(self._times.decision or WRITING_SECONDS),
        )

    def choose(self, view: View) -> int | str:
        """Request an action and return it; samples and simulations are answered meanwhile."""
        deadline = deadline_in(self._times.decision)
        if self._seen is None:
            self.begin(view)
            deadline = deadline_in(self._times.decision)
        elif self._moves != view.game.moves_played:
            # Moves that nobody told: the place where this game is played tells none, or only some.
            self._tell(view, None, None)
        assert self._seen is not None
        self._request += 1
        observed = ""
        if self._observation:
            observed = f'"observation":{encoded(view.observation.tolist())},'
        self._send(
            f'{{"type":"request","request":{self._request},"view":{self._seen.text},"legal":{legal_text(view.game)},'
            f'{observed}"deadline_ms":{encoded(milliseconds(self._times.decision))}}}',
            deadline,
        )
        positions = Positions(view, self._request, self._seed)
        for _ in range(MOST_MESSAGES):
            message = self._read(deadline)
            if message["type"] not in ("action", "sample", "simulate"):
                raise Refused(f"{message['type']} is no answer to a request")
            if message["request"] != self._request:
                raise Refused(f"{message['type']} names request {message['request']}; the open one is {self._request}")
            if message["type"] == "action":
                action: int | str = message["action"]
                return action
            self._process.send(positions.answer(message), deadline)
        raise Refused(f"request {self._request} had more than {MOST_MESSAGES:,} messages")

    def end(self, game: Game | None, record: dict[str, Any] | None, reason: str | None) -> None:
        """Tell the end of the game, finished or broken off for a reason."""
        if self._seen is not None:
            # The scores of a game that is not over may depend on what is still hidden.
            scores, ranks = (game.scores, game.ranks) if game is not None and game.over else ([], [])
            self._process.send(
                written("game_end", scores=scores, ranks=ranks, record=record, reason=reason),
                deadline_in(self._times.decision or WRITING_SECONDS),
            )
        self._seen = None

    def _send(self, text: str, deadline: float | None) -> None:
        self._process.send(line_of(text), deadline)

    def _read(self, deadline: float | None) -> Message:
        return read_message(self._process.line(deadline))

    def _expect(self, kind: str, deadline: float | None) -> None:
        message = self._read(deadline)
        if message["type"] != kind:
            raise Refused(f"{message['type']} came instead of {kind}")


class Positions:
    """Positions that agree with what a seat knows, sampled and simulated for one request.

    Args:
        view: view of the seat.
        request: number of the request.
        seed: seed of the agent, which the samples depend on.
    """

    def __init__(self, view: View, request: int, seed: int) -> None:
        self._view = view.game
        self._seed = seed
        self._seat = view.seat
        self._request = request
        self._positions: list[Game] = []
        self._sampled = 0

    def answer(self, message: Message) -> bytes:
        """Return the answer to `sample` or `simulate`.

        Raises:
            Refused: there would be too many positions, or there is no such position.
        """
        return self._sample(message["count"]) if message["type"] == "sample" else self._simulate(message)

    def _keep(self, game: Game) -> int:
        if len(self._positions) == MOST_POSITIONS:
            raise Refused(f"request {self._request} has more than {MOST_POSITIONS:,} positions")
        self._positions.append(game)
        return len(self._positions) - 1

    def _sample(self, count: int) -> bytes:
        sampled = []
        for _ in range(count):
            # Neither the true cards nor those of the view play a part: a seed makes alike views equal.
            seed = derived_seed(self._seed, self._view.moves_played, self._sampled)
            game = self._view.redeal(self._seat, seed)
            self._sampled += 1
            sampled.append({"position": self._keep(game), "view": full_view(game)})
        return written("positions", request=self._request, positions=sampled)

    def _simulate(self, message: Message) -> bytes:
        number = message["position"]
        if number >= len(self._positions):
            raise Refused(f"simulate names position {number}; request {self._request} has {len(self._positions)}")
        game = self._positions[number].copy()
        for move, action in enumerate(message["actions"]):
            try:
                game.play(action)
            except IllegalAction as error:
                return written("illegal", request=self._request, move=move, reason=str(error))
        kept = self._keep(game)
        legal = [{"index": index, "text": game.rules.action_texts[index]} for index in game.legal_actions.tolist()]
        return written(
            "simulated",
            request=self._request,
            position=kept,
            seat=game.seat,
            over=game.over,
            scores=game.scores,
            ranks=game.ranks,
            view=full_view(game),
            legal=legal,
        )
