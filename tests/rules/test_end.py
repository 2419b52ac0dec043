"""The end of the game: trigger, last round, score and ranks (R27 - R30, F1, F13)."""

from collections.abc import Sequence
from typing import Any

import pytest

from tests.positions import Player, all_cities_but, owned, play, position
from thurn_env import Game, IllegalAction

SEVEN = ["Zürich", "Kempten", "Ulm", "Stuttgart", "Nürnberg", "Pilsen", "Budweis"]


def take_a_turn(game: Game) -> None:
    """Draw, play a card as a new route, and end the turn."""
    seat = game.seat
    while game.seat == seat and not game.over:
        wanted = ("draw", "take", "start", "end")
        play(game, next(action for word in wanted for action in game.legal if action.split()[0] == word))


def with_score(score: int) -> Player:
    """A player with this score, from -20 to 0, who owns nothing but houses."""
    return Player(houses=all_cities_but()[: 20 + score])


def finished(scores: Sequence[int], holder: int | None, start_player: int = 0, **options: Any) -> Game:
    """A game that ends now with these scores; the holder of the game-end tile has one point of his from it."""
    players = len(scores)
    last = (start_player - 1) % players
    owners = {seat: with_score(score - (seat == holder)) for seat, score in enumerate(scores)}
    game = position(
        players,
        phase="end",
        seat=last,
        start_player=start_player,
        rounds=9,
        houses=owners.pop(last).houses,
        others=owners,
        tiles={} if holder is None else {"game end": [holder]},
        **options,
    )
    play(game, "end")
    assert (game.over, game.scores) == (True, list(scores))
    return game


# The trigger


def test_r27_carriage_seven_triggers_the_end() -> None:
    game = position(phase="end", route=SEVEN, carriage=6)
    play(game, "close", "fill Schweiz")
    assert {"stack": "game end", "value": 1} in owned(game)["tiles"]
    assert (game.public()["final_round"], game.over, game.seat) == (True, False, 1)


def test_r27_a_lower_carriage_does_not() -> None:
    game = position(phase="end", route=SEVEN, carriage=5)
    play(game, "close", "fill Schweiz")
    assert (owned(game)["carriage"], game.public()["final_round"]) == (6, False)


def test_r27_the_twentieth_house_triggers_the_end() -> None:
    game = position(phase="end", route=SEVEN[:3], houses=all_cities_but("Zürich", "Lodz", "Linz"))
    play(game, "close", "fill Schweiz")
    assert owned(game)["houses_left"] == 0
    assert {"stack": "game end", "value": 1} in owned(game)["tiles"]
    assert game.public()["final_round"]


def test_r27_the_nineteenth_house_does_not() -> None:
    game = position(phase="end", route=SEVEN[:3], houses=all_cities_but("Zürich", "Lodz", "Linz", "Basel"))
    play(game, "close", "fill Schweiz")
    assert (owned(game)["houses_left"], game.public()["final_round"]) == (1, False)


def test_r27_one_tile_for_both_triggers() -> None:
    """The last house and carriage 7 in one closing."""
    houses = all_cities_but("Zürich", "Lodz", "Linz")
    game = position(phase="end", route=SEVEN, carriage=6, houses=houses)
    play(game, "close", "fill Schweiz")
    mine = owned(game)
    assert (mine["houses_left"], mine["carriage"]) == (0, 7)
    assert [tile for tile in mine["tiles"] if tile["stack"] == "game end"] == [{"stack": "game end", "value": 1}]


def test_r27_only_the_first_player_takes_the_tile() -> None:
    """R27, R28: the second one closes as usual in the last round, and the round is not begun anew."""
    others = {0: Player(carriage=7)}
    game = position(phase="end", seat=1, route=SEVEN, carriage=6, others=others, tiles={"game end": [0]})
    play(game, "close", "fill Schweiz")
    assert game.over
    assert (owned(game, 1)["carriage"], owned(game, 1)["tiles"]) == (7, [{"stack": "distance 7", "value": 4}])
    assert game.scores == [10 + 1 - 20, 10 + 4 - 19]


