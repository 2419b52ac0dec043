"""Games and agents on offer. A request can only choose from the menu; it never names files or modules."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from thurn_env.checks import checked_seed, whole
from thurn_env.errors import AgentError, ThurnError, sentence
from thurn_env.games import make_rules, registered_games
from thurn_env.games.board_files import BoardFacts, as_name
from thurn_env.games.board_tables import BoardError
from thurn_env.games.contract import GameRules, Rules, WithBots
from thurn_env.players.agent import Agent, make_agent, plugin_agents
from thurn_env.players.guided import GuidedSearch
from thurn_env.players.policy import find, load
from thurn_env.players.policy_agent import PolicyAgent
from thurn_env.players.programs.sandbox import Sandbox
from thurn_env.players.session import HUMAN, Session
from thurn_env.serve.explanations import in_plain_words
from thurn_env.serve.public_names import public_name, unique
from thurn_env.serve.refusal import Refusal, logged
from thurn_env.serve.strengths import models, strength_of, strength_of_bot
from thurn_env.table.game import Game

PLAYERS = 2
"""Number of players for facts that do not depend on it."""
NOT_PLAYING = "an agent cannot play at this table; the terminal of the server shows the reason"
SEARCHER = "mcts:1000"
"""The agent on offer besides the scripted bots."""


@dataclass(frozen=True)
class Order:
    """A requested table.

    Attributes:
        rules: rules of the game; a board from a file is called by the name of the file without its folder.
        compiled: the same rules for the compiler, which needs the path of a board's file; no page may show it.
        names: names of the players by seat, as on the menu.
        specs: specs of the agents by seat, `HUMAN` for a person. No page may show them, see `public_name`.
        seed: seed of cards and agents.
        asked: the request that gives the same order again. It has the seed, so no page may show it.
        sandbox: sandbox for agents that are programs of their own; None for none.

    Raises:
        AgentError: an agent or its policy does not exist.
        BoardError: a board fits no game.
    """

    rules: GameRules
    compiled: GameRules
    names: tuple[str, ...]
    specs: tuple[str, ...]
    seed: int
    asked: dict[str, Any]
    sandbox: Sandbox | None = None

    @property
    def stand_in(self) -> str:
        """The game's best scripted bot, which plays in place of people who left and of agents that failed."""
        return self.rules.bots[-1]

    def try_agents(self, made: list[Agent]) -> None:
        """Let every agent choose once in a separate game, so that failures show before the game begins.

        Args:
            made: gets every agent before it chooses, so that the caller can dismiss one that never does.

        Raises:
            ThurnError: an agent does not play this game.
        """
        trial = Game.from_rules(self.rules)
        with self._discreet():
            for spec in set(self.specs) - {HUMAN}:
                agent = make_agent(spec, self.rules.bots, self.sandbox)
                made.append(agent)
                agent.reset(trial.seat, self.rules, 0)
                agent.act(trial.view())

    def deal(self) -> tuple[Game, list[Agent | None]]:
        """Return the game and the agents by seat, None for a person."""
        agents = [None if spec == HUMAN else make_agent(spec, self.rules.bots, self.sandbox) for spec in self.specs]
        return Game.from_rules(self.rules, self.seed), agents

    def session(self) -> Session:
        """Begin the game.

        Raises:
            ThurnError: an agent does not play this game.
        """
        with self._discreet():
            return Session(*self.deal())

    @contextmanager
    def _discreet(self) -> Iterator[None]:
        """Log an error of an agent, and hide it from visitors, if it may contain more than the name on the menu."""
        try:
            yield
        except Exception as error:  # an agent may raise anything
            if isinstance(error, ThurnError) and self.names == self.specs:
                raise
            logged(error, "an agent cannot play")
            raise AgentError(NOT_PLAYING) from None


def _can_be_made(name: str) -> bool:
    try:
        make_agent(name, ())
    except AgentError:
        return False
    return True


