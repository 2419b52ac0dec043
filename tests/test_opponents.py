"""Who may be an opponent: bots by name, agents for many games and for one, and what is refused."""

from __future__ import annotations

import pickle
from typing import Any, ClassVar

import numpy as np
import pytest

from tests import guest_programs
from tests.choices import Chooser
from tests.guests import Last, last
from thurn_env import AgentError, OptionError, make_rules
from thurn_env.engine.generator import RESET_STREAM, derived_seed
from thurn_env.envs.copies import Copies
from thurn_env.envs.learner import LearnerBatch
from thurn_env.envs.single import LearnerEnv
from thurn_env.games.contract import GameRules
from thurn_env.players.agent import ScriptedAgent, agent_seed
from thurn_env.players.match import play_match
from thurn_env.table.game import View


class Single:
    """An agent with `act` only."""

    name = "single"
    made: ClassVar[list[Single]] = []

    def __init__(self) -> None:
        self.resets: list[tuple[int, int]] = []
        self.acted: list[int] = []
        Single.made.append(self)

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        self.resets.append((seat, seed))

    def act(self, view: View) -> int:
        assert view.seat == view.game.seat
        assert view.seat in [seat for seat, _ in self.resets]
        self.acted.append(view.seat)
        return int(view.legal_actions[-1])


def test_an_opponent_without_a_name() -> None:
    """The message names it in brief: the weights of a policy would fill pages."""

    class Weights:
        def __repr__(self) -> str:
            return "0.25, " * 10_000

    with pytest.raises(AgentError, match="cannot play a batch of games") as error:
        LearnerBatch(2, 3, "tiny", opponents=Weights())
    assert len(str(error.value)) < 200


def test_agents_for_one_game() -> None:
    """An agent without `act_batch` will do for a single game, and plays as one with it; not for more."""
    with pytest.raises(AgentError, match="'single' cannot play a batch of games: it has no name or no act_batch"):
        LearnerBatch(2, 3, "tiny", opponents=Single())
    single = LearnerBatch(1, 3, "tiny", opponents=["greedy", Single()], max_rounds=8)
    many = LearnerBatch(1, 3, "tiny", opponents=["greedy", Last()], max_rounds=8)
    choose = Chooser(single.rules)
    for learner in (single, many):
        learner.reset(2)
    for _ in range(100):
        assert single.batch.game(0) == many.batch.game(0)
        actions = choose(single.masks)
        single.step(actions)
        many.step(actions)


@pytest.mark.parametrize("autoreset", [True, False])
def test_agents_for_one_game_are_told_of_every_game(autoreset: bool) -> None:
    """With the seat, which changes from game to game, and with the seed that they get in a match."""
    agent = Single()
    learner = LearnerBatch(1, 2, "tiny", opponents=agent, max_rounds=2, autoreset=autoreset)
    learner.reset(6)
    for _ in range(4):
        learner.step(last(learner.masks))
        while not len(learner.ended):
            learner.step(last(learner.masks))
        if not autoreset:
            learner.reset()
    while len(agent.resets) < 5:
        learner.step(last(learner.masks))
    seeds = [6, *(derived_seed(6, RESET_STREAM, episode) for episode in range(1, 5))]
    # The learner sits in seat (6 + episode) mod 2, the agent in the other one.
    expected = [((1 + episode) % 2, seed) for episode, seed in enumerate(seeds)]
    assert agent.resets == [(seat, agent_seed(seed, seat)) for seat, seed in expected]
    learner.reset(6)
    assert agent.resets[5:] == agent.resets[:1]
    learner.reset(6)
    assert agent.resets[6:] == agent.resets[:1]


class Dice(Single):
    """An agent that plays at random, by the seed of its game."""

    name = "dice"

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        super().reset(seat, rules, seed)
        self._generator = np.random.default_rng(seed)

    def act(self, view: View) -> int:
        super().act(view)
        return int(self._generator.choice(view.legal_actions))


def test_an_agent_for_one_game_in_many() -> None:
    """Every game has its own one, which plays as it does alone: after the first game, and after a reset, too."""
    spec = f"{Dice.__module__}:Dice"
    together = LearnerBatch(3, 3, "tiny", opponents=["greedy", Copies(spec)], max_rounds=2)
    alone = [LearnerBatch(1, 3, "tiny", opponents=["greedy", Dice()], max_rounds=2) for _ in range(3)]
    choose, ended = Chooser(together.rules), 0
    for seed in (2, 2, 9):
        together.reset(seed)
        for lane, learner in enumerate(alone):
            learner.reset(seed + lane)
        for _ in range(40):
            actions = choose(together.masks)
            together.step(actions)
            for lane, learner in enumerate(alone):
                learner.step(actions[lane : lane + 1])
                assert together.batch.game(lane) == learner.batch.game(0)
            ended += len(together.ended)
    assert ended > 9


