"""`thurn info`: facts about a board."""

from __future__ import annotations

from thurn_env.commands.show import output_console, rules_table
from thurn_env.games import DEFAULT_GAME, make_rules, registered_games
from thurn_env.games.options import parse_options
from thurn_env.players.agent import AGENTS, plugin_agents

INTERFACE = ("actions", "observation")
"""Tables that are shown only on request."""


def info(
    board: str | None = None,
    players: int = 2,
    actions: bool = False,
    observation: bool = False,
    agents: bool = False,
    option: tuple[str, ...] = (),
    game: str = DEFAULT_GAME,
) -> int:
    """Show the facts of a board, its actions, its observation, or the agents.

    Args:
        board: name of a shipped board, or path of a board file; by default the game's usual board.
        players: number of players, which the observation depends on.
        actions: show the table of actions.
        observation: show the table of the observation.
        agents: show the agents.
        option: options of the game as name=value, for example horses=true.
        game: name of the game.
    """
    rules = make_rules(game, players, board, **parse_options(option))
    console = output_console()
    if agents:
        console.print(f"Scripted bots: {', '.join(rules.bots)}")
        console.print(f"Others: {', '.join([*AGENTS, *plugin_agents()])}")
        console.print("Your own: package.module:Class, or exec:COMMAND for a program in any language", markup=False)
    wanted = [name for name, requested in (("actions", actions), ("observation", observation)) if requested]
    if not agents and not wanted:
        console.print(rules.about(), markup=False)
        console.print(f"Digest of the board: {rules.board_digest[:16]}", style="dim")
        wanted = [name for name in rules.tables() if name not in INTERFACE]
    for name in wanted:
        console.print(rules_table(rules.tables()[name]))
    if not agents and not (actions or observation):
        console.print(
            f"{rules.action_size} actions (--actions); {rules.observation_size} values in the observation with "
            f"{players} players (--observation)\n"
            f"Boards: {', '.join(rules.boards)}. Games: {', '.join(registered_games())}. Bots: {', '.join(rules.bots)}"
        )
    return 0
