"""
# Zug um Zug: Deutschland

A PettingZoo environment for the board game *Zug um Zug: Deutschland* (Ticket to Ride: Germany), the edition with
passengers. This is an unofficial research project without art or text of any publisher. What is missing here is as in
[Thurn und Taxis](environment.md).

### Usage

```python
from thurn_env import zug_um_zug_deutschland_v0

env = zug_um_zug_deutschland_v0.env(players=3, board="tiny_rails", reward="rank")
env.reset(seed=42)
for agent in env.agent_iter():
    *_, termination, truncation, info = env.last()
    over = termination or truncation
    env.step(None if over else env.action_space(agent).sample(info["action_mask"]))
```

<!-- table: facts -->

- Agents: 2 to 5; default `['player_0', 'player_1']`
- Actions: `Discrete(311)`
- Observation: (1014,), values in [-1, 1]
- State: (1112,)
- Parallel API, manual control: no

<!-- end -->

### Arguments

`board=None` is `germany`, the published board. Rule option:

<!-- table: options -->

- `max_rounds` (`200`): full rounds after which the game is truncated (P9)

<!-- end -->

### The rules in short

In a turn, draw two train cards, claim a track for cards of its colour, or draw tickets. Tracks, completed tickets and
most passengers of a colour score ([all rules](zug_um_zug_deutschland_rules.md)).

### Observation Space

Pieces in order (`germany`, 2 players), with their meanings where [Thurn und Taxis](environment.md#observation-space)
has none:

<!-- table: observation -->

- `phase` (phases): kind of decision, one-hot: mix, ticket, turn, second_card, colour, locomotives, passenger, over
- `setting_up`: 1 while the first tickets are chosen
- `to_move` (players)
- `start_player` (players)
- `round` (1/100)
- `ending`: 1 once the end has begun: every player has one more turn
- `last_turns` (1/5): turns left once the end has begun, the present one included
- `deck_size` (1/110)
- `display` (kinds, 1/5)
- `discard` (kinds, 1/14)
- `unseen` (kinds, 1/14)
- `hand` (kinds, 1/14)
- `known` (others x kinds, 1/14)
- `unknown` (others, 1/110)
- `hand_size` (players, 1/110)
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

`others` is all players but the agent. A `kind` of card is a colour or, last, the locomotive. A `claim` is a track of
one pair of places in one colour. `thurn info --game zug_um_zug_deutschland --observation` prints indices.

`state()` is the observation of seat 0, then the hand and the tickets of every other seat.

### Action Space

First index of every block (`germany`); colours, pairs and tickets are in the order of the board file:

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

`G1` etc. are [rules](zug_um_zug_deutschland_rules.md). After `tickets` come `long K`, then `keep` or `return` for each
ticket drawn; after a claim, `with` if the track is grey, `locomotives K` where there is a choice, and `passenger` or
`leave` for each end with passengers.

### Rewards

`"margin"`, `"score"` and shaping divide scores by twice the number of trains of a player. Shaping counts the tickets of
all players and so reveals some hidden information. Shared victories (G16) share the returns.

### Termination and Truncation

The game terminates after everybody's last turn and is truncated after `max_rounds` full rounds.

### Rendering

The table, and the hand and tickets of the player to move.

### Seeds, copies, records

See [Thurn und Taxis](environment.md#seeds-copies-records).

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
