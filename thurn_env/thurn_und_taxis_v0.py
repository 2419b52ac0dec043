# ruff: noqa: E501
"""
# Thurn und Taxis

A PettingZoo environment for the board game *Thurn und Taxis*: 2 to 4 players build postal routes, with hidden cards,
chance, and turns of several small decisions.

### Usage

```python
from thurn_env import thurn_und_taxis_v0

env = thurn_und_taxis_v0.env(players=3, reward="rank")
env.reset(seed=42)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    action = None if termination or truncation else env.action_space(agent).sample(info["action_mask"])
    env.step(action)
env.close()
```

<!-- table: facts -->

- Agents: 2 to 4; default `['player_0', 'player_1']`
- Actions: `Discrete(149)`
- Observation: (357,), values in [-1, 1]
- State: (379,)
- Parallel API, manual control: no

<!-- end -->

From PettingZoo 1.27 on, `pettingzoo.make("aec", "thurn_env/thurn_und_taxis-v0")` works after `import thurn_env`.
`env()` adds PettingZoo's usual wrappers; `raw_env()` has none and is about seven times as fast. Scripted agents play
from views: after `bot = make_agent("greedy", env.rules.bots)` (`thurn_env.players.agent`) and `bot.reset(seat=1,
rules=env.rules, seed=8)`, step with `bot.act(env.view("player_1"))`. With `env()`, use `env.unwrapped`.

### Arguments

Defaults in parentheses:

- `players` (`2`): 2 to 4
- `board` (`None`): name of a shipped board or path of a [board file](boards.md); `None` is `south`, the published board
- `reward` (`"win"`): `"win"`, `"rank"`, `"margin"` or `"score"`, see [Rewards](#rewards)
- `skip_forced` (`True`): play decisions with a single legal action automatically
- `shaping` (`0.0`): weight of [rewards](#rewards) during the game
- `observation` (`"dict"`): `"flat"` is the vector alone, with the mask in `info`, as SuperSuit's wrappers need it
- `render_mode` (`None`): `"ansi"`, `"svg"`, `"rgb_array"` or `"human"`, see [Rendering](#rendering)

Rule options are further keyword arguments:

<!-- table: options -->

- `optional_houses` (`False`): any placement of a house may be left out (R18)
- `all_provinces_without_baiern` (`False`): the all-provinces tile needs one province fewer, as in the first edition (R21)
- `horses` (`False`): cards are laid or harnessed as horses, and no carriages are taken (H1 - H6)
- `horses_kept` (`True`): with horses: giving up a route leaves the horses on the carriage (H5)
- `open_backs` (`True`): with horses: the horses on the backs of cards are public (H7)
- `free_city_with_fill` (`False`): `fill` adds a house in one free city of the route (N2)
- `max_rounds` (`200`): full rounds after which the game is truncated (F13)

<!-- end -->

### The rules in short

In a turn a player

1. takes a face-up card, or the deck's top card unseen;
2. plays a card at an end of the route (cities joined by roads), or starts a new one with it;
3. may close a route of three or more cities: places a house in each of its provinces, or in all its cities of one
   province; earns bonus tiles; takes the next carriage if the route is long enough; discards down to three cards.

Once a turn, an official may help: *postmaster* (a second card to take), *administrator* (new face-up cards), *postal
carrier* (a second card to play) or *cartwright* (a carriage for a route one or two cities too short).

The game ends after the round in which a player takes the highest carriage or places the last house. The score is the
highest carriage plus all tiles minus the houses not placed. See [all rules](rules.md).

### North Board and Horses

`board="north"` is the board of the 2007 expansion. `horses=True`, on this board only, replaces the carriage cards by
horses: a card is laid on the route or harnessed as one to three horses, and closing a route of n cities takes n horses.

**Most facts of the north board are [guesses](boards.md#reconstructed-facts-of-the-north-board)**: results on it are not
results on the published board.

### Observation Space

A dictionary with `"observation"`, a float32 vector, and `"action_mask"`. The vector holds the agent's hand and all open
information, perfectly remembered (cards that others took face up are known until they are played), and never depends on
a hidden card. Rows per player start with the agent's seat and go clockwise. Pieces in order, with (shape, scale), each
1 if omitted (`south`, 2 players):

<!-- table: observation -->

- `phase` (phases): kind of decision, one-hot: draw, second_draw, play, end, houses, house, cartwright, discard, over
- `to_move` (players): whose decision it is, one-hot
- `start_player` (players): who plays first in a round, one-hot
- `round` (1/100): full rounds played; 1 from the 100th on
- `turns_left` (1/4): turns left in this round, the present one included
- `final_round`: 1 once the end is triggered: the round is only finished
- `drawn` (1/2): cards drawn in this turn
- `official_used`: 1 if no official may help any more in this turn
- `forced_postmaster`: 1 if the hand was empty at the start of the turn
- `deck_size` (1/66): cards in the deck
- `display` (kinds, 1/3): face-up cards by kind
- `discard` (kinds, 1/3): cards on the discard pile by kind
- `unseen` (kinds, 1/3): cards by kind that lie in the deck or were drawn unseen by other players
- `hand` (kinds, 1/3): own hand by kind
- `known` (others x kinds, 1/3): cards in the other hands that were taken face up
- `unknown` (others, 1/66): number of cards in the other hands that were drawn unseen
- `hand_size` (players, 1/66): cards in every hand
- `route` (players x cities): 1 for the cities of every route
- `route_ends` (players x cities): -1 at the left end, 1 at the right end; 1 for a single city
- `route_length` (players, 1/22): cities in every route
- `houses` (players x cities): 1 where the player has a house
- `houses_left` (players, 1/20): houses not placed
- `carriage` (players, 1/5): carriages taken
- `tiles` (players x stacks, 1/4): tiles taken from every stack
- `score` (players, 1/89): the score if the game ended now
- `stack_value` (stacks, 1/6): value of the top tile of every stack; 0 if empty (distance 7, distance 6, distance 5, Baiern, Baden, Württemberg and Hohenzollern, Schweiz and Tyrol, Böhmen and Salzburg, all provinces, game end)
- `stack_size` (stacks, 1/4): tiles left in every stack
- `pending` (cities): cities that may still get a house in the closing under way
- `asked` (cities): cities offered by the current decision

<!-- end -->

Stored value = count x scale. `others` is all players but the agent; a `kind` of card is a city, with horses also its
number of horses (`Berlin/3`). With horses, `carriage` is missing and these pieces are added:

<!-- table: horses_observation -->

- `unseen_horses` (others x horse_values, 1/69): of the cards drawn unseen, those with 1, 2 ... horses on their backs; 0 without the option open_backs
- `top_horses` (horse_values): horses on the back of the deck's top card, 1, 2 ..., one-hot; 0 without the option open_backs
- `horses` (players, 1/20): horses of every carriage, its own included
- `harnessed` (players x kinds): cards on every carriage by kind

<!-- end -->

`env.unwrapped.rules.observation_slices` and `observation_shapes` map names of pieces to slices and shapes.
`thurn info` prints the sizes for other boards and numbers of players.

After `reset`, `observe(agent)` works at any time. `state()`, in `state_space`, is one vector of the table and all
hands, seat 0 first, for centralised critics.

#### Legal Actions Mask

`"action_mask"` (int8), also in `infos[agent]`, has a 1 for every legal action of the agent to move. It is zero for the
other agents and after the end. In `env()`, an illegal action ends the game for all agents: its agent gets -1, the
others 0. One outside the action space raises `AssertionError`. `raw_env()` raises `IllegalAction` with the reason and
leaves the game unchanged.

### Action Space

`Discrete`, the same for all agents. Each kind of decision has a block of indices; the list (`south`) gives the first.
With horses, `harness Bremen/1 ...` (H2, H3) follows `start`, and `cartwright` and `decline` are missing. Cities and
provinces are in the order of the board file. `env.unwrapped.rules.action_texts` lists all actions as text;
`action_indices` maps texts to indices.

<!-- table: actions -->

- `take Mannheim ...` (0): take this card from the display; as a second card: with the postmaster (R1, R5)
- `draw` (22): draw the deck's top card unseen; as a second card: with the postmaster (R1, R5)
- `administrator` (23): have the whole display replaced before the first card (R7)
- `left Mannheim ...` (24): lay this card at the left end of the route (R11, R13)
- `right Mannheim ...` (46): lay this card at the right end of the route (R11, R13)
- `start Mannheim ...` (68): start a new route with this card; an old route is discarded (R12)
- `end` (90): end the turn and keep the route (R3)
- `close` (91): close the route: houses, tiles, carriage, discard (R15)
- `spread` (92): one house in every province of the route (R16)
- `fill Baden ...` (93): a house in every route city of this province (R16)
- `house Mannheim ...` (102): this city gets the house (R18, R19)
- `leave` (124): leave this placement out; only with the option optional_houses (R18)
- `cartwright` (125): take the next carriage although the route is too short (R25)
- `decline` (126): do without the cartwright (R25)
- `discard Mannheim ...` (127): discard this card; asked until the hand limit is met (R26)

<!-- end -->

`R1` etc. are ids of [rules](rules.md). A second card played uses the postal carrier. After `spread`, a `house` decision
follows for every province.

### Rewards

Without shaping, all rewards come at the end of the game; `last()` returns them before the agent's `step(None)`. Rewards
given while other agents act are accumulated. They sum to the agent's return:

- `"win"`: 1 for the winner, -1 / (players - 1) for each of the others
- `"rank"`: from 1 for the first to -1 for the last, in equal steps
- `"margin"`: own score minus the best score of the others, divided by the number of houses of a player
- `"score"`: own score divided by the number of houses of a player

Players who share a rank (only in a truncated game) share the returns of their places.

`shaping=w` adds at every step w times the change of the agent's potential: the `"margin"` of the current scores, but 0
at the start and at the end, so the return does not change.

### Termination and Truncation

The game terminates for all agents when it [ends](#the-rules-in-short). After `max_rounds` full rounds, as in nearly all
uniformly random games on `south`, it is truncated for all agents and rewarded by the current scores.

### Rendering

`render()` shows the table and the hand of the player to move. It returns text (`"ansi"`), an SVG document (`"svg"`),
`uint8` pixels of constant shape (height, width, 3) (`"rgb_array"`), or `None` (`"human"`: `reset` and `step` update a
window). The last two need [an extra](pictures.md#render-modes); without a display, set `SDL_VIDEODRIVER=dummy` for
`"human"`.

### Seeds, copies, records

`reset(seed=s)` starts the game of `thurn_env.Game(seed=s)` with the same arguments, on every machine. A later `reset()`
without a seed starts the next game derived from it. `reset(options={"start_player": seat})` sets the start player.

- `clone()`, `copy.deepcopy`, `pickle`: an exact copy, including undelivered rewards and wrappers
- `get_state()`, `set_state(state)`: the position as plain values; the fastest way to try actions
- `env.unwrapped.record()`: the game as a [record](records.md), forced moves included
- `env.unwrapped.game`: a copy with all hidden cards, for debugging

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
        observation: str = "dict",
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
