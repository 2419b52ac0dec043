# ruff: noqa: E501
"""
# Thurn und Taxis

<!-- table: facts -->
| Creation | `make("aec", "thurn_env/thurn_und_taxis-v0")` |
| --- | --- |
| Actions | Discrete |
| Parallel API | No |
| Manual Control | No |
| Agents | `agents = ['player_0', 'player_1']` |
| Agents | 2 (2 to 4) |
| Action Shape | (1,) |
| Action Values | Discrete(149) |
| Observation Shape | (357,) |
| Observation Values | [-1, 1] |
| State Shape | (379,) |
<!-- end -->

*Thurn und Taxis* is a board game for 2 to 4 players who build postal routes in southern Germany around 1700. It has
hidden information (cards drawn unseen, the deck), chance (the deck), and turns of several small decisions by the same
player.

This is an unofficial research project. It contains no art or text of any publisher.

### Usage

```python
import thurn_env  # registers the environment
from pettingzoo import make

env = make("aec", "thurn_env/thurn_und_taxis-v0", players=3, reward="rank")
env.reset(seed=42)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    if termination or truncation:
        action = None
    else:
        action = env.action_space(agent).sample(info["action_mask"])
    env.step(action)
env.close()
```

`make` needs PettingZoo 1.27; with an older release call `thurn_und_taxis_v0.env(...)`. `env()` adds PettingZoo's usual
wrappers. `raw_env()` has no wrappers and is about seven times as fast:

```python
from thurn_env import thurn_und_taxis_v0, verify
from thurn_env.players.agent import agent_seed, make_agent

env = thurn_und_taxis_v0.raw_env(players=2, board="tiny", render_mode="ansi")
env.reset(seed=7)
opponent = make_agent("random", env.rules.bots)
opponent.reset(seat=1, rules=env.rules, seed=agent_seed(7, seat=1))

for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    if termination or truncation:
        env.step(None)
    elif agent == "player_1":
        env.step(opponent.act(env.view(agent)))  # scripted agents play from views
    else:
        env.step(int(info["action_mask"].nonzero()[0][-1]))

print(env.render())
verify(env.record(["me", "random"]))  # the game as text: every move, forced ones included
```

### Arguments

| argument | default | meaning |
|---|---|---|
| `players` | `2` | number of players, 2 to 4 |
| `board` | `None` | name of a shipped board, path of a board file, or `None` for `south`, the published board |
| `reward` | `"win"` | return of a game: `"win"`, `"rank"`, `"margin"` or `"score"`, see [Rewards](#rewards) |
| `skip_forced` | `True` | the environment plays decisions with a single legal action |
| `shaping` | `0.0` | weight of the rewards during the game, see [Rewards](#rewards) |
| `render_mode` | `None` | `"ansi"`, `"svg"`, `"rgb_array"` or `"human"`, see [Rendering](#rendering) |

Pass the game's rule options as further keyword arguments:

<!-- table: options -->
| option | default | meaning |
| --- | --- | --- |
| `optional_houses` | `False` | any placement of a house may be left out (R18) |
| `all_provinces_without_baiern` | `False` | the all-provinces tile needs one province fewer, as in the first edition (R21) |
| `horses` | `False` | cards are laid or harnessed as horses, and no carriages are taken (H1 - H6) |
| `horses_kept` | `True` | with horses: giving up a route leaves the horses on the carriage (H5) |
| `open_backs` | `True` | with horses: the horses on the backs of cards are public (H7) |
| `free_city_with_fill` | `False` | `fill` adds a house in one free city of the route (N2) |
| `max_rounds` | `200` | full rounds after which the game is truncated (F13) |
<!-- end -->

An unknown board, argument or value raises `OptionError`; the message lists what is allowed.

### The rules in short

A route is a row of different cities in which neighbours are joined by a road. In a turn a player

1. takes a card: one of the six face-up cards, or the top card of the deck, unseen;
2. plays a card: at the left or right end of the route, or as the start of a new route, which discards the old one;
3. may close a route of three or more cities: places houses, either one in every province of the route or one in every
   route city of a single province; earns bonus tiles whose conditions are met; takes the next carriage if the route is
   long enough; discards down to three cards.

One official may help in each turn: the *postmaster* (take a second card; compulsory if the turn started with an empty
hand), the *administrator* (replace the face-up cards before taking one), the *postal carrier* (play a second card), or
the *cartwright* (take the next carriage with a route that is one or two cities too short).

Bonus tiles reward long routes, provinces full of a player's houses, and a house in every province; the first tile of a
stack is worth most. When a player takes the highest carriage or places the last house, the round is finished and the
game ends. The score is the points of the highest carriage and of all tiles, minus one for every house not placed. The
holder of the game-end tile wins ties, otherwise the tied player next clockwise from the holder. The numbers are those
of the south board. See [all rules](rules.md).

### North Board and Horses

`board="north"` is the board of the 2007 expansion, with free cities, a province in two parts, pairs of provinces, and
tiles for routes of eight cities. `horses=True`, on this board only, replaces the carriage cards: a card is laid on the
route or harnessed as one to three horses, and closing a route of n cities takes n horses. A kind of card is then a city
with its horses, such as `Berlin/3`.

```python
from thurn_env import Game

print(Game(players=2, board="north", horses=True, seed=1))
```

**The north board is partly reconstructed.** Its road network, 11 of its 23 city names, the horses on each card and most
tile values are guesses; results on it are not results on the published board. See
[boards](boards.md#reconstructed-facts-of-the-north-board) for the sources and for how to correct it.

<!-- table: certainty -->
| fact | confirmed | reconstructed |
| --- | --- | --- |
| city: name | Bremen, Hamburg, Lübeck, Frankfurt, Hannover, Göttingen, Dresden, Leipzig, Weimar, Würzburg, Berlin, Cölln | Magdeburg, Stettin, Münster, Coblenz, Minden, Amsterdam, Groningen, Brüssel, Schwerin, Cassel, Fulda |
| city: province | Bremen, Hamburg, Lübeck, Frankfurt, Dresden, Leipzig, Weimar | Hannover, Göttingen, Würzburg, Berlin, Cölln, Magdeburg, Stettin, Münster, Coblenz, Minden, Amsterdam, Groningen, Brüssel, Schwerin, Cassel, Fulda |
| city: horses | - | all 23 |
| province: name | Preussen, Sachsen, Thüringen, Holland, Belgien | Hannover, Mecklenburg, Hessen, Baiern |
| stack: length | distance 8 | distance 7, distance 6, distance 5 |
| stack: values | Bremen, Hamburg, Lübeck, Frankfurt, game end | distance 8, distance 7, distance 6, distance 5, all provinces, Preussen, Sachsen and Thüringen, Holland and Belgien, Hannover and Mecklenburg, Hessen and Baiern |
| stack: provinces | Preussen, Sachsen and Thüringen | Holland and Belgien, Hannover and Mecklenburg, Hessen and Baiern |
| stack: city | all 4 | - |
| roads | - | all 39 |
| carriage: length | all 5 | - |
| carriage: points | all 5 | - |
| constants | all 8 | - |
<!-- end -->

### Observation Space

A dictionary with `"observation"`, a float32 vector with values in [-1, 1], and `"action_mask"`. The vector holds what
the agent may know: its hand and all open information, perfectly remembered (cards that others took face up are known
until they are played). It never depends on a hidden card. The agent's own seat comes first in every piece with a row
per player; the other seats follow clockwise.

<!-- table: observation -->
| index | name | shape | scale | meaning |
| --- | --- | --- | --- | --- |
| 0 .. 8 | `phase` | phases | 1/1 | kind of decision, one-hot: draw, second_draw, play, end, houses, house, cartwright, discard, over |
| 9 .. 10 | `to_move` | players | 1/1 | whose decision it is, one-hot |
| 11 .. 12 | `start_player` | players | 1/1 | who plays first in a round, one-hot |
| 13 | `round` | 1 | 1/100 | full rounds played; 1 from the 100th on |
| 14 | `turns_left` | 1 | 1/4 | turns left in this round, the present one included |
| 15 | `final_round` | 1 | 1/1 | 1 once the end is triggered: the round is only finished |
| 16 | `drawn` | 1 | 1/2 | cards drawn in this turn |
| 17 | `official_used` | 1 | 1/1 | 1 if no official may help any more in this turn |
| 18 | `forced_postmaster` | 1 | 1/1 | 1 if the hand was empty at the start of the turn |
| 19 | `deck_size` | 1 | 1/66 | cards in the deck |
| 20 .. 41 | `display` | kinds | 1/3 | face-up cards by kind |
| 42 .. 63 | `discard` | kinds | 1/3 | cards on the discard pile by kind |
| 64 .. 85 | `unseen` | kinds | 1/3 | cards by kind that lie in the deck or were drawn unseen by other players |
| 86 .. 107 | `hand` | kinds | 1/3 | own hand by kind |
| 108 .. 129 | `known` | others x kinds | 1/3 | cards in the other hands that were taken face up |
| 130 | `unknown` | others | 1/66 | number of cards in the other hands that were drawn unseen |
| 131 .. 132 | `hand_size` | players | 1/66 | cards in every hand |
| 133 .. 176 | `route` | players x cities | 1/1 | 1 for the cities of every route |
| 177 .. 220 | `route_ends` | players x cities | 1/1 | -1 at the left end, 1 at the right end; 1 for a single city |
| 221 .. 222 | `route_length` | players | 1/22 | cities in every route |
| 223 .. 266 | `houses` | players x cities | 1/1 | 1 where the player has a house |
| 267 .. 268 | `houses_left` | players | 1/20 | houses not placed |
| 269 .. 270 | `carriage` | players | 1/5 | carriages taken |
| 271 .. 290 | `tiles` | players x stacks | 1/4 | tiles taken from every stack |
| 291 .. 292 | `score` | players | 1/89 | the score if the game ended now |
| 293 .. 302 | `stack_value` | stacks | 1/6 | value of the top tile of every stack; 0 if empty (distance 7, distance 6, distance 5, Baiern, Baden, Württemberg and Hohenzollern, Schweiz and Tyrol, Böhmen and Salzburg, all provinces, game end) |
| 303 .. 312 | `stack_size` | stacks | 1/4 | tiles left in every stack |
| 313 .. 334 | `pending` | cities | 1/1 | cities that may still get a house in the closing under way |
| 335 .. 356 | `asked` | cities | 1/1 | cities offered by the current decision |
<!-- end -->

Stored value = count x scale. `others` is all players but the agent. A `kind` of card is a city, or with horses a city
with its horses. The indices are those of the south board with 2 players. With horses, `carriage` is missing and the
following pieces are added (indices of the north board with 2 players):

<!-- table: horses_observation -->
| index | name | shape | scale | meaning |
| --- | --- | --- | --- | --- |
| 366 .. 368 | `unseen_horses` | others x horse_values | 1/69 | of the cards drawn unseen, those with 1, 2 ... horses on their backs; 0 without the option open_backs |
| 369 .. 371 | `top_horses` | horse_values | 1/1 | horses on the back of the deck's top card, 1, 2 ..., one-hot; 0 without the option open_backs |
| 516 .. 517 | `horses` | players | 1/20 | horses of every carriage, its own included |
| 518 .. 655 | `harnessed` | players x kinds | 1/1 | cards on every carriage by kind |
<!-- end -->

`env.unwrapped.rules.observation_slices` and `observation_shapes` map the name of each piece to its slice and shape.

<!-- table: sizes -->
| board | players | actions | observation | state |
| --- | --- | --- | --- | --- |
| micro | 2 | 28 | 82 | 85 |
| micro | 3 | 28 | 105 | 111 |
| micro | 4 | 28 | 128 | 137 |
| north | 2 | 155 | 390 | 413 |
| north | 3 | 155 | 505 | 551 |
| north | 4 | 155 | 620 | 689 |
| small | 2 | 72 | 189 | 199 |
| small | 3 | 72 | 244 | 264 |
| small | 4 | 72 | 299 | 329 |
| south | 2 | 149 | 357 | 379 |
| south | 3 | 149 | 463 | 507 |
| south | 4 | 149 | 569 | 635 |
| tiny | 2 | 47 | 129 | 135 |
| tiny | 3 | 47 | 166 | 178 |
| tiny | 4 | 47 | 203 | 221 |
| north with horses | 2 | 452 | 764 | 833 |
| north with horses | 3 | 452 | 997 | 1135 |
| north with horses | 4 | 452 | 1230 | 1437 |
<!-- end -->

`observe(agent)` works for every agent at any time. `state()` returns one vector of the whole table and all hands, seat
0 first, for centralised critics; its space is `state_space`.

#### Legal Actions Mask

`"action_mask"` (int8) has a 1 for every legal action of the agent to move. It is all zero for the other agents and
after the end. `infos[agent]["action_mask"]` holds the same mask. Every call returns new arrays.

In `env()`, an illegal action ends the game for all agents: its agent gets -1, the others 0. `raw_env()` raises
`IllegalAction` with the reason and leaves the game unchanged.

### Action Space

`Discrete`, the same for all agents, with one block of indices for every kind of decision. The table is for the south
board. With horses there is no `cartwright` and no `decline`, and the block `harness Bremen/1 ...` (H2, H3) follows
`start`. Cities and provinces are in the order of the board file. `env.unwrapped.rules.action_texts` lists the text form
of every action by index; `action_indices` maps texts to indices.

<!-- table: actions -->
| index | action | meaning |
| --- | --- | --- |
| 0 .. 21 | `take Mannheim ...` | take this card from the display; as a second card: with the postmaster (R1, R5) |
| 22 | `draw` | draw the deck's top card unseen; as a second card: with the postmaster (R1, R5) |
| 23 | `administrator` | have the whole display replaced before the first card (R7) |
| 24 .. 45 | `left Mannheim ...` | lay this card at the left end of the route (R11, R13) |
| 46 .. 67 | `right Mannheim ...` | lay this card at the right end of the route (R11, R13) |
| 68 .. 89 | `start Mannheim ...` | start a new route with this card; an old route is discarded (R12) |
| 90 | `end` | end the turn and keep the route (R3) |
| 91 | `close` | close the route: houses, tiles, carriage, discard (R15) |
| 92 | `spread` | one house in every province of the route (R16) |
| 93 .. 101 | `fill Baden ...` | a house in every route city of this province (R16) |
| 102 .. 123 | `house Mannheim ...` | this city gets the house (R18, R19) |
| 124 | `leave` | leave this placement out; only with the option optional_houses (R18) |
| 125 | `cartwright` | take the next carriage although the route is too short (R25) |
| 126 | `decline` | do without the cartwright (R25) |
| 127 .. 148 | `discard Mannheim ...` | discard this card; asked until the hand limit is met (R26) |
<!-- end -->

`R1` and the like are ids of [rules](rules.md). A second `take` or `draw` uses the postmaster; a second card played uses
the postal carrier. After `spread`, a `house` decision follows for every province.

### Rewards

Without shaping, all rewards come at the end of the game. Every agent receives its last reward through `last()` before
its `step(None)`. Rewards given while other agents act are accumulated, so an agent's rewards over a game sum to its
return:

| `reward` | return of an agent |
|---|---|
| `"win"` | 1 for the winner, -1 / (players - 1) for each of the others |
| `"rank"` | from 1 for the first to -1 for the last, in equal steps |
| `"margin"` | own score minus the best score of the others, divided by the number of houses of a player |
| `"score"` | own score divided by the number of houses of a player |

Players who share a rank (possible only in a truncated game) share the returns of their places.

`shaping=w` adds at every step w times the change of the agent's potential, which is the `"margin"` of the current
scores. The potential is 0 at the start and at the end, so shaping never changes the return.

### Termination and Truncation

The game terminates for all agents at the end of the round in which a player took the highest carriage or placed the
last house. After `max_rounds` full rounds it is truncated for all agents and rewarded by the current scores. Uniformly
random play hardly ever ends a game on the south board.

### Rendering

`render()` shows the table as the player to move sees it, with that player's hand only:

| `render_mode` | `render()` returns |
|---|---|
| `"ansi"` | text |
| `"svg"` | an SVG document as text |
| `"rgb_array"` | `uint8` pixels, shape (height, width, 3): constant during a game, identical on every machine |
| `"human"` | `None`; `reset` and `step` update a window, at most `metadata["render_fps"]` times a second |

The last two need the extra `render`: `pip install "thurn-env[render]"`. See [pictures](pictures.md).

### Seeds, copies, records

`reset(seed=s)` starts the game of `thurn_env.Game(seed=s)` with the same arguments, on every machine. A later `reset()`
without a seed starts the next game derived from the last seed. `reset(options={"start_player": seat})` sets the start
player.

| call | result |
|---|---|
| `clone()`, `copy.deepcopy`, `pickle` | an exact copy, including undelivered rewards and wrappers |
| `get_state()`, `set_state(state)` | the position as plain values; restoring it is the fastest way to try actions |
| `env.unwrapped.view(agent)` | the input of scripted agents |
| `env.unwrapped.record()` | the game as a [record](records.md) that can be verified |
| `env.unwrapped.game` | a copy of the game with all hidden cards, for debugging only |

### Version History

* v0: Initial version (0.1.0)
"""