def test_r27_r30_the_first_player_stays_the_holder() -> None:
    """Both have carriage 7 and the same score in the end; the tile decides."""
    others = {0: Player(carriage=7, houses=["Ulm", "Lodz", "Linz", "Basel"])}
    game = position(phase="end", seat=1, route=SEVEN, carriage=6, others=others, tiles={"game end": [0]})
    play(game, "close", "fill Schweiz")
    assert (game.scores, game.ranks) == ([10 + 1 - 16, 10 + 4 - 19], [1, 2])


# The last round


@pytest.mark.parametrize(
    ("players", "start_player", "trigger", "still_to_play"),
    [
        (2, 0, 0, [1]),
        (2, 0, 1, []),
        (2, 1, 1, [0]),
        (2, 1, 0, []),
        (3, 1, 1, [2, 0]),
        (3, 1, 2, [0]),
        (3, 1, 0, []),
        (4, 2, 2, [3, 0, 1]),
        (4, 2, 0, [1]),
        (4, 0, 3, []),
    ],
)
def test_r28_the_round_is_finished(players: int, start_player: int, trigger: int, still_to_play: list[int]) -> None:
    """R28, F1: play ends after the turn of the player to the right of the start player."""
    game = position(players, phase="end", seat=trigger, start_player=start_player, rounds=9, route=SEVEN, carriage=6)
    play(game, "close", "fill Schweiz")
    turns = []
    while not game.over:
        turns.append(game.seat)
        take_a_turn(game)
    assert (turns, game.rounds, game.truncated) == (still_to_play, 10, False)


def test_r28_everyone_has_had_equally_many_turns() -> None:
    """R28 over a whole short game: the fourth round is the last."""
    game = position(3, phase="draw", seat=2, start_player=2, rounds=3, carriage=6, tiles={"game end": [2]})
    turns = []
    while not game.over:
        turns.append(game.seat)
        take_a_turn(game)
    assert (turns, game.rounds) == ([2, 0, 1], 4)


def test_r28_normal_scoring_until_the_end() -> None:
    """R28: in the last round houses, tiles and carriages are taken as ever."""
    game = position(
        phase="end", seat=1, route=["Mannheim", "Carlsruhe", "Freiburg"], tiles={"game end": [0]}, carriage=3
    )
    play(game, "close", "fill Baden", "cartwright")
    assert game.over
    assert game.scores[1] == 3 + 3 - 17


def test_r28_without_a_trigger_the_game_goes_on() -> None:
    game = position(phase="end", seat=1)
    play(game, "end")
    assert (game.over, game.seat, game.rounds) == (False, 0, 6)
    assert game.winner is None


def test_r28_nothing_is_legal_after_the_end() -> None:
    game = finished([-3, -5], holder=0)
    assert (game.phase, list(game.legal)) == ("over", [])
    with pytest.raises(IllegalAction, match="the game is over"):
        game.play("draw")
    assert "The game is over" in game.explain()


# The score


def test_r29_nothing_but_houses_not_placed() -> None:
    """R29: the score may be negative."""
    assert position().scores == [-20, -20]


def test_r29_the_highest_carriage_counts_alone() -> None:
    assert position(carriage=5, houses=["Ulm"]).scores[0] == 5 - 19


def test_r29_carriage_tiles_and_houses() -> None:
    game = position(
        carriage=7,
        houses=all_cities_but("Lodz", "Linz", "Passau", "Salzburg", "Budweis"),
        tiles={"game end": [0], "distance 7": [1, 0], "distance 6": [0, 0], "Baden": [1, 1, 0]},
        others={1: Player(houses=["Lodz"], carriage=3)},
    )
    assert game.scores == [10 + 1 + 3 + 3 + 2 + 1 - 3, 2 + 4 + 3 + 2 - 19]
    row = game.breakdown()[0]
    assert (row["carriage"], row["distance 6"], row["Baden"], row["houses not placed"]) == (10, 5, 1, -3)
    assert sum(row.values()) == game.scores[0]


# Ranks


