"""What must hold in every position that legal play can reach, found by Hypothesis."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from tests.variants import WHOLE_GAMES, board_and_options, city_of
from thurn_env import Game, IllegalAction, make_rules
from thurn_env.engine.generator import seeded
from thurn_env.games.thurn_und_taxis.board.board import Board
from thurn_env.games.thurn_und_taxis.board.shipped import load_board
from thurn_env.games.thurn_und_taxis.game import ThurnUndTaxis
from thurn_env.games.thurn_und_taxis.rules.variant import Variant
from thurn_env.players.match import run_scripted
from thurn_env.table.replay import last_position

Public = dict[str, Any]


def variant_of(game: Game) -> Variant:
    return cast(ThurnUndTaxis, game.rules).variant


def check_cards(game: Game, public: Public, board: Board) -> None:
    """M2, R31: every card is somewhere, and only once; the numbers that are kept beside the cards are right."""
    state = game.states[0]
    kinds = variant_of(game).kinds
    cards = Counter(kinds[kind].name for kind in state["deck"][: state["deck_size"]].tolist())
    cards.update(public["discard"])
    cards.update(name for name in public["display"] if name is not None)
    for seat, player in enumerate(public["players"]):
        hand = Counter(game.hand(seat))
        cards.update(hand)
        cards.update(player["route"])
        cards.update(player.get("harnessed", {}))
        assert player["hand_size"] == hand.total() == state["hand_size"][seat]
        assert sum(player["known_cards"].values()) == state["known_size"][seat]
    assert cards == {kind.name: kind.copies for kind in kinds}
    assert cards.total() == sum(board.copies(city) for city in board.cities)
    assert (state["hand"] >= state["known"]).all()
    assert (state["known"] >= 0).all()
    assert (state["discard"] >= 0).all()
    assert len(public["display"]) == board.display_size


def check_refills(public: Public) -> None:
    """R8, R9, F3: an empty deck means an empty discard pile, and an empty slot means an empty deck."""
    if public["deck_size"] == 0:
        assert not public["discard"]
    if None in public["display"]:
        assert public["deck_size"] == 0


def check_routes(game: Game, public: Public, board: Board) -> None:
    """R10: a row of different cities, neighbours joined by a road; it never branches."""
    for seat, player in enumerate(public["players"]):
        route = [city_of(card) for card in player["route"]]
        assert len(set(route)) == len(route)
        for here, there in pairwise(route):
            assert there in board.neighbours(here)
        members = int(game.states[0]["route_cities"][seat])
        assert {city.name for number, city in enumerate(board.cities) if members >> number & 1} == set(route)


def check_horses(game: Game, public: Public, board: Board) -> None:
    """H1, H2: a carriage has its own horses and those of at most six cards; without horses nothing is said of any."""
    for player in public["players"]:
        if not game.rules.options["horses"]:
            assert not {"horses", "harnessed", "unseen_horses"} & set(player)
            continue
        assert board.horses is not None
        cards = Counter(player["harnessed"])
        assert cards.total() <= board.horses.most_cards
        assert player["horses"] == 2 + sum(int(card.partition("/")[2]) * n for card, n in cards.items())
        assert player["carriage"] == 0


def check_houses(public: Public, board: Board) -> None:
    """M1, R17: one house per player and city; placed and unplaced ones add up."""
    for player in public["players"]:
        houses = player["houses"]
        assert len(set(houses)) == len(houses)
        assert set(houses) <= {city.name for city in board.cities}
        assert player["houses_left"] >= 0
        assert len(houses) + player["houses_left"] == board.houses_per_player


def check_tiles(game: Game, public: Public, board: Board) -> None:
    """M3, R21 - R23, R27: no tile is lost; they go best first; at most one of every provinces stack to a player."""
    state = game.states[0]
    by_stack = defaultdict[str, list[tuple[int, int]]](list)
    for seat, player in enumerate(public["players"]):
        for tile in player["tiles"]:
            by_stack[tile["stack"]].append((tile["value"], seat))
    for stack in board.stacks:
        taken = by_stack[stack.name]
        left = public["stacks"][stack.name]
        assert left == list(stack.values[len(taken) :])
        assert sorted([*left, *(value for value, _ in taken)]) == sorted(stack.values)
        owners = [owner for _, owner in taken]
        if stack.kind != "distance":
            assert len(set(owners)) == len(owners)
        if stack.kind == "provinces" and owners:
            needed = {city.name for city in board.cities if city.province in stack.provinces}
            for seat in owners:
                assert needed <= set(public["players"][seat]["houses"])
        for seat, player in enumerate(public["players"] if stack.kind in ("free_city", "all_provinces") else ()):
            if stack.kind == "free_city":
                # N3: whoever has the tile has a house there, and the first house took it.
                assert stack.city in player["houses"] or seat not in owners
                assert taken or stack.city not in player["houses"]
            if stack.kind == "all_provinces" and seat in owners:
                provinces = {province.name for province in board.provinces}
                if game.rules.options["all_provinces_without_baiern"]:
                    provinces -= {stack.first_edition_without or ""}
                mine = {city.province for city in board.cities if city.name in player["houses"]}
                assert provinces <= mine
        if stack.kind == "game_end":
            assert public["final_round"] == bool(taken)
            assert owners == ([int(state["holder"])] if taken else [])
    for seat, player in enumerate(public["players"]):
        assert state["tile_points"][seat] == sum(tile["value"] for tile in player["tiles"])
        assert state["tiles"][seat].sum() == len(player["tiles"])
    assert (state["tiles"].sum(axis=0) == state["tiles_taken"]).all()


def check_end(public: Public, board: Board) -> None:
    """R27: the game-end tile is taken as soon as somebody has the last carriage or no house left."""
    reached = [
        player["carriage"] == board.carriages[-1].length or player["houses_left"] == 0 for player in public["players"]
    ]
    assert public["final_round"] == any(reached)


def check_score(game: Game, public: Public, board: Board) -> None:
    """R29, R30, F13: scores and ranks, worked out from what lies open."""
    points = {0: 0} | {carriage.length: carriage.points for carriage in board.carriages}
    players = public["players"]
    scores = [
        points[player["carriage"]] + sum(tile["value"] for tile in player["tiles"]) - player["houses_left"]
        for player in players
    ]
    assert game.scores == scores
    end = next(stack.name for stack in board.stacks if stack.kind == "game_end")
    holders = [seat for seat, player in enumerate(players) for tile in player["tiles"] if tile["stack"] == end]
    if holders:
        order = sorted(range(len(scores)), key=lambda seat: (-scores[seat], (seat - holders[0]) % len(scores)))
        assert game.ranks == [order.index(seat) + 1 for seat in range(len(scores))]
    else:
        assert game.ranks == [1 + sum(other > score for other in scores) for score in scores]


def check_legal(game: Game, public: Public) -> None:
    """At least one action is legal until the game is over, none afterwards; mask, indices and texts agree."""
    texts, mask = game.rules.action_texts, game.action_mask
    assert game.over == (not mask.any())
    assert set(np.unique(mask)) <= {0, 1}
    assert set(game.legal) == {texts[index] for index in np.flatnonzero(mask)}
    assert len(set(game.legal)) == len(game.legal)
    assert game.over == (game.phase == "over")
    if game.phase == "cartwright":
        assert not public["official_used"]


def check(game: Game, public: Public) -> None:
    """Everything that must hold in every position.

    Args:
        game: the game.
        public: what lies open in it. All checks share it, since it takes longer to collect than to check.
    """
    board = game.rules.board
    check_cards(game, public, board)
    check_refills(public)
    check_routes(game, public, board)
    check_houses(public, board)
    check_horses(game, public, board)
    check_tiles(game, public, board)
    check_end(public, board)
    check_score(game, public, board)
    check_legal(game, public)


def check_finished(game: Game, public: Public, turns: list[int]) -> None:
    """R28, F13: everybody had equally many turns, and there was a reason to stop."""
    assert len(set(turns)) == 1
    assert turns[0] == game.rounds
    assert game.seat == game.start_player
    assert game.truncated == (not public["final_round"])
    if game.truncated:
        assert game.rounds == game.rules.options["max_rounds"]
    assert game.rounds <= game.rules.options["max_rounds"]


class Play(RuleBasedStateMachine):
    """Legal play of all kinds: single moves by choice, hoarding, and stretches by bots."""

    @initialize(
        table=st.sampled_from(WHOLE_GAMES),
        seed=st.integers(0, 2**32),
        optional_houses=st.booleans(),
        without_baiern=st.booleans(),
        kept=st.booleans(),
        max_rounds=st.sampled_from([1, 2, 7, 25, 200]),
    )
    def begin(
        self,
        table: tuple[str, int],
        seed: int,
        optional_houses: bool,
        without_baiern: bool,
        kept: bool,
        max_rounds: int,
    ) -> None:
        variant, players = table
        board, options = board_and_options(variant)
        self.game = Game(
            players=players,
            board=board,
            seed=seed,
            optional_houses=optional_houses,
            all_provinces_without_baiern=without_baiern and board == "south",
            horses_kept=kept,
            open_backs=kept,
            free_city_with_fill=not kept,
            max_rounds=max_rounds,
            **options,
        )
        self.turns = [0] * players
        self.generator = seeded(seed, 99)
        self.public = self.game.public()
        check(self.game, self.public)

    def move(self, action: str | int) -> None:
        game = self.game
        seat, before = game.seat, self.public
        game.play(action)
        after = self.public = game.public()
        if game.over or game.seat != seat:
            self.turns[seat] += 1
            assert game.over or game.seat == (seat + 1) % game.players
        for other, (old, new) in enumerate(zip(before["players"], after["players"], strict=True)):
            # Nothing that is another player's ever changes in a player's turn; nothing placed is ever lost.
            assert other == seat or old == new
            assert set(old["houses"]) <= set(new["houses"])
            assert old["carriage"] <= new["carriage"]
            assert all(tile in new["tiles"] for tile in old["tiles"])
        check(game, after)
        if game.over:
            check_finished(game, after, self.turns)

    def going_on(self) -> bool:
        return hasattr(self, "game") and not self.game.over

    @precondition(going_on)
    @rule(choice=st.integers(0, 10_000))
    def any_move(self, choice: int) -> None:
        """One legal action."""
        self.move(self.game.legal[choice % len(self.game.legal)])

    @precondition(going_on)
    @rule(number=st.integers(1, 60), bot=st.integers(0, 10))
    def bots_play(self, number: int, bot: int) -> None:
        """A stretch played by one kind of bot for all seats."""
        for _ in range(number):
            if self.game.over:
                break
            chosen = bot % len(self.game.rules.bots)
            self.move(self.game.rules.bot_action(self.game.states, 0, chosen, self.generator))

    @precondition(going_on)
    @rule(number=st.integers(1, 80))
    def hoard(self, number: int) -> None:
        """A stretch in which everybody draws what there is and closes nothing (R9)."""
        for _ in range(number):
            if self.game.over:
                break
            draws = [move for move in self.game.legal if move.startswith(("take", "draw"))]
            others = [move for move in self.game.legal if move.startswith(("right", "left", "harness", "end"))]
            self.move((draws or others or list(self.game.legal))[0])

    @precondition(lambda self: hasattr(self, "game"))
    @rule(choice=st.integers(0, 10_000))
    def illegal_move(self, choice: int) -> None:
        """An action that is not legal is refused, and the game is unchanged."""
        game = self.game
        illegal = np.flatnonzero(game.action_mask == 0)
        action = int(illegal[choice % len(illegal)])
        before, moves = game.to_bytes(), list(game.moves)
        with pytest.raises(IllegalAction, match="is not legal: "):
            game.play(action)
        assert game.to_bytes() == before
        assert game.moves == moves

    @precondition(lambda self: hasattr(self, "game"))
    @rule()
    def record_and_replay(self) -> None:
        """What has been played so far replays to the same table."""
        final = last_position(self.game.record())
        assert final.public() == self.game.public()
        assert final.legal == self.game.legal


TestPlay = Play.TestCase
TestPlay.settings = settings(
    max_examples=60, stateful_step_count=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def test_ties_in_finished_games() -> None:
    """R30: ties are frequent on a small board; whoever sits first clockwise from the holder, he included, is ahead."""
    rules = make_rules("thurn_und_taxis", 4, "tiny")
    board = load_board("tiny")
    ties: Counter[int] = Counter()
    for seed in range(400):
        game = run_scripted(rules, ["sensible-random"] * 4, seed)
        check_score(game, game.public(), board)
        if len(set(game.scores)) < 4:
            ties[int(game.states[0]["holder"])] += 1
    assert sorted(ties) == [0, 1, 2, 3]
    assert min(ties.values()) > 10


@pytest.mark.parametrize(("board", "players"), WHOLE_GAMES)
@pytest.mark.parametrize("bot", ["random", "sensible-random", "mixed"])
def test_whole_games(board: str, players: int, bot: str) -> None:
    """Every position of whole games, which the stretches above rarely play to their end."""
    for seed in range(2):
        machine = Play()
        options: dict[str, Any] = {"optional_houses": seed == 1, "without_baiern": seed == 1, "kept": seed == 0}
        machine.begin(table=(board, players), seed=seed, max_rounds=40 if bot == "random" else 200, **options)
        bots = machine.game.rules.bots
        while not machine.game.over:
            chosen = machine.game.seat % len(bots) if bot == "mixed" else bots.index(bot)
            action = machine.game.rules.bot_action(machine.game.states, 0, chosen, machine.generator)
            machine.move(action)