from typing import Any

from thurn_env.envs.aec import GameEnv
from thurn_env.envs.wrapping import SavableWrapper, wrapped
from thurn_env.games.contract import GameRules, RewardMode

__all__ = ["env", "raw_env"]


class raw_env(GameEnv):
    """The environment without wrappers; the page of the module tells all. See `GameEnv` for the arguments."""

    metadata = {**GameEnv.metadata, "name": "thurn_und_taxis_v0"}  # noqa: RUF012

    def __init__(
        self,
        players: int = 2,
        board: Any = None,
        *,
        reward: RewardMode = "win",
        skip_forced: bool = True,
        shaping: float = 0.0,
        render_mode: str | None = None,
        rules: GameRules | None = None,
        **options: Any,
    ) -> None:
        super().__init__(
            "thurn_und_taxis",
            players,
            board,
            reward=reward,
            skip_forced=skip_forced,
            shaping=shaping,
            render_mode=render_mode,
            rules=rules,
            **options,
        )


def env(players: int = 2, board: Any = None, **arguments: Any) -> SavableWrapper:
    """Return `raw_env` in the usual wrappers of PettingZoo.

    Args:
        players: number of players.
        board: the name of a shipped board, the path of a board file, or None for the usual board.
        arguments: the other arguments of `raw_env`.

    Raises:
        OptionError: a wrong number of players, an unknown board, option or value.
    """
    return wrapped(raw_env(players, board, **arguments))
