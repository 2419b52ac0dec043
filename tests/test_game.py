"""One game as a value: playing, looking, copying, storing, and every kind of wrong input."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import numpy as np
import pytest

from thurn_env import Game, IllegalAction, OptionError, RecordError, make_rules
from thurn_env.engine.generator import seeded
from thurn_env.games.thurn_und_taxis.board.shipped import SHIPPED
from thurn_env.games.thurn_und_taxis.rules.phases import PHASES
from thurn_env.table.game import View
from thurn_env.table.replay import verify


def new_game(seed: int = 0, **options: Any) -> Game:
    return Game(players=2, board="tiny", seed=seed, **options)


def walk(game: Game, seed: int = 0) -> Iterator[Game]:
    """The game before every move of a sensible random game, and after the last."""
    generator = seeded(seed)
    bot = game.rules.bots.index("sensible-random")
    while not game.over:
        yield game
        game.play(game.rules.bot_action(game.states, 0, bot, generator))
    yield game


def game_in(phase: str) -> Game:
    """A game in a phase."""
    for seed in range(50):
        for game in walk(new_game(seed), seed):
            if game.phase == phase:
                return game
    raise AssertionError(f"no game came to {phase}")


# The legal actions


def test_legal_actions_are_a_sequence_of_texts() -> None:
    game = new_game()
    legal = game.legal
    texts = [text for text, may in zip(game.rules.action_texts, game.action_mask, strict=True) if may]
    assert isinstance(legal, Sequence)
    assert list(legal) == texts
    assert legal == texts
    assert legal == game.copy().legal
    assert legal != texts[1:]
    assert legal != "draw"
    assert len(legal) == len(texts)
    assert [legal[position] for position in range(len(legal))] == texts
    assert legal[-1] == texts[-1]
    assert legal[np.int64(0)] == texts[0]
    assert legal[1:3] == texts[1:3]
    assert legal[::-1] == texts[::-1]
    assert legal.index("draw") == texts.index("draw")
    assert legal.count("draw") == 1
    assert list(reversed(legal)) == texts[::-1]
    assert repr(legal) == f"<LegalActions: {', '.join(texts)}>"
    assert bool(legal)
    with pytest.raises(IndexError, match="there are 5 legal actions, none with number 99"):
        legal[99]
    with pytest.raises(TypeError):
        hash(legal)


def test_what_is_in_the_legal_actions() -> None:
    game = new_game()
    draw = game.rules.action_indices["draw"]
    assert "draw" in game.legal
    assert draw in game.legal
    assert np.int16(draw) in game.legal
    for other in ("close", "nonsense", -1, 10_000, game.rules.action_indices["close"], None, 1.0, True, b"draw"):
        assert other not in game.legal, other


def test_legal_actions_are_made_when_looked_at() -> None:
    """One object follows the game."""
    game = new_game()
    legal = game.legal
    before = list(legal)
    for position in walk(game):
        assert legal == position.legal
    assert list(legal) == []
    assert len(legal) == 0
    assert not legal
    assert "draw" in before
    assert "draw" not in legal
    assert repr(legal) == "<LegalActions: none>"


def test_mask_and_indices() -> None:
    game = new_game()
    assert game.action_mask.dtype == np.int8
    assert game.action_mask.shape == (game.rules.action_size,)
    assert set(np.unique(game.action_mask)) == {0, 1}
    assert game.legal_actions.tolist() == [game.rules.action_indices[text] for text in game.legal]
    with pytest.raises(ValueError, match="read-only"):
        game.action_mask[0] = 1


# Playing


@pytest.mark.parametrize("kind", [str, int, np.int8, np.int64, np.uint8])
def test_actions_are_played_by_text_or_index(kind: type) -> None:
    game, other = new_game(), new_game()
    for _ in range(30):
        index = int(game.legal_actions[-1])
        game.play(game.rules.action_texts[index] if kind is str else kind(index))
        other.play(index)
        assert game == other
    assert game.moves == other.moves
    assert all(type(move) is int for move in game.moves)


def test_surrounding_space_does_not_matter() -> None:
    game, other = new_game(), new_game()
    game.play(" draw\n")
    other.play("draw")
    assert game == other


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ("take Ansbahc", r"there is no action 'take Ansbahc'; did you mean 'take Ansbach'"),
        ("take Basel", "there is no action 'take Basel'"),
        ("Draw", "there is no action 'Draw'; did you mean 'draw'"),
        ("", "there is no action ''"),
        ("close", "'close' is not legal: draw a card and play a card first. Legal: take"),
        (-1, "there is no action -1; actions go from 0 to 46"),
        (47, "there is no action 47; actions go from 0 to 46"),
        (10**30, "there is no action 1000"),
        (1.0, "not 1.0"),
        (1.5, "not 1.5"),
        (np.float32(1), "not 1.0"),
        (np.array(1.5), "not array"),
        (True, "not True"),
        (None, "not None"),
        ([1], r"not \[1\]"),
    ],
)
def test_wrong_actions_leave_the_game_unchanged(action: Any, message: str) -> None:
    game = game_in("second_draw")
    bytes_before, moves_before, record_before = game.to_bytes(), game.moves.copy(), game.record()
    with pytest.raises(IllegalAction, match=message):
        game.play(action)
    assert game.to_bytes() == bytes_before
    assert game.moves == moves_before
    assert game.record() == record_before


def test_every_illegal_action_says_why() -> None:
    """In every phase every action that is not legal is refused with a reason, and changes nothing."""
    seen = set()
    for seed in range(4):
        for game in walk(new_game(seed, optional_houses=True), seed):
            if game.phase in seen and seed < 3 and len(game.moves) % 5:
                continue
            seen.add(game.phase)
            before = game.to_bytes()
            for index in np.flatnonzero(game.action_mask == 0):
                text = game.rules.action_texts[index]
                with pytest.raises(IllegalAction) as error:
                    game.play(text)
                start = f"{text!r} is not legal: "
                assert str(error.value).startswith(start)
                assert not str(error.value).startswith(f"{start}. ")
                first, _, rest = str(error.value).partition(". Legal: ")[2].partition(" and ")
                named = first.split(", ") if first != "none" else []
                assert named == game.legal[: len(named)]
                assert rest == (f"{len(game.legal) - len(named)} more" if rest else "")
                assert bool(rest) == (len(named) < len(game.legal))
            assert game.to_bytes() == before
    assert seen == set(PHASES)


def test_a_finished_game_goes_no_further() -> None:
    game = game_in("over")
    with pytest.raises(IllegalAction, match="the game is over"):
        game.play("draw")
    assert game.legal_actions.size == 0
    assert game.action_mask.sum() == 0
    assert game.winner == game.ranks.index(1)
    assert sorted(game.ranks) == [1, 2]


def test_a_shared_lead_has_no_winner() -> None:
    """F13: without a holder of the game-end tile equal scores share a rank."""
    game = new_game(max_rounds=1)
    while not game.over:
        assert game.winner is None
        game.play(int(game.legal_actions[-1]))
    assert game.truncated
    assert game.rounds == 1
    assert (game.scores, game.ranks, game.winner) == ([-6, -6], [1, 1], None)


# Looking


def test_words_in_every_phase() -> None:
    """`explain`, `str` and `repr` say something true in every phase."""
    seen = set()
    for seed in range(3):
        for game in walk(new_game(seed, optional_houses=True), seed):
            seen.add(game.phase)
            explained = game.explain()
            for text in game.legal:
                assert text in explained
            table = str(game)
            for seat in range(2):
                assert f"player {seat}" in table
                for name in game.hand(seat):
                    assert name in table
            if game.over:
                assert "The game is over" in explained
                assert "over" in repr(game)
                assert "the game is over" in table
            else:
                assert explained.startswith(f"Player {game.seat} is to ")
                assert f"seat {game.seat} to {game.phase}" in repr(game)
                assert f"> player {game.seat}" in table
            assert repr(game).startswith("<Game of Thurn und Taxis: tiny, 2 players, ")
            assert f"{len(game.moves)} moves" in repr(game)
    assert seen == set(PHASES)


def test_explain_gives_reasons() -> None:
    assert "draw a card and play a card first" in new_game().explain()
    assert "only the postmaster helps" in new_game().explain()
    assert "to be closed; this one has 1" in game_in("end").explain()


def test_public_is_plain_data() -> None:
    """R31: what lies open, as plain values that JSON can hold."""
    for game in walk(Game(players=3, board="small", seed=4), 4):
        if len(game.moves) % 7:
            continue
        public = game.public()
        assert json.loads(json.dumps(public)) == public
        assert list(public) == [
            *("display", "deck_size", "discard", "stacks", "start_player", "seat", "round"),
            *("final_round", "official_used", "players"),
        ]
        assert len(public["display"]) == 5
        assert public["seat"] == game.seat
        assert public["start_player"] == game.start_player
        assert public["round"] == game.rounds
        assert len(public["players"]) == 3
        for seat, player in enumerate(public["players"]):
            assert list(player) == [
                *("hand_size", "known_cards", "route", "houses", "houses_left", "carriage", "tiles"),
            ]
            assert sum(game.hand(seat).values()) == player["hand_size"]
            for name, number in player["known_cards"].items():
                assert 0 < number <= game.hand(seat)[name]


def test_the_breakdown_adds_up_to_the_score() -> None:
    """R29."""
    for game in walk(Game(players=3, board="small", seed=5), 5):
        assert [sum(row.values()) for row in game.breakdown()] == game.scores


def test_seats_that_do_not_exist() -> None:
    game = new_game()
    for seat in (-1, 2):
        for ask in (game.hand, game.view, game.redeal):
            with pytest.raises(OptionError, match=f"there is no seat {seat}; the seats are 0 to 1"):
                ask(seat)


# Views


def test_view_of_the_player_to_move() -> None:
    game = game_in("end")
    view = game.view()
    assert isinstance(view, View)
    assert view.seat == game.seat
    assert view.legal == game.legal
    assert view.action_mask.tolist() == game.action_mask.tolist()
    assert view.legal_actions.tolist() == game.legal_actions.tolist()
    assert view.hand == game.hand(game.seat)
    assert view.observation.dtype == np.float32
    assert view.observation.shape == (game.rules.observation_size,)
    assert view.text == game.rules.text(game.states, 0, game.seat)
    assert repr(view).startswith(f"<View of seat {game.seat} of <Game of Thurn und Taxis")


def test_view_of_another_seat() -> None:
    game = game_in("play")
    other = 1 - game.seat
    view = game.view(other)
    assert view.seat == other
    assert view.hand == game.hand(other)
    assert not view.action_mask.any()
    assert view.action_mask.shape == game.action_mask.shape


def test_views_of_a_position_are_equal_and_independent() -> None:
    game = game_in("play")
    view = game.view()
    before = game.to_bytes()
    assert view.game == game.view().game
    for position in walk(view.game):
        assert position.is_view
    assert view.game.over
    assert game.to_bytes() == before


def test_redealing_by_seed() -> None:
    game = game_in("play")
    deals = {game.redeal(game.seat, seed).to_bytes() for seed in range(20)}
    assert len(deals) > 15
    assert game.redeal(0, 3) == game.redeal(0, 3)
    with pytest.raises(RecordError, match="re-dealt copy has no record"):
        game.redeal(0).record()


# Copying and storing


def test_copies_are_independent() -> None:
    for copied in (Game.copy, copy.copy, copy.deepcopy):
        game = game_in("play")
        twin = copied(game)
        before, record = game.to_bytes(), game.record()
        assert twin == game
        assert twin.record() == record
        assert twin.legal == game.legal
        assert list(walk(twin))[-1].over
        assert game.to_bytes() == before
        assert game.record() == record
        assert twin != game
        verify(twin.record())


def test_equality() -> None:
    game = new_game(3)
    assert game == new_game(3)
    assert game != new_game(4)
    assert game != Game(players=4, board="tiny", seed=3)
    assert game != new_game(3, max_rounds=10)
    assert game != "game"
    with pytest.raises(TypeError):
        hash(game)


def test_bytes() -> None:
    """A state goes through bytes in every phase, and plays on the same."""
    for game in walk(new_game(6, optional_houses=True), 6):
        state = game.to_bytes()
        twin = Game.from_bytes(game.rules, state)
        assert twin.to_bytes() == state
        assert twin == game
        assert twin.legal == game.legal
        assert twin.public() == game.public()
    twin = Game.from_bytes(game.rules, new_game(6, optional_houses=True).to_bytes())
    for move in game.moves:
        twin.play(move)
    assert twin == game
    with pytest.raises(RecordError, match="the past of this game is not known"):
        twin.record()


@pytest.mark.parametrize("cut", [slice(0, -1), slice(0, 0), slice(1, None)])
def test_bytes_of_the_wrong_length(cut: slice) -> None:
    game = new_game()
    with pytest.raises(RecordError, match="bytes are not a state of this game, which has"):
        Game.from_bytes(game.rules, game.to_bytes()[cut])


def test_pickling() -> None:
    """Games, also in the middle, and their rules go through pickle; needed for games in other processes."""
    game = game_in("house")
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        twin = pickle.loads(pickle.dumps(game, protocol))
        assert twin == game
        assert twin.record() == game.record()
        assert twin.seed == game.seed
        assert twin.legal == game.legal
        assert twin.view().game == game.view().game
        assert list(walk(twin))[-1].over
        verify(twin.record())
        rules = pickle.loads(pickle.dumps(game.rules, protocol))
        assert rules.action_texts == game.rules.action_texts
        assert rules.options == game.rules.options
        assert rules.board_digest == game.rules.board_digest
    assert pickle.loads(pickle.dumps(game.view())).hand == game.view().hand


# Beginning


def test_the_same_seed_gives_the_same_game() -> None:
    for seed in (0, 1, 2**32, 2**128 + 5, np.int64(9)):
        first, second = new_game(seed), new_game(seed)
        assert first == second
        assert first.seed == seed
        assert list(walk(first))[-1] == list(walk(second))[-1]
        assert first.record() == second.record()
    assert len({new_game(seed).to_bytes() for seed in range(50)}) == 50


def test_a_seed_that_depends_on_nothing_but_the_seed() -> None:
    """The cards of a seed do not depend on the number of players' options, only on the board."""
    assert new_game(5, max_rounds=9).public()["display"] == new_game(5).public()["display"]


