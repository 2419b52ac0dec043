"""Generate the page of the published models: their cards, and a plot of their training."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from thurn_env.files import read_text
from thurn_env.games import make_rules
from thurn_env.players.policy import RELEASE, load, published
from thurn_env.serve.strengths import MATCH
from thurn_env.table.changed_options import changed_options
from thurn_env.training.config import rules_of
from thurn_env.training.exploit.result import MIRROR
from train.model_card import RESPONSE, WEAKNESSES, evaluations_of

INTRODUCTION = """<!-- Written by `python -m docs.generate` from the cards in thurn_env/players/models/. -->

# Models

`ppo:NAME` plays a policy of the package with NumPy alone; `ppo+mcts:NAME,200` adds 200 search iterations:

```sh
thurn play --agents human ppo:{first}
thurn tournament --agents heuristic ppo:{first} --players 2 --games 100 --seed 1 --out runs/models
```

See also [training results](training_results.md) and [bots' strength](agents.md#how-strong-they-are).

## Strength

How often, in percent, the first ranks before the second (equal strength: 50); *search* is `ppo+mcts:NAME,200`. Seats,
*ranks before* and intervals are as in [the ladder](ladder.md), responses as in [`thurn exploit`](exploit.md). Search is
a response, too, so the higher of both shares is the bound.

{strength}

{searched}

The cards, `thurn_env/players/models/NAME.md`, describe how each was made and measured.

![Share of games won against the heuristic during training](images/learning.svg)

Evaluations against `heuristic` by wall time of the whole command, with 95 % intervals; lessons and runs for
other numbers of players come before a curve. Dashed lines: share of an equally strong player.

## Known weaknesses
"""


def names_in_order() -> list[str]:
    """Return the names of the models: by game, usual board first, options and number of players."""

    def place(name: str) -> tuple[str, bool, str, list[str], int]:
        config = _config(name)
        board = rules_of(config).board_name
        usual = make_rules(config["game"], config["players"]).board_name
        return config["game"], board != usual, board, config["option"], config["players"]

    return sorted(published(), key=place)


def page() -> str:
    """Return the page."""
    names = names_in_order()
    cards = [read_text(RELEASE / f"{name}.md") for name in names]
    introduction = INTRODUCTION.format(first=names[0], strength=strength(names, cards), searched=before_search(cards))
    return "\n".join([introduction, *map(weaknesses, cards)])


BOUND = re.compile(r"in ([\d.]+)% of \S+ games \(95 % interval ([\d.]+)% to ([\d.]+)%[;)]")
"""Share and interval in the sentence of a card about a best response."""
UNBEATEN = f"{100 * MIRROR:.1f}"
"""In place of these if the best response found is the policy itself."""
PAIRS = (
    ("policy against `heuristic`", "ppo:{name}", "heuristic"),
    ("search against policy", "ppo+mcts:{name},200", "ppo:{name}"),
)
"""Columns of the table of strength: heading, agent and opponent."""
SEARCH = "mcts:1000"
"""An opponent that only some models met."""


def strength(names: list[str], cards: list[str]) -> str:
    """Return the matches and best responses of all cards as a table with a row for every model."""
    rows = [["model", *(heading for heading, _, _ in PAIRS), "response against policy"], ["---"] * (2 + len(PAIRS))]
    for name, card in zip(names, cards, strict=True):
        played = matches(card)
        cells = [played.get((agent.format(name=name), other.format(name=name)), "") for _, agent, other in PAIRS]
        response = _section(card, f"{RESPONSE}\n\n")
        bound = BOUND.search(response)
        rows.append([f"`{name}`", *cells, share_of(*bound.groups()) if bound else response and UNBEATEN])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def matches(card: str) -> dict[tuple[str, str], str]:
    """Return the shares on a card by agent and opponent."""
    return {(agent, other): share_of(*figures) for agent, other, *figures in MATCH.findall(card)}


def before_search(cards: list[str]) -> str:
    """Return how often models rank before search without a policy, as a list."""
    found = [
        f"- `{agent}`: {share}" for card in cards for (agent, other), share in matches(card).items() if other == SEARCH
    ]
    return "\n".join([f"Against `{SEARCH}`:", "", *found])


def share_of(share: str, low: str, high: str) -> str:
    """Return a share with its interval."""
    return f"{share} ({low} to {high})"


def weaknesses(card: str) -> str:
    """Return the weaknesses on a card as a section."""
    name = card.removeprefix("# ").partition("\n")[0]
    known = card.partition(f"{WEAKNESSES}\n\n")[2]
    return f"### {name}\n\n{known}"


def _section(card: str, start: str) -> str:
    """Return the paragraph after `start`."""
    return card.partition(start)[2].partition("\n\n")[0]


def learning_plot() -> str:
    """Return an SVG plot of the models' shares won against the first opponent of their evaluations, by wall time."""
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.ticker import FuncFormatter, PercentFormatter

    from thurn_env.tournament.plots import LINE, WIDTH, agent_colour, drawing, picture, svg

    tables = dict[str, list[str]]()
    for name in names_in_order():
        tables.setdefault(table_of(_config(name)), []).append(name)
    with drawing():
        rows = -(-len(tables) // COLUMNS)
        figure = Figure((WIDTH, 2.2 * rows), layout="constrained")
        panels = figure.subplots(rows, COLUMNS, sharey=True, squeeze=False).flat
        for (table, names), axes in zip(tables.items(), panels, strict=False):
            for name in names:
                _draw(axes, name)
                axes.axhline(1 / _config(name)["players"], color=LINE, linewidth=0.8, linestyle="dashed")
            axes.set_title(table)
            axes.set_ylim(0, 1)
            axes.set_xlabel("minutes")
            axes.yaxis.set_major_formatter(PercentFormatter(1, 0))
            axes.xaxis.set_major_formatter(FuncFormatter(lambda minutes, _: f"{minutes:g}"))
            axes.grid(axis="both")
            axes.set_xlim(left=0)
        for axes in panels:
            axes.remove()
        numbers = sorted({_config(name)["players"] for name in published()})
        lines = [Line2D([], [], color=agent_colour(number - 2), label=f"{number} players") for number in numbers]
        figure.legend(handles=lines, frameon=False, loc="outside lower center", ncols=len(lines))
        return picture(svg(figure, "learning", "Share of games won during training"))


COLUMNS = 2
"""Panels beside each other."""


def table_of(config: dict[str, Any]) -> str:
    """Return a table without its number of players, as panels and sections name it."""
    rules = rules_of(config)
    return ", ".join([f"{rules.title}: {rules.board_name}", *changed_options(rules)])


def _config(name: str) -> dict[str, Any]:
    config: dict[str, Any] = load(RELEASE / f"{name}.npz").made["config"]
    return config


def _draw(axes: Any, name: str) -> None:
    from thurn_env.tournament.plots import agent_colour

    made, entries = load(RELEASE / f"{name}.npz").made, evaluations_of(RELEASE / f"{name}.npz")
    opponent, players = made["config"]["evaluate_against"][0], made["config"]["players"]
    before = minutes_before(made)
    minutes = [before + entry["minutes"] for entry in entries]
    shares = [entry[opponent] for entry in entries]
    around = [entry[f"{opponent} interval"] for entry in entries]
    colour = agent_colour(players - 2)
    axes.errorbar(minutes, shares, around, color=colour, linewidth=1.2, elinewidth=0.8, marker="o", markersize=2.5)


def minutes_before(made: dict[str, Any]) -> float:
    """Return the minutes before the last run of a training: those of lessons and of runs for other tables."""
    minutes: float = made.get("lesson_minutes", 0.0)
    if start := made.get("start"):
        minutes += minutes_before(start) + start["minutes"]
    return minutes


def files(docs: Path) -> dict[Path, str]:
    """Return the contents of the page's files; empty if no model is published."""
    if not published():
        return {}
    return {docs / "models.md": page(), docs / "images" / "learning.svg": learning_plot()}