@dataclass(frozen=True)
class Menu:
    """The games and agents on offer.

    Attributes:
        agents: specs of agents besides the games' scripted bots.
        boards: board files besides the shipped boards.
        games: names of games.
        sandbox: sandbox for agents that are programs of their own; None for none.
    """

    agents: tuple[str, ...] = ()
    boards: tuple[str, ...] = ()
    games: tuple[str, ...] = field(default_factory=lambda: tuple(registered_games()))
    sandbox: Sandbox | None = None
    _usual: dict[str, GameRules] = field(default_factory=dict)
    _specs: dict[str, str] = field(default_factory=dict)
    _files: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "boards", tuple(map(as_name, self.boards)))
        for name in self.games:
            self._usual[name] = make_rules(name, PLAYERS)
        # Visitors who choose from the menu could mend neither agents nor boards.
        for spec in self.agents:
            self.check(spec)
        others = [(public_name(spec), spec) for spec in self.agents if spec not in self.bots]
        self._specs.update(unique(others, {HUMAN, *self.bots}))
        shipped = {board for rules in self._usual.values() for board in rules.boards}
        files = [(PurePath(board).name, board) for board in self.boards if board not in shipped]
        self._files.update(unique(files, shipped))
        for board in self._files.values():
            self._check_board(board)

    @classmethod
    def usual(cls, agents: Sequence[str] = (), boards: Sequence[str] = (), sandbox: Sandbox | None = None) -> Menu:
        """Return the menu with search and with the agents of other packages that need no argument.

        Raises:
            AgentError: an agent or its policy does not exist.
            BoardError: a board fits no game.
        """
        names = dict.fromkeys([SEARCHER, *filter(_can_be_made, plugin_agents()), *agents])
        return cls(tuple(names), tuple(boards), sandbox=sandbox)

    def check(self, spec: str) -> None:
        """Raise `AgentError` if an agent or its policy does not exist."""
        agent = make_agent(spec, self.bots, self.sandbox)
        if isinstance(agent, PolicyAgent | GuidedSearch):
            load(find(agent.path))

    def _check_board(self, board: str) -> None:
        """Raise `BoardError` if a board fits no game."""
        problems = []
        for game in self.games:
            try:
                make_rules(game, PLAYERS, board)
            except BoardError as problem:
                problems.append(problem)
        if len(problems) == len(self.games):
            raise problems[0]

    @property
    def bots(self) -> tuple[str, ...]:
        """Names of the scripted bots of all games."""
        return tuple(dict.fromkeys(bot for rules in self._usual.values() for bot in rules.bots))

    def for_page(self) -> list[dict[str, Any]]:
        """Return the menu for the page, one entry per game."""
        return [
            {
                "name": name,
                "title": rules.title,
                "boards": [rules.board_name, *(board for board in self._boards(rules) if board != rules.board_name)],
                "players": list(rules.player_numbers),
                "agents": self._agents(rules),
                "strengths": {agent: self._strength(rules, agent) for agent in self._agents(rules)},
                "models": [model._asdict() for model in models() if model.game == name],
                "options": [
                    {"name": row[0], "value": rules.options[row[0]], "meaning": in_plain_words(row[-1])}
                    for row in rules.tables()["options"].rows
                ],
            }
            for name, rules in self._usual.items()
        ]

    def _boards(self, rules: Rules) -> tuple[str, ...]:
        return (*rules.boards, *self._files)

    def _agents(self, rules: WithBots) -> list[str]:
        """Return the names of the agents for a game, the strongest scripted bot first."""
        return [*reversed(rules.bots), *self._specs]

    def _strength(self, rules: WithBots, agent: str) -> str:
        return strength_of_bot(rules.bots, agent) if agent in rules.bots else strength_of(self._specs[agent])

    def _rules(self, game: str, players: int, board: str, options: dict[str, Any]) -> tuple[GameRules, GameRules]:
        """Return the rules of a table, which name the file of a board as on the menu, and the same with its path."""
        rules = make_rules(game, players, self._files.get(board, board), **options)
        facts = rules.board_facts() if board in self._files else None
        shown = rules if facts is None else make_rules(game, players, BoardFacts(board, facts), **options)
        return shown, rules

    def order(self, request: dict[str, Any]) -> Order:
        """Return the table that a request describes.

        Raises:
            Refusal: the request names something that is not on the menu, or a table that cannot be played.
        """
        unknown = set(request) - {"game", "board", "agents", "options", "seed"}
        if unknown:
            raise Refusal(400, f"Unknown field {min(unknown)!r}.")
        name = request.get("game", self.games[0])
        usual = self._usual.get(name) if isinstance(name, str) else None
        if usual is None:
            raise Refusal(400, f"There is no game {name!r}; the games are {', '.join(self.games)}.")
        board = request.get("board", usual.board_name)
        if board not in self._boards(usual):
            raise Refusal(400, f"There is no board {board!r}; the boards are {', '.join(self._boards(usual))}.")
        names = request.get("agents")
        players = len(names) if isinstance(names, list) else 0
        here = [model for model in models() if (model.game, model.board, model.players) == (name, board, players)]
        known = [HUMAN, *self._agents(usual), *(model.spec for model in here)]
        if not isinstance(names, list) or not all(name in known for name in names):
            raise Refusal(400, f"agents must be a list with one of {', '.join(known)} for every seat.")
        options, seed = request.get("options", {}), request.get("seed")
        if not isinstance(options, dict) or {"game", "players", "board"} & options.keys():
            raise Refusal(400, "options must be an object of the game's options.")
        number = whole(seed)
        if seed is not None and (number is None or not 0 <= number < 2**128):
            raise Refusal(400, "seed must be a whole number from 0 to 2^128 - 1.")
        try:
            rules, compiled = self._rules(name, len(names), board, options)
        except (ThurnError, TypeError) as error:
            raise Refusal(400, sentence(error)) from None
        for model in here:
            if model.spec in names and not model.fits(rules):
                needed = " and ".join(f"{option} {json.dumps(value)}" for option, value in model.options.items())
                raise Refusal(400, f"{model.spec} plays only with {needed}; choose another agent or these options.")
        drawn = checked_seed(number)
        asked = {"game": name, "board": board, "agents": names, "options": options, "seed": drawn}
        specs = tuple(self._specs.get(name) or str(name) for name in names)
        return Order(rules, compiled, tuple(names), specs, drawn, asked, self.sandbox)
