"""The page of the published models: their cards one after the other, and a picture of how they learned."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from thurn_env.files import read_text
from thurn_env.players.policy import RELEASE, load, published
from train.model_card import MATCHES, evaluations_of

INTRODUCTION = """<!-- Written by `python -m docs.generate` from the cards in thurn_env/players/models/. -->

# Models

This page lists the policies that come with the package. `ppo:NAME` plays a policy with NumPy alone;
`ppo+mcts:NAME,200` adds 200 search iterations:

```sh
thurn play --agents human ppo:{first}
thurn tournament --agents heuristic ppo:{first} --players 2 --games 100 --seed 1 --out runs/models
```

{strength}

Every deck is played from every seat; with more than two seats, copies of the other agent fill them. *Ranks before*
counts ties as half. Intervals are 95 % confidence intervals from resampling decks. The
page leaves out parts of the model cards; the file `thurn_env/players/models/NAME.md` is the whole card of a model, with
the commands of its matches and the figures of its training.

For training runs and their cost, see [training results](training_results.md). To train and publish a policy, see
[training](training.md). For the strength of the opponents, see [agents](agents.md#how-strong-they-are).

![Share of games won against the heuristic during training](images/learning.svg)

Evaluations during training, with 95 % intervals. Dashed lines mark the share of an equally strong player (1/2, 1/3, and
so on). For a run that started from another policy, only the last run is shown.
"""


def page() -> str:
    """The whole page."""
    names = published()
    cards = [read_text(RELEASE / f"{name}.md") for name in names]
    return "\n".join([INTRODUCTION.format(first=names[0], strength=strength(cards)), *map(_lowered, cards)])


def strength(cards: list[str]) -> str:
    """The tables of all cards in one."""
    head = "\n".join(MATCHES)
    return "\n".join([head, *(card.partition(f"{head}\n")[2].partition("\n\n")[0] for card in cards)])


LEFT_OUT = ("Strength", "Learning")
"""Sections of cards that the page has in one table and one plot for all models."""


def _lowered(card: str) -> str:
    """A card with its headings one level down, without the sections that the page has for all models together."""
    head, *sections = re.split(r"^## ", card, flags=re.MULTILINE)
    kept = [section for section in sections if section.partition("\n")[0] not in LEFT_OUT]
    return re.sub(r"^#", "##", "## ".join([head, *kept]), flags=re.MULTILINE)


def learning_plot() -> str:
    """How the models did against the first opponent of their evaluations, as an SVG file."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter

    from thurn_env.tournament.plots import LINE, WIDTH, agent_colour, drawing, picture, svg

    with drawing():
        figure = Figure((WIDTH, 2.6))
        axes = figure.subplots()
        for number, name in enumerate(published()):
            config = load(RELEASE / f"{name}.npz").made["config"]
            _draw(axes, evaluations_of(RELEASE / f"{name}.npz"), config, agent_colour(number), name)
            axes.axhline(1 / config["players"], color=LINE, linewidth=0.8, linestyle="dashed")
        axes.set_ylim(0, 1)
        axes.set_xlabel("million decisions")
        axes.yaxis.set_major_formatter(FuncFormatter(lambda share, _: f"{share:.0%}"))
        axes.grid(axis="both")
        axes.legend(frameon=False, loc="lower right")
        return picture(svg(figure, "learning", "Share of games won during training"))


def _draw(axes: Any, entries: list[dict[str, Any]], config: dict[str, Any], colour: str, label: str) -> None:
    opponent = config["evaluate_against"][0]
    millions = [entry["steps"] / 1e6 for entry in entries]
    shares = [entry[opponent] for entry in entries]
    around = [entry[f"{opponent} interval"] for entry in entries]
    axes.errorbar(millions, shares, around, color=colour, linewidth=1.2, elinewidth=0.8, marker="o", markersize=2.5)
    axes.plot([], [], color=colour, label=label)


def files(docs: Path) -> dict[Path, str]:
    """What the page's files should hold; none if nothing is published."""
    if not published():
        return {}
    return {docs / "models.md": page(), docs / "images" / "learning.svg": learning_plot()}