def test_without_a_seed_a_fresh_one_is_taken() -> None:
    first, second = (Game(players=2, board="tiny") for _ in range(2))
    assert first.seed != second.seed
    assert first != second
    assert new_game(first.seed) == first
    assert Game.from_rules(first.rules, first.seed) == first


@pytest.mark.parametrize("seed", [-1, 1.0, "1", True, [1], np.int64(-1)])
def test_wrong_seeds(seed: Any) -> None:
    with pytest.raises(OptionError, match="a seed is a whole number from 0 up, not"):
        new_game(seed)


def test_the_start_player() -> None:
    """M1: given, or drawn at random."""
    for seat in (0, 1, 2, np.int64(2)):
        game = Game(players=3, board="small", seed=1, start_player=seat)
        assert (game.start_player, game.seat) == (seat, seat)
    assert {Game(players=3, board="small", seed=seed).start_player for seed in range(20)} == {0, 1, 2}


@pytest.mark.parametrize("start_player", [-1, 2, 10**30, 0.5, "0", True])
def test_wrong_start_players(start_player: Any) -> None:
    with pytest.raises(OptionError, match="start_player must be a seat from 0 to 1, not"):
        new_game(start_player=start_player)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 1}, "for 2 to 4 players, not 1"),
        ({"players": 5}, "for 2 to 4 players, not 5"),
        ({"players": 2.0}, "players must be a whole number, not 2.0"),
        ({"players": True}, "players must be a whole number, not True"),
        ({"players": "2"}, "players must be a whole number, not '2'"),
        ({"game": "chess"}, "there is no game 'chess'; the games are thurn_und_taxis"),
        ({"board": "suoth"}, "south"),
        ({"board": "/no/such/board.toml"}, "no board is called"),
        ({"optional_house": True}, "unknown option 'optional_house'; did you mean optional_houses?"),
        ({"oxen": True}, "unknown option 'oxen'.*The options are"),
        ({"optional_houses": 1}, "option optional_houses must be True or False, not 1"),
        ({"max_rounds": 0}, "option max_rounds must be from 1 to 1,000,000, not 0"),
        ({"max_rounds": 1_000_001}, "option max_rounds must be from 1 to 1,000,000"),
        ({"max_rounds": True}, "option max_rounds must be a whole number, not True"),
        ({"max_rounds": "9"}, "option max_rounds must be a whole number, not '9'"),
        ({"all_provinces_without_baiern": True, "board": "tiny"}, "does not say which province"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    # BoardError and OptionError are both ValueErrors of the package.
    with pytest.raises(ValueError, match=message) as error:
        Game(**{"seed": 0, **options})
    assert type(error.value).__module__.startswith("thurn_env.")


def test_options_are_kept() -> None:
    game = new_game(optional_houses=True, max_rounds=50)
    assert dict(game.rules.options) == {
        "optional_houses": True,
        "all_provinces_without_baiern": False,
        "horses": False,
        "horses_kept": True,
        "open_backs": True,
        "free_city_with_fill": False,
        "max_rounds": 50,
    }
    assert game.players == 2
    assert make_rules("thurn_und_taxis", 2, "tiny", optional_houses=True, max_rounds=50) is game.rules


def test_boards_by_path(tmp_path: Any) -> None:
    """A board file of one's own plays like the shipped one; records name its path."""
    path = tmp_path / "mine.toml"
    path.write_bytes((SHIPPED / "tiny.toml").read_bytes())
    for board in (path, str(path)):
        game = Game(players=2, board=board, seed=8)
        assert game.rules.board_name == str(path)
        assert game.rules.board_digest == new_game().rules.board_digest
        assert game.to_bytes() == new_game(8).to_bytes()
    for position in walk(game):
        last = position
    record = last.record()
    assert record.board == str(path)
    verify(record)
    assert "mine.toml" in repr(game)


def test_the_usual_board() -> None:
    assert Game(seed=1) == Game(players=2, board="south", seed=1)


def test_random_walks_by_text_and_by_index_agree() -> None:
    """Whole games: whatever way an action is named, the same game comes out."""
    for seed in range(5):
        random = Random(seed)
        by_text, by_index = new_game(seed, max_rounds=20), new_game(seed, max_rounds=20)
        while not by_text.over:
            position = random.randrange(len(by_text.legal))
            by_text.play(by_text.legal[position])
            by_index.play(int(by_index.legal_actions[position]))
        assert by_text == by_index
        assert by_text.record() == by_index.record()


@pytest.mark.parametrize("agents", [["a"], ["a", "b", "c"], [None, None], [b"a", b"b"], "ab", [1, 2], None, 3])
def test_a_record_takes_only_names_that_it_can_be_read_with(agents: Any) -> None:
    with pytest.raises(RecordError, match="agents: "):
        Game(2, "tiny", seed=3).record(agents)
