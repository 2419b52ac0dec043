"""The search kernels of this game; see `thurn_env.games.search_rules` and `guided_search_rules`."""

from thurn_env.games.guided_search_rules import guided_search_of
from thurn_env.games.network_rules import Network
from thurn_env.games.search_rules import SearchGame, search_of
from thurn_env.games.trees import Tree
from thurn_env.games.zug_um_zug_deutschland.bots.choose import choose_listed
from thurn_env.games.zug_um_zug_deutschland.engine import apply
from thurn_env.games.zug_um_zug_deutschland.hidden import redeal
from thurn_env.games.zug_um_zug_deutschland.legal import legal_actions
from thurn_env.games.zug_um_zug_deutschland.observe import observe
from thurn_env.games.zug_um_zug_deutschland.scoring import final_reward, score
from thurn_env.kernels import Float32Array, Int16Array, RulesRecord, State, States, kernel, rule


@rule
def list_actions(state: State, rules: RulesRecord, actions: Int16Array) -> int:
    """`legal_actions`, compiled once for the kernel below."""
    return legal_actions(state, rules, actions)


@rule
def play(state: State, rules: RulesRecord, action: int) -> None:
    """`apply`, compiled once for the kernel below."""
    apply(state, rules, action)


@rule
def write_observation(state: State, rules: RulesRecord, seat: int, row: Int16Array, observation: Float32Array) -> None:
    """`observe`, compiled once for the kernel below."""
    observe(state, rules, seat, row, observation)


GAME = SearchGame(
    list_actions, play, legal_actions, apply, redeal, choose_listed, final_reward, score, write_observation
)
search_game = search_of(GAME)
guided_search_game = guided_search_of(GAME)


@kernel
def search(
    states: States, index: int, rules: States, seat: int, iterations: int, tree: Tree, actions: Int16Array
) -> None:
    """Search on from a game as `seat` sees it; what is found is in the tree."""
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
    """The same, guided by a network."""
    guided_search_game(states, index, rules[0], seat, iterations, tree, network, actions)
