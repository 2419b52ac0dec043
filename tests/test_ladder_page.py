"""The page of the ladders: what it says of the rungs, of the runs, and of how to play them."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

from docs import ladders
from eval import ladder, ladder_results
from eval.ladder import read_plan
from thurn_env.games import make_rules


def test_the_page_is_that_of_the_plan() -> None:
    """Whoever changes the plan or a board plays the ladder again.

    The page names the engine and the searching agents that played, but they may have changed since: not every change of
    theirs changes games, and nothing here plays them again.
    """
    plan = read_plan()
    for file in ladder_results.RESULTS.glob("*.json"):
        noted = json.loads(file.read_text("utf-8"))
        played = ladder.shortened(plan[noted["ladder"]["name"]], noted["ladder"]["games"])
        assert noted["ladder"] == json.loads(json.dumps(played.as_dict())), file
        assert noted["board digest"] == make_rules(played.game, noted["players"], played.board).board_digest, file


def test_ladders_that_stand_on_one_another_come_together() -> None:
    def noted(*agents: str) -> dict[str, dict[str, tuple[str, ...]]]:
        return {"ladder": {"agents": agents}}

    lower, apart, upper = noted("greedy", "mcts:10"), noted("mcts:5", "mcts:20"), noted("mcts:10", "mcts:40")
    assert ladders.towers([lower, apart, upper]) == [[lower, upper], [apart]]
    three, two = {"players": 3}, {"players": 2}
    assert ladders.ordered([lower | three, lower | two, apart | two, upper | two]) == [
        *(upper | two, lower | two, apart | two),
        lower | three,
    ]


def test_the_first_decks_only() -> None:
    """They are those that the whole ladder begins with, and the page names the option that plays no more."""
    whole = read_plan()["full"]
    config = ladder.shortened(whole, 30).config(3)
    assert (config.decks, config.first_deck, config.seed) == (30, 0, whole.seed)
    words = shlex.split(ladder.shortened(whole, 30).command(3, Path("somewhere")))
    assert words[:2] == ["thurn", "tournament"]
    assert words[words.index("--games") + 1] == "30"
    entry = json.loads((ladder_results.RESULTS / "full-2.json").read_text("utf-8"))
    assert "--decks" not in "\n".join(ladders.origin([entry]))
    entry["ladder"]["games"] = 30
    origin = "\n".join(ladders.origin([entry]))
    assert ": 30 decks (`--decks 30`), seed 1" in origin


def test_the_page_tells_of_all_runs() -> None:
    """A ladder that was resumed names the least and the greatest load; what was noted earlier knows the first one."""
    entry = json.loads((ladder_results.RESULTS / "summit-2.json").read_text("utf-8"))
    entry |= {"machine": "some machine", "cores": 2, "load": [1.5, 1, 1], "versions": {"thurn-env": "0.1.0"}}
    entry.pop("runs", None)
    assert "thurn-env 0.1.0; some machine, 2 cores, load 1.5 at the start." in next(ladders.origin([entry]))
    run = {key: entry.pop(key) for key in ("machine", "cores", "load", "versions")}
    entry["runs"] = [run, run | {"load": [0.25, 0, 0], "versions": {"thurn-env": "0.2.0"}}]
    own = next(ladders.origin([entry]))
    assert "thurn-env 0.1.0 and thurn-env 0.2.0; some machine, 2 cores, load 0.25 to 1.5 at the start of 2 runs." in own


def test_ladders_of_several_numbers_of_players_share_their_facts() -> None:
    """Unless something else than the runs differs, such as the engine."""
    two = json.loads((ladder_results.RESULTS / "full-2.json").read_text("utf-8")) | {"engine": "e", "searchers": "s"}
    three = two | {"players": 3, "runs": [two["runs"][0] | {"load": [9.5, 1, 1], "commit": "c" * 40, "dirty": False}]}
    other = three | {"players": 4, "engine": "f"}
    assert ladders.grouped([two, three, other]) == [[two, three], [other]]
    text = next(ladders.origin([two, three]))
    assert text.startswith("`full` with 2 and 3 players: 1,000 decks, seed 1; ")
    assert f"`{two['runs'][0]['commit'][:12]}` and `{'c' * 12}`" in text
    assert " to 9.5 at the start of 2 runs." in text


def test_games_over_ray_are_not_said_to_be_those_of_the_machine_that_asked() -> None:
    entry = json.loads((ladder_results.RESULTS / "full-3.json").read_text("utf-8"))
    run = entry["runs"][0] | {"machine": "some machine", "cores": 2, "load": [0.5, 0, 0]}
    entry["runs"] = [run, run | {"load": [9, 9, 9], "ray": {"nodes": 3, "cpus": 48}}]
    assert "; some machine, 2 cores and Ray, 3 nodes with 48 CPUs, load 0.5 at the start." in next(
        ladders.origin([entry])
    )


def test_the_page_names_the_commits_of_all_runs() -> None:
    """Ladders that were noted before there were commits name none; a run without one is not passed over."""
    entry = json.loads((ladder_results.RESULTS / "full-3.json").read_text("utf-8"))
    run = {key: value for key, value in entry["runs"][0].items() if key not in ("commit", "dirty")}
    entry["runs"] = [run]
    assert "commit" not in next(ladders.origin([entry]))
    clean, dirty = run | {"commit": "a" * 40, "dirty": False}, run | {"commit": "b" * 40, "dirty": True}
    entry["runs"] = [clean, clean]
    assert f", commit `{'a' * 12}`; thurn-env" in next(ladders.origin([entry]))
    entry["runs"] = [clean, dirty, run]
    assert f", commit `{'a' * 12}`, `{'b' * 12}` with changes and one not noted; " in next(ladders.origin([entry]))


def test_one_command_plays_all_ladders_of_the_page() -> None:
    def noted(name: str, *players: int) -> list[dict[str, Any]]:
        return [{"ladder": {"name": name}, "players": number} for number in players]

    whole = "\n".join(ladders.together([*noted("full", 2, 3, 4), *noted("skill", 2)]))
    assert "\npython -m eval.ladder --name full skill --out runs/ladder\n" in whole
    assert "not noted" not in whole
    partly = "\n".join(ladders.together([*noted("full", 2, 3, 4), *noted("summit", 2)]))
    assert "; it also plays `summit` with 3 and 4 players, not noted here:\n" in partly


def test_tables_of_the_page_have_headings_of_their_own() -> None:
    entry = {"ladder": {"board": "north", "option": ["horses=true"]}}
    assert ladders.table(entry) == "Board north, horses"
    assert ladders.table({"ladder": {"board": "south"}}) == "Board south"
