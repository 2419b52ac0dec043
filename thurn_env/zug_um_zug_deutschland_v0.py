"""
# Zug um Zug: Deutschland

A PettingZoo environment for the board game *Zug um Zug: Deutschland* (Ticket to Ride: Germany), the edition with
passengers: 2 to 5 players claim railway tracks, with hidden tickets and cards, chance, and turns of several small
decisions. This is an unofficial research project without art or text of any publisher.

### Usage

```python
from thurn_env import zug_um_zug_deutschland_v0

env = zug_um_zug_deutschland_v0.env(players=3, board="tiny_rails", reward="rank")
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

<!-- table: facts -->

- Agents: 2 to 5; default `['player_0', 'player_1']`
- Actions: `Discrete(311)`
- Observation: (1014,), values in [-1, 1]
- State: (1112,)
- Parallel API, manual control: no

<!-- end -->

`env()` adds PettingZoo's usual wrappers; `raw_env()` has none and is several times as fast:

```python
from thurn_env import zug_um_zug_deutschland_v0

env = zug_um_zug_deutschland_v0.raw_env(board="tiny_rails", render_mode="ansi")
env.reset(seed=7)
env.step(int(env.infos[env.agent_selection]["action_mask"].argmax()))
print(env.render())
```

For a game against a scripted agent, see [Thurn und Taxis](environment.md#usage).

### Arguments

As in [Thurn und Taxis](environment.md#arguments), with 2 to 5 `players` (default 2); `board=None` is `germany`, the
published board. Rule option:

<!-- table: options -->

- `max_rounds` (`200`): full rounds after which the game is truncated (P9)

<!-- end -->

### The rules in short

In the set-up, every player draws four tickets, a mix of short and long ones, and keeps at least two. A turn is one of:

1. *Draw two train cards*, face up or unseen from the deck. A face-up locomotive is taken alone.
2. *Claim a track*: pay as many cards of its colour as it is long (grey: any one colour), with locomotives for any of
   them. The player may then take a passenger from each end. With two or three players only one track of a pair of
   places can be claimed.
3. *Draw tickets*: four, of which at least one is kept.

When a player ends a turn with two trains or fewer, everybody, that player included, has one more turn. Completed
tickets then add their points and the others subtract them. Most completed tickets score 15; the most passengers of a
colour score 20, the second most 10. A country may be the end of a ticket but is never passed through. Ties go to more
completed tickets, then more passengers; otherwise the victory is shared. The numbers are those of the board `germany`,
whose facts (pairs, tickets, passengers, track points) are all confirmed. See
[all rules](zug_um_zug_deutschland_rules.md).

### Observation Space

As in [Thurn und Taxis](environment.md#observation-space); the tickets of others are hidden, too. Pieces in order, with
(shape, scale), each 1 if omitted (`germany`, 2 players):

<!-- table: observation -->

- `phase` (phases): kind of decision, one-hot: mix, ticket, turn, second_card, colour, locomotives, passenger, over
- `setting_up`: 1 while the first tickets are chosen
- `to_move` (players): whose decision it is, one-hot
- `start_player` (players): who plays first in a round, one-hot
- `round` (1/100): full rounds played; 1 from the 100th on
- `ending`: 1 once the end has begun: every player has one more turn
- `last_turns` (1/5): turns left once the end has begun, the present one included
- `deck_size` (1/110): cards in the deck
- `display` (kinds, 1/5): face-up cards by kind
- `discard` (kinds, 1/14): cards on the discard pile by kind
- `unseen` (kinds, 1/14): cards by kind that lie in the deck or were drawn unseen by other players
- `hand` (kinds, 1/14): own hand by kind
- `known` (others x kinds, 1/14): cards in the other hands that were taken face up
- `unknown` (others, 1/110): number of cards in the other hands that were drawn unseen
- `hand_size` (players, 1/110): cards in every hand
- `trains` (players, 1/45): trains left
- `points` (players, 1/116): points for tracks
- `passenger_points` (players, 1/120): points for passengers as they stand
- `passengers` (players x passenger_colours, 1/10): passengers taken
- `waiting` (places x passenger_colours, 1/5): passengers that wait in every place
- `claimed` (players x claims): 1 where the player has a track
- `open` (claims): 1 for what the agent may still claim, cards and trains apart
- `claim` (claims): the claim that is being paid for, one-hot
- `paying` (kinds): the colour that pays for it, one-hot, once it is known
- `asked` (places): the end of the track whose passengers are asked for, one-hot
- `pile_size` (piles, 1/55): tickets in the short and in the long pile
- `ticket_count` (players x piles, 1/55): short and long tickets kept
- `tickets` (tickets): own tickets: 1 for those completed, -1 for the others
- `offered` (tickets, 1/2): own tickets just drawn: 1 for the one that is asked for, 1/2 for those after it
- `kept` (1/4): how many of those drawn with them are kept already
- `returned` (tickets): tickets that the agent has returned

<!-- end -->

Stored value = count x scale. `others` is all players but the agent. A `kind` of card is a
colour or, last, the locomotive. A `claim` is a track of one pair of places in one colour.
`thurn info --game zug_um_zug_deutschland --observation` prints indices.

`state()`, in `state_space`, is one vector for centralised critics: the observation of seat 0, then the hand and the
tickets of every other seat.

The [legal actions mask](environment.md#legal-actions-mask) and the effect of an illegal action are those of *Thurn und
Taxis*.

### Action Space

`Discrete`, the same for all agents. Each kind of decision has a block of indices; the list (`germany`) gives the
first. Colours, pairs and tickets are in the order of the board file. `env.unwrapped.rules.action_texts` lists all
actions as text; `action_indices` maps texts to indices.

<!-- table: actions -->

- `take purple ...` (0): take this face-up card; a locomotive only as the first card and the only one (G6)
- `draw` (9): draw the deck's top card unseen (G6)
- `tickets` (10): draw tickets (G9)
- `long 0 ...` (11): draw K tickets from the long pile, the others from the short one (G5, G9)
- `keep Mannheim-Stuttgart ...` (16): keep this ticket (G5, G9)
- `return Mannheim-Stuttgart ...` (105): return this ticket (G5, G9)
- `claim Augsburg-München grey ...` (194): claim a track between these places (G7)
- `with purple ...` (286): pay the grey track with cards of this colour, or with locomotives alone (G7, P6)
- `locomotives 0 ...` (295): pay with K locomotives (G7, P6)
- `passenger red ...` (303): take a passenger of this colour from the end of the track asked for (G8)
- `leave` (309): take none there (G8)
- `pass` (310): do nothing; only when nothing else is legal (G10, P9)

<!-- end -->

`G1` and the like are ids of [rules](zug_um_zug_deutschland_rules.md). `tickets` is followed by `long K`, then by `keep`
or `return` for each ticket drawn. A claim is followed by `with` if the track is grey, by `locomotives K` where there is
a choice, and by `passenger` or `leave` for each end with passengers.

### Rewards

As in [Thurn und Taxis](environment.md#rewards), with scores divided by twice the number of trains of a player for
`"margin"`, `"score"` and shaping. Shaping counts the tickets of all players and so reveals some hidden information.

### Termination and Truncation

The game terminates for all agents when every player has had a last turn. After `max_rounds` full rounds it is truncated
for all agents and rewarded by the current scores.

### Rendering

As in [Thurn und Taxis](environment.md#rendering), with the hand and tickets of the player to move.

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