def test_f1_ranks_are_by_seat() -> None:
    """R29, F1: 1 for the winner."""
    game = finished([-12, -3, -7, -9], holder=0)
    assert (game.ranks, game.winner) == ([4, 1, 2, 3], 1)


@pytest.mark.parametrize(
    ("scores", "holder", "ranks"),
    [
        # The holder is among the tied players.
        ([-8, -8], 0, [1, 2]),
        ([-8, -8], 1, [2, 1]),
        ([-8, -8, -9], 1, [2, 1, 3]),
        ([-8, -9, -8], 2, [2, 3, 1]),
        ([-8, -8, -8], 1, [3, 1, 2]),
        ([-8, -8, -8, -8], 2, [3, 4, 1, 2]),
        ([-8, -8, -8, -8], 3, [2, 3, 4, 1]),
        # He is not: the next one clockwise, also across the last seat.
        ([-8, -8, -9], 2, [1, 2, 3]),
        ([-8, -9, -8], 1, [2, 3, 1]),
        ([-9, -8, -8], 0, [3, 1, 2]),
        ([-8, -9, -8, -8], 1, [3, 4, 1, 2]),
        ([-8, -8, -9, -12], 2, [1, 2, 3, 4]),
        ([-9, -8, -12, -8], 2, [3, 2, 4, 1]),
        ([-8, -8, -12, -8], 2, [2, 3, 4, 1]),
        # Ties below the lead.
        ([-5, -8, -8, -6], 0, [1, 3, 4, 2]),
        ([-5, -8, -8, -6], 2, [1, 4, 3, 2]),
        ([-8, -5, -6, -8], 2, [4, 1, 2, 3]),
        ([-8, -8, -5, -5], 1, [4, 3, 1, 2]),
    ],
)
def test_r30_ties_go_clockwise_from_the_holder_of_the_game_end_tile(
    scores: list[int], holder: int, ranks: list[int]
) -> None:
    """R30: whoever began."""
    for start_player in range(len(scores)):
        game = finished(scores, holder, start_player)
        assert game.ranks == ranks
        assert game.winner == ranks.index(1)


def test_r30_the_score_comes_before_the_tile() -> None:
    assert finished([-7, -8], holder=1).ranks == [1, 2]


# Cut off


@pytest.mark.parametrize(
    ("scores", "ranks", "winner"),
    [
        ([-20, -20, -20], [1, 1, 1], None),
        ([-19, -20, -20], [1, 2, 2], 0),
        ([-19, -20, -19], [1, 3, 1], None),
        ([-20, -18, -19], [3, 1, 2], 1),
        ([-8, -5, -8, -5], [3, 1, 3, 1], None),
        ([-9, -8, -8, -5], [4, 2, 2, 1], 3),
    ],
)
def test_f13_equal_scores_share_a_rank_when_the_game_is_cut_off(
    scores: list[int], ranks: list[int], winner: int | None
) -> None:
    game = finished(scores, holder=None, max_rounds=10)
    assert (game.truncated, game.ranks, game.winner) == (True, ranks, winner)
    assert list(game.legal) == []


def test_f13_only_full_rounds_count() -> None:
    game = position(3, phase="end", seat=1, start_player=2, rounds=9, max_rounds=10, others={0: Player()})
    assert not game.over
    play(game, "end")
    assert (game.over, game.truncated, game.rounds) == (True, True, 10)
    early = position(3, phase="end", seat=0, start_player=2, rounds=9, max_rounds=10)
    play(early, "end")
    assert (early.over, early.seat) == (False, 1)


def test_f13_r30_a_trigger_in_the_last_round_orders_the_ties() -> None:
    game = finished([-8, -8], holder=1, max_rounds=10)
    assert game.ranks == [2, 1]


def test_f13_a_whole_game_of_one_round() -> None:
    game = Game(players=2, seed=1, max_rounds=1)
    take_a_turn(game)
    assert not game.over
    take_a_turn(game)
    assert (game.over, game.truncated, game.scores, game.ranks) == (True, True, [-20, -20], [1, 1])
