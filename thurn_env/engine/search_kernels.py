"""Search kernels; see `thurn_env.engine.search_rules` and `guided_search_rules`."""

from collections.abc import Callable
from typing import NamedTuple

from thurn_env.engine.functions import GameFunctions
from thurn_env.engine.guided_search_rules import guided_search_of
from thurn_env.engine.kernels import Float32Array, Int16Array, RulesRecord, State, States, int64, kernel_of, rule
from thurn_env.engine.network_rules import Network
from thurn_env.engine.observation_row import scale_row
from thurn_env.engine.search_rules import SearchGame, search_of
from thurn_env.engine.trees import Tree


class SearchKernels(NamedTuple):
    """Kernels of one game, described below."""

    search: Callable[..., None]
    guided_search: Callable[..., None]


def search_kernels_of(game: GameFunctions) -> SearchKernels:
    """Return the kernels of a game with these rules."""
    kernel = kernel_of(game.play)

    @rule
    def list_actions(state: State, rules: RulesRecord, actions: Int16Array) -> int:
        """List the legal actions; compiled once for the kernels below."""
        return int64(game.list_actions(state, rules, actions))

    @rule
    def play(state: State, rules: RulesRecord, action: int) -> None:
        """Play an action; compiled once for the kernels below."""
        game.play(state, rules, action)

    @rule
    def observe(state: State, rules: RulesRecord, seat: int, row: Int16Array, observation: Float32Array) -> None:
        """Write a seat's observation; compiled once for the kernels below."""
        game.write_row(state, rules, seat, row)
        scale_row(rules, row, observation)

    searched = SearchGame(
        list_actions=list_actions,
        play=play,
        list_fast=game.list_actions,
        play_fast=game.play,
        redeal=game.redeal,
        choose=game.choose,
        final_reward=game.final_reward,
        score=game.score,
        observe=observe,
    )
    search_game = search_of(searched)
    guided_search_game = guided_search_of(searched)

    @kernel
    def search(
        states: States, index: int, rules: States, seat: int, iterations: int, tree: Tree, actions: Int16Array
    ) -> None:
        """Search from a game as `seat` sees it; results are in the tree."""
        search_game(states, index, rules[0], seat, iterations, tree, actions)

    @kernel
    def guided_search(
        states: States,
        index: int,
        rules: States,
        seat: int,
        iterations: int,
        tree: Tree,
        network: Network,
        actions: Int16Array,
    ) -> None:
        """Search guided by a network; results are in the tree."""
        guided_search_game(states, index, rules[0], seat, iterations, tree, network, actions)

    return SearchKernels(search, guided_search)
