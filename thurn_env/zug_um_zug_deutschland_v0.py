# ruff: noqa: E501
"""
# Zug um Zug: Deutschland

<!-- table: facts -->
| Creation | `make("aec", "thurn_env/zug_um_zug_deutschland-v0")` |
| --- | --- |
| Actions | Discrete |
| Parallel API | No |
| Manual Control | No |
| Agents | `agents = ['player_0', 'player_1']` |
| Agents | 2 (2 to 5) |
| Action Shape | (1,) |
| Action Values | Discrete(311) |
| Observation Shape | (1014,) |
| Observation Values | [-1, 1] |
| State Shape | (1112,) |
<!-- end -->

*Zug um Zug: Deutschland* (Ticket to Ride: Germany), the edition with passengers, is a board game for 2 to 5 players who
claim railway tracks around 1900. It has hidden information (tickets, cards drawn unseen, the deck), chance, and turns
of several small decisions by the same player.

This is an unofficial research project. It contains no art or text of any publisher.

### Usage

```python
import thurn_env  # registers the environment
from pettingzoo import make

env = make("aec", "thurn_env/zug_um_zug_deutschland-v0", players=3, board="tiny_rails", reward="rank")
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

`make` needs PettingZoo 1.27; with an older release call `zug_um_zug_deutschland_v0.env(...)`. `env()` adds PettingZoo's
usual wrappers. `raw_env()` has no wrappers and is several times as fast:

```python
from thurn_env import zug_um_zug_deutschland_v0, verify
from thurn_env.players.agent import agent_seed, make_agent

env = zug_um_zug_deutschland_v0.raw_env(players=2, board="tiny_rails", render_mode="ansi")
env.reset(seed=7)
opponent = make_agent("heuristic", env.rules.bots)
opponent.reset(seat=1, rules=env.rules, seed=agent_seed(7, seat=1))

for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    if termination or truncation:
        env.step(None)
    elif agent == "player_1":
        env.step(opponent.act(env.view(agent)))  # scripted agents play from views
    else:
        env.step(int(info["action_mask"].nonzero()[0][0]))

print(env.render())
verify(env.record(["me", "heuristic"]))  # the game as text: every move, forced ones included
```

### Arguments

| argument | default | meaning |
|---|---|---|
| `players` | `2` | number of players, 2 to 5 |
| `board` | `None` | name of a shipped board, path of a board file, or `None` for `germany`, the published board |
| `reward` | `"win"` | return of a game: `"win"`, `"rank"`, `"margin"` or `"score"`, see [Rewards](#rewards) |
| `skip_forced` | `True` | the environment plays decisions with a single legal action |
| `shaping` | `0.0` | weight of the rewards during the game, see [Rewards](#rewards) |
| `render_mode` | `None` | `"ansi"`, `"svg"`, `"rgb_array"` or `"human"`, see [Rendering](#rendering) |

Pass the game's rule option as a further keyword argument:

<!-- table: options -->
| option | default | meaning |
| --- | --- | --- |
| `max_rounds` | `200` | full rounds after which the game is truncated (P9) |
<!-- end -->

An unknown board, argument or value raises `OptionError`; the message lists what is allowed.

### The rules in short

In the set-up every player draws four tickets, a mix of short and long ones, and keeps at least two. A turn is one of:

1. *Draw two train cards*, face up or unseen from the deck. A face-up locomotive is taken alone.
2. *Claim a track*: pay as many cards of its colour as it is long (grey: any one colour), with locomotives for any of
   them. Lengths 1 to 7 score 1, 2, 4, 7, 10, 15, 18 points. The player may then take a passenger from each end. With
   two or three players only one track of a pair of places can be claimed.
3. *Draw tickets*: four, of which at least one is kept.

When a player ends a turn with two trains or fewer, everybody, that player included, has one more turn. Completed
tickets then add their points and the others subtract them. Most completed tickets score 15; the most passengers of a
colour score 20, the second most 10. A country may be the end of a ticket but is never passed through. Ties go to more
completed tickets, then more passengers; otherwise the victory is shared. The numbers are those of the board `germany`.
See [all rules](zug_um_zug_deutschland_rules.md).

The facts of `germany` are confirmed:

<!-- table: certainty -->
| fact | status |
| --- | --- |
| pairs | confirmed |
| tickets | confirmed |
| passengers | confirmed |
| track_points | confirmed |
<!-- end -->

### Observation Space

A dictionary with `"observation"`, a float32 vector with values in [-1, 1], and `"action_mask"`. The vector holds what
the agent may know: its hand, its tickets and all open information, perfectly remembered (cards that others took face up
are known until they are played). It never depends on a hidden card or ticket. The agent's own seat comes first in every
piece with a row per player; the other seats follow clockwise.

<!-- table: observation -->
| index | name | shape | scale | meaning |
| --- | --- | --- | --- | --- |
| 0 .. 7 | `phase` | phases | 1/1 | kind of decision, one-hot: mix, ticket, turn, second_card, colour, locomotives, passenger, over |
| 8 | `setting_up` | 1 | 1/1 | 1 while the first tickets are chosen |
| 9 .. 10 | `to_move` | players | 1/1 | whose decision it is, one-hot |
| 11 .. 12 | `start_player` | players | 1/1 | who plays first in a round, one-hot |
| 13 | `round` | 1 | 1/100 | full rounds played; 1 from the 100th on |
| 14 | `ending` | 1 | 1/1 | 1 once the end has begun: every player has one more turn |
| 15 | `last_turns` | 1 | 1/5 | turns left once the end has begun, the present one included |
| 16 | `deck_size` | 1 | 1/110 | cards in the deck |
| 17 .. 25 | `display` | kinds | 1/5 | face-up cards by kind |
| 26 .. 34 | `discard` | kinds | 1/14 | cards on the discard pile by kind |
| 35 .. 43 | `unseen` | kinds | 1/14 | cards by kind that lie in the deck or were drawn unseen by other players |
| 44 .. 52 | `hand` | kinds | 1/14 | own hand by kind |
| 53 .. 61 | `known` | others x kinds | 1/14 | cards in the other hands that were taken face up |
| 62 | `unknown` | others | 1/110 | number of cards in the other hands that were drawn unseen |
| 63 .. 64 | `hand_size` | players | 1/110 | cards in every hand |
| 65 .. 66 | `trains` | players | 1/45 | trains left |
| 67 .. 68 | `points` | players | 1/116 | points for tracks |
| 69 .. 70 | `passenger_points` | players | 1/120 | points for passengers as they stand |
| 71 .. 82 | `passengers` | players x passenger_colours | 1/10 | passengers taken |
| 83 .. 322 | `waiting` | places x passenger_colours | 1/5 | passengers that wait in every place |
| 323 .. 506 | `claimed` | players x claims | 1/1 | 1 where the player has a track |
| 507 .. 598 | `open` | claims | 1/1 | 1 for what the agent may still claim, cards and trains apart |
| 599 .. 690 | `claim` | claims | 1/1 | the claim that is being paid for, one-hot |
| 691 .. 699 | `paying` | kinds | 1/1 | the colour that pays for it, one-hot, once it is known |
| 700 .. 739 | `asked` | places | 1/1 | the end of the track whose passengers are asked for, one-hot |
| 740 .. 741 | `pile_size` | piles | 1/55 | tickets in the short and in the long pile |
| 742 .. 745 | `ticket_count` | players x piles | 1/55 | short and long tickets kept |
| 746 .. 834 | `tickets` | tickets | 1/1 | own tickets: 1 for those completed, -1 for the others |
| 835 .. 923 | `offered` | tickets | 1/2 | own tickets just drawn: 1 for the one that is asked for, 1/2 for those after it |
| 924 | `kept` | 1 | 1/4 | how many of those drawn with them are kept already |
| 925 .. 1013 | `returned` | tickets | 1/1 | tickets that the agent has returned |
<!-- end -->

Stored value = count x scale. `others` is all players but the agent. A `kind` of card is a colour or, last, the
locomotive. A `claim` is a track of one pair of places in one colour. The indices are those of the board `germany` with
2 players.

`env.unwrapped.rules.observation_slices` and `observation_shapes` map the name of each piece to its slice and shape.

<!-- table: sizes -->
| board | players | actions | observation | state |
| --- | --- | --- | --- | --- |
| germany | 2 | 311 | 1014 | 1112 |
| germany | 3 | 311 | 1130 | 1326 |
| germany | 4 | 311 | 1246 | 1540 |
| germany | 5 | 311 | 1362 | 1754 |
| tiny_rails | 2 | 69 | 189 | 209 |
| tiny_rails | 3 | 69 | 218 | 258 |
| tiny_rails | 4 | 69 | 247 | 307 |
| tiny_rails | 5 | 69 | 276 | 356 |
<!-- end -->

`observe(agent)` works for every agent at any time. `state()` returns one vector of everything, for centralised critics:
the observation of seat 0, then the hand and the tickets of every other seat. Its space is `state_space`.

#### Legal Actions Mask

`"action_mask"` (int8) has a 1 for every legal action of the agent to move. It is all zero for the other agents and
after the end. `infos[agent]["action_mask"]` holds the same mask. Every call returns new arrays.

In `env()`, an illegal action ends the game for all agents: its agent gets -1, the others 0. `raw_env()` raises
`IllegalAction` with the reason and leaves the game unchanged.

### Action Space

`Discrete`, the same for all agents, with one block of indices for every kind of decision. The table is for the board
`germany`. Colours, pairs and tickets are in the order of the board file. `env.unwrapped.rules.action_texts` lists the
text form of every action by index; `action_indices` maps texts to indices.

<!-- table: actions -->
| index | action | meaning |
| --- | --- | --- |
| 0 .. 8 | `take purple ...` | take this face-up card; a locomotive only as the first card and the only one (G6) |
| 9 | `draw` | draw the deck's top card unseen (G6) |
| 10 | `tickets` | draw tickets (G9) |
| 11 .. 15 | `long 0 ...` | draw K tickets from the long pile, the others from the short one (G5, G9) |
| 16 .. 104 | `keep Mannheim-Stuttgart ...` | keep this ticket (G5, G9) |
| 105 .. 193 | `return Mannheim-Stuttgart ...` | return this ticket (G5, G9) |
| 194 .. 285 | `claim Augsburg-München grey ...` | claim a track between these places (G7) |
| 286 .. 294 | `with purple ...` | pay the grey track with cards of this colour, or with locomotives alone (G7, P6) |
| 295 .. 302 | `locomotives 0 ...` | pay with K locomotives (G7, P6) |
| 303 .. 308 | `passenger red ...` | take a passenger of this colour from the end of the track asked for (G8) |
| 309 | `leave` | take none there (G8) |
| 310 | `pass` | do nothing; only when nothing else is legal (G10, P9) |
<!-- end -->

`G1` and the like are ids of [rules](zug_um_zug_deutschland_rules.md). `tickets` is followed by `long K`, then by `keep`
or `return` for each ticket drawn. A claim is followed by `with` if the track is grey, by `locomotives K` where there is
a choice, and by `passenger` or `leave` for each end with passengers.

### Rewards

As in [Thurn und Taxis](environment.md#rewards), with scores divided by twice the number of trains of a player for
`"margin"`, `"score"` and shaping. Shaping counts the tickets of all players and so reveals some hidden information.

### Termination and Truncation

The game terminates for all agents when everybody has had the last turn. After `max_rounds` full rounds it is truncated
for all agents and rewarded by the current scores.

### Rendering

As in [Thurn und Taxis](environment.md#rendering): `"ansi"`, `"svg"`, `"rgb_array"` and `"human"`, from the view of the
player to move, with that player's hand and tickets only.

### Seeds, copies, records

As in [Thurn und Taxis](environment.md#seeds-copies-records).

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

    metadata = {**GameEnv.metadata, "name": "zug_um_zug_deutschland_v0"}  # noqa: RUF012

    def __init__(
        self,
        players: int = 2,
        board: Any = None,
        *,
        reward: RewardMode = "win",
        skip_forced: bool = True,
        shaping: float = 0.0,
        observation: str = "dict",
        render_mode: str | None = None,
        rules: GameRules | None = None,
        **options: Any,
    ) -> None:
        super().__init__(
            "zug_um_zug_deutschland",
            players,
            board,
            reward=reward,
            skip_forced=skip_forced,
            shaping=shaping,
            observation=observation,
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