def test_an_agent_for_one_game_in_many_that_answers_illegally() -> None:
    learner = LearnerBatch(2, 2, "tiny", opponents=Copies(f"{Illegal.__module__}:Illegal"))
    with pytest.raises(AgentError, match=r"Illegal.*is not legal"):
        learner.reset(1)


class Illegal(Single):
    """An agent that always closes its route."""

    def act(self, view: View) -> int:
        return view.game.rules.action_indices["close"]


def test_agents_in_several_seats() -> None:
    """Each seat has an object of its own: the one given and a copy of it, or one made from the spec for each."""
    agent = Single()
    learner = LearnerBatch(1, 3, "tiny", opponents=agent, learner_seat=1)
    learner.reset(5)
    for _ in range(20):
        learner.step(last(learner.masks))
    first, second = learner.guests
    assert first is agent
    assert isinstance(second, Single)
    assert second is not agent
    assert [first.resets, second.resets] == [[(seat, agent_seed(5, seat))] for seat in (2, 0)]
    assert [set(first.acted), set(second.acted)] == [{2}, {0}]
    Single.made.clear()
    learner = LearnerBatch(1, 3, "tiny", opponents=f"{Single.__module__}:Single", learner_seat=1)
    learner.reset(5)
    for _ in range(20):
        learner.step(last(learner.masks))
    assert [[seat for seat, _ in agent.resets] for agent in Single.made] == [[2], [0]]
    assert [set(agent.acted) for agent in Single.made] == [{2}, {0}]


class Uncopied(Single):
    """An agent that cannot be copied."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Uncopied:
        raise TypeError("it holds a lock")


def test_an_agent_in_several_seats_that_cannot_be_copied() -> None:
    message = r"'single' is given for several seats and cannot be copied \(it holds a lock\); give each seat its own"
    agent = Uncopied()
    LearnerBatch(1, 2, "tiny", opponents=agent)
    with pytest.raises(AgentError, match=message):
        LearnerBatch(1, 3, "tiny", opponents=agent)
    with pytest.raises(AgentError, match=message):
        play_match(make_rules("thurn_und_taxis", 2, "tiny"), [agent, agent], 1)


def test_one_object_in_several_seats_of_a_match_plays_as_several() -> None:
    for game, board in (("thurn_und_taxis", "tiny"), ("zug_um_zug_deutschland", "tiny_rails")):
        rules = make_rules(game, 3, board, max_rounds=20)
        bot = ScriptedAgent("sensible-random")
        together = play_match(rules, [bot] * 3, 3)
        assert together == play_match(rules, [ScriptedAgent("sensible-random") for _ in range(3)], 3)


class Nobody:
    """No agent at all."""


def test_opponents_by_spec() -> None:
    """`act_batch` is enough, as for objects."""
    by_spec = LearnerBatch(4, 3, "tiny", opponents="tests.guests:Last")
    by_object = LearnerBatch(4, 3, "tiny", opponents=Last())
    for learner in (by_spec, by_object):
        learner.reset(3)
        for _ in range(20):
            learner.step(last(learner.masks))
    assert [by_spec.batch.game(lane) for lane in range(4)] == [by_object.batch.game(lane) for lane in range(4)]
    with pytest.raises(AgentError, match="Nobody needs a name, and act_batch or reset and act"):
        LearnerBatch(4, 3, "tiny", opponents=f"{__name__}:Nobody")
    with pytest.raises(AgentError, match="'single' cannot play a batch of games"):
        LearnerBatch(4, 3, "tiny", opponents=f"{__name__}:Single")


class Double(Last, Single):
    """An agent of both kinds."""

    def __init__(self) -> None:
        Last.__init__(self)
        Single.__init__(self)


@pytest.mark.parametrize("size", [1, 3])
def test_agents_of_both_kinds_are_asked_for_many_games(size: int) -> None:
    """One of them for all seats, although it was given by name."""
    learner = LearnerBatch(size, 3, "tiny", opponents=f"{Double.__module__}:Double")
    learner.reset(1)
    learner.step(last(learner.masks))
    (agent,) = learner.guests
    assert isinstance(agent, Double)
    assert agent.calls
    assert not agent.acted


def test_names_of_guests_are_not_names_of_bots() -> None:
    """Whatever an agent calls itself, a bot's name means the bot, and two agents of one name are two."""
    guests = [Last("random"), Last("random")]
    learner = LearnerBatch(2, 4, "tiny", opponents=[guests[0], "random", guests[1]], learner_seat=0)
    learner.reset(1)
    assert learner.guests == guests
    assert learner.batch.lanes.memory["roles"].tolist() == [[-1, -2, 0, -3]] * 2


