"""The page of the published models: their cards one after the other, and a picture of how they learned."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from agents.policy import RELEASE, load, published
from thurn_env.files import read_text
from train.model_card import MATCHES, evaluations_of

INTRODUCTION = """<!-- Written by `python -m docs.generate` from the cards in agents/models/. -->

# Models

Policies that come with the project. `ppo:NAME` plays one with NumPy alone, `ppo+mcts:NAME,200` searches with it:

```sh
thurn play --agents human ppo:{first}
python -m eval.tournament --agents heuristic ppo:{first} --players 2 --games 100 --seed 1 --out runs/models
```

{strength}

Every deck was played from every seat, against copies of the other agent where there are more than two seats; *ranks
before* counts ties half, and the interval is of 95 %, by resampling decks. The commands are on the cards below.

How the policies were made, and what that took, is told on the page about [what training reaches](training_results.md);
how to train and publish your own on that about [training](training.md). How good the agents are that they were measured
against is on that about [agents](agents.md#how-strong-they-are).

![Share of games won against the heuristic during training](images/learning.svg)

Evaluations during training, with 95 % intervals. The dashed lines are the shares of an equal: a half, a third and so
on. Of a run that began with another policy only its own part is shown.
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


def _lowered(card: str) -> str:
    """A card with its headings one level down."""
    return re.sub(r"^#", "##", card, flags=re.MULTILINE)


def learning_plot() -> str:
    """How the models did against the first opponent of their evaluations, as an SVG file."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter

    from eval.plots import LINE, WIDTH, agent_colour, drawing, picture, svg

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