def test_opponents_in_all_kinds_of_sequences() -> None:
    for opponents in ("greedy", ["greedy"], ("greedy", "greedy"), ScriptedAgent("greedy"), [ScriptedAgent("greedy")]):
        learner = LearnerBatch(1, 3, "tiny", opponents=opponents, learner_seat=np.int64(2))
        learner.reset(1)
        assert not learner.guests
        assert learner.batch.lanes.memory["roles"].tolist() == [[2, 2, -1]]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"opponents": "rendom"}, AgentError, "there is no agent 'rendom'; did you mean 'random'"),
        ({"opponents": ["random", "rendom", "greedy"]}, AgentError, "there is no agent 'rendom'"),
        ({"opponents": "self"}, AgentError, "there is no agent 'self'"),
        ({"opponents": ["random"] * 2}, OptionError, "2 opponents for 3 seats; give one for each, or one for all"),
        ({"opponents": ["random"] * 4}, OptionError, "4 opponents for 3 seats"),
        ({"opponents": []}, OptionError, "0 opponents for 3 seats"),
        ({"opponents": None}, AgentError, "None cannot play a batch of games"),
        ({"opponents": 3}, AgentError, "3 cannot play a batch of games"),
        ({"learner_seat": 4}, OptionError, 'learner_seat must be a seat from 0 to 3 or "rotate", not 4'),
        ({"learner_seat": -1}, OptionError, "learner_seat must be a seat from 0 to 3"),
        ({"learner_seat": True}, OptionError, "learner_seat must be a seat from 0 to 3"),
        ({"learner_seat": "last"}, OptionError, "learner_seat must be a seat .* not 'last'"),
        ({"size": 0}, OptionError, "num_envs must be from 1 to 1,048,576, not 0"),
    ],
    ids=str,
)
def test_wrong_arguments(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        LearnerBatch(**({"size": 2, "players": 4, "board": "tiny"} | arguments))


def test_scripted_agents_that_do_not_exist() -> None:
    with pytest.raises(AgentError, match="Thurn und Taxis has no bot 'rendom'; it has random"):
        LearnerBatch(2, 2, "tiny", opponents=ScriptedAgent("rendom"))


def recorded(learner: LearnerBatch, steps: int = 12) -> list[bytes]:
    """Play so many steps, and return what the learner of the first game sees after each."""
    seen = []
    for _ in range(steps):
        learner.step(last(learner.masks))
        seen.append(learner.observations[0].tobytes())
    return seen


def test_a_reset_forgets_the_game_before() -> None:
    """Also if the new game is of the same seed, and its agent first moves later than the old one's last did."""
    spec = f"{Dice.__module__}:Dice"
    used, fresh = (LearnerBatch(2, board="tiny", opponents=Copies(spec), learner_seat=0) for _ in range(2))
    for seed in range(5):
        used.reset(seed, start_player=1)
        used.reset(seed, start_player=0)
        fresh.reset(seed, start_player=0)
        assert recorded(used) == recorded(fresh)


def test_what_copies_remember_belongs_to_one_environment() -> None:
    copies = Copies(f"{Dice.__module__}:Dice")
    one, other = (LearnerBatch(2, board="tiny", opponents=copies, learner_seat=0) for _ in range(2))
    alone = LearnerBatch(2, board="tiny", opponents=Copies(copies.name), learner_seat=0)
    for learner, seed in ((one, 1), (other, 99), (alone, 1)):
        learner.reset(seed)
    between, expected = [], recorded(alone)
    for _ in range(12):
        between += recorded(one, 1)
        recorded(other, 1)
    assert between == expected


class Choosy(Last):
    """It plays many games, and its games must leave it a choice."""

    def act_batch(self, observations: Any, masks: Any) -> Any:
        assert (masks.sum(axis=1) > 1).all()
        return super().act_batch(observations, masks)


class ChoosyAlone(Single):
    name = "choosy"

    def act(self, view: View) -> int:
        assert len(view.legal_actions) > 1
        return super().act(view)


@pytest.mark.parametrize(
    ("size", "opponent"), [(1, ChoosyAlone()), (3, Copies(f"{__name__}:ChoosyAlone")), (1, Choosy()), (3, Choosy())]
)
def test_nobody_is_asked_without_a_choice(size: int, opponent: Any) -> None:
    learner = LearnerBatch(size, board="tiny", opponents=opponent, skip_forced=False, max_rounds=8)
    learner.reset(5)
    forced, ended = 0, 0
    while ended < 3:
        forced += int((learner.masks.sum(axis=1) == 1).sum())
        learner.step(last(learner.masks))
        ended += len(learner.ended)
    assert forced


class Follows(Last):
    """An agent for many games that follows the only one."""

    watches = True

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[Any] = []

    def reset_batch(self, rules: GameRules, seed: int) -> None:
        self.heard.append("reset")

    def began(self, view: View) -> None:
        self.heard.append("began")

    def saw(self, mover: int, action: int | None, view: View) -> None:
        self.heard.append(mover)

    def ended(self, game: Any, record: Any, reason: Any) -> None:
        self.heard.append("ended")

    def act_batch(self, observations: Any, masks: Any) -> Any:
        self.heard.append("asked")
        return super().act_batch(observations, masks)


class FailsAtTheEnd(Follows):
    """Fails when it is told the last move, and the end."""

    def saw(self, mover: int, action: int | None, view: View) -> None:
        if view.game.over:
            raise KeyError("lost")

    def ended(self, game: Any, record: Any, reason: Any) -> None:
        raise KeyError("lost, too")


def test_a_learner_has_its_result_although_an_opponent_fails_at_the_end(caplog: pytest.LogCaptureFixture) -> None:
    learner = LearnerEnv(board="tiny", opponents=FailsAtTheEnd(), max_rounds=3)
    for seed in range(3):
        _, info = learner.reset(seed=seed)
        over = False
        while not over:
            _, _, terminated, truncated, info = learner.step(int(np.flatnonzero(info["action_mask"])[-1]))
            over = terminated or truncated
        assert info["rank"] > 0
    told = {message.partition(" failed")[2] for message in caplog.messages}
    assert told == {f" at the end of its game: KeyError: '{what}'" for what in ("lost", "lost, too")}


def test_an_agent_for_many_games_hears_of_the_only_one_in_time() -> None:
    """It knows the deal and all moves when it is asked, also in the second game."""
    agent = Follows()
    learner = LearnerEnv(board="tiny", opponents=agent, max_rounds=3)
    for _ in range(2):
        heard = len(agent.heard)
        _, info = learner.reset(seed=1, options={"start_player": 0})
        over = False
        while not over:
            _, _, terminated, truncated, info = learner.step(int(np.flatnonzero(info["action_mask"])[-1]))
            over = terminated or truncated
        story = agent.heard[heard:]
        assert story[:2] == ["reset", "began"]
        assert story.count("ended") == 1
        assert story[-1] == "ended"
        asked = [place for place, what in enumerate(story) if what == "asked"]
        assert len(asked) > 2
        # Every choice is followed by the news of it, before the next question.
        assert all("asked" not in story[place + 1 : place + 2] for place in asked)


def test_a_program_gives_way_to_a_new_one_when_games_are_restored() -> None:
    """As in a run that is resumed: its process knows nothing of the games that were going on."""
    learner = LearnerBatch(2, board="tiny", opponents=Copies(guest_programs.spec("first")), learner_seat=0)
    learner.reset(1)
    learner.step(last(learner.masks))
    restored = pickle.loads(pickle.dumps(learner))
    try:
        for _ in range(5):
            actions = last(learner.masks)
            for games in (learner, restored):
                games.step(actions)
            assert restored.observations.tobytes() == learner.observations.tobytes()
    finally:
        for games in (learner, restored):
            games.close()


@pytest.mark.parametrize("size", [1, 2])
def test_an_environment_ends_the_programs_that_it_started(size: int) -> None:
    program = guest_programs.spec("first")
    learner = LearnerBatch(size, board="tiny", opponents=program if size == 1 else Copies(program))
    learner.reset(1)
    guest: Any = learner.guests[0]
    agents = [seated.agent for seated in guest._seated.values()] if size > 1 else [guest]
    processes = [agent._process for agent in agents]
    assert processes
    assert all(process is not None for process in processes)
    learner.close()
    assert all(agent._process is None for agent in agents)
