"""The plots of the report as inline SVG.

Matplotlib does not support style sheets, so it draws with placeholder colours, which are then replaced by the page's
variables: `--ink`, `--muted`, `--line`, `--agent-0` and so on. Plots therefore follow the page's dark mode.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from thurn_env.games.contract import Float64Array
from thurn_env.tournament.standings import Share
from thurn_env.tournament.wording import elided, points, seconds, share_text, signed

INK, MUTED, LINE = "#010101", "#020202", "#030303"
STYLE_SHEET = Path(__file__).parent / "templates" / "report.css"
COLOURS = 8
"""Number of agent colours in the style sheet; further agents reuse them with another mark."""
MARKS = "osD^vPX*"
WIDTH = 5.2
"""Width of a plot in inches of 72 SVG units."""
STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "thurn-env",
    "text.parse_math": False,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 8.5,
    "text.color": INK,
    "axes.edgecolor": LINE,
    "axes.labelcolor": MUTED,
    "axes.labelsize": 8,
    "axes.facecolor": "none",
    "axes.grid": True,
    "axes.grid.axis": "x",
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.unicode_minus": True,
    "axes.titlesize": 8.5,
    "axes.titlelocation": "left",
    "grid.color": LINE,
    "grid.linewidth": 0.6,
    "xtick.color": LINE,
    "xtick.labelcolor": MUTED,
    "xtick.labelsize": 8,
    "ytick.color": LINE,
    "ytick.labelcolor": INK,
    "ytick.left": False,
    "figure.facecolor": "none",
    "figure.constrained_layout.use": True,
}


def agent_colour(number: int) -> str:
    """Return the placeholder of an agent's colour."""
    return f"#0500{number % COLOURS:02x}"


def agent_mark(number: int) -> str:
    """Return the mark of an agent in plots; agents of the same colour have different marks."""
    return MARKS[(number + number // COLOURS) % len(MARKS)]


VARIABLES = {INK: "--ink", MUTED: "--muted", LINE: "--line"} | {
    agent_colour(number): f"--agent-{number}" for number in range(COLOURS)
}


@contextmanager
def drawing() -> Iterator[None]:
    """Use the report's Matplotlib style, without warnings about missing glyphs."""
    with matplotlib.rc_context(STYLE), warnings.catch_warnings():  # type: ignore[arg-type]
        warnings.simplefilter("ignore")
        yield


def svg(figure: Figure, name: str, description: str) -> str:
    """Return a figure as an SVG element; `name` makes its ids unique within the page."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>|<style .*?</style>|<!--.*?-->", "", text, flags=re.DOTALL)
    text = text.replace("xlink:href", "href")
    text = re.sub(r'\bid="', f'id="{name}-', text)
    text = re.sub(r'href="#', f'href="#{name}-', text)
    text = re.sub(r"url\(#", f"url(#{name}-", text)
    text = re.sub(r"px '[^;\"]*", "px var(--sans)", text)
    text = re.sub(r"#0[0-9a-f]{5}\b", lambda found: _variable(found[0]), text)
    box = re.search(r'viewBox="([^"]*)"', text)
    assert box
    opening = f'<svg viewBox="{box[1]}" role="img" aria-label="{escape(description)}">'
    return opening + re.sub(r"\n\s*", "\n", text[text.index(">") + 1 :]).strip()


def _variable(colour: str) -> str:
    return f"var({VARIABLES[colour]})" if colour in VARIABLES else colour


def picture(plot: str) -> str:
    """Return a plot as a standalone image in the page's light colours, for a notebook or a file."""
    light, _, _ = STYLE_SHEET.read_text("utf-8").partition("@media")
    values = dict(re.findall(r"(--[\w-]+): ([^;]+);", light))
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', plot)
    assert box
    # The page scales a plot to its width; a standalone image needs a size. Matplotlib uses points, images use pixels.
    width, height = (float(size) * 4 / 3 for size in box.groups())
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
    opening += 'style="background: var(--page)" '
    return re.sub(r"var\((--[\w-]+)\)", lambda found: escape(values[found[1]]), opening + plot.removeprefix("<svg "))


def _rows(axes: Axes, names: Sequence[str]) -> None:
    """Label one row per name, the first one on top."""
    axes.set_yticks(range(len(names)), [elided(name) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(length=0)


def _beside(axes: Axes, row: float, text: str) -> None:
    """Write a text to the right of a row."""
    axes.text(1.02, row, text, transform=axes.get_yaxis_transform(), va="center_baseline", size=8)


def rating_plot(names: Sequence[str], ratings: Sequence[float], intervals: Sequence[Sequence[float] | None]) -> str:
    """Plot every agent's rating as a point with its interval."""
    with drawing():
        figure = Figure((WIDTH, 0.3 * len(names) + 0.5))
        axes = figure.subplots()
        for row, (rating, interval) in enumerate(zip(ratings, intervals, strict=True)):
            if interval is not None:
                axes.plot(interval, [row, row], color=agent_colour(row), linewidth=1.8, solid_capstyle="butt")
                axes.plot(interval, [row, row], "|", color=agent_colour(row), markersize=8, markeredgewidth=1.3)
            axes.plot([rating], [row], agent_mark(row), color=agent_colour(row), markersize=4.5)
            _beside(axes, row, points(rating, interval))
        _rows(axes, names)
        axes.axvline(0, color=MUTED, linewidth=0.8, zorder=1)
        axes.set_xlabel("rating, points of the Elo scale")
        axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: signed(value)))
        every = zip(names, ratings, intervals, strict=True)
        description = "; ".join(f"{name} {points(rating, interval)}" for name, rating, interval in every)
        return svg(figure, "ratings", f"Ratings with 95 % intervals: {description}")


def score_plot(names: Sequence[str], scores: Sequence[Float64Array]) -> str:
    """Plot the distribution of every agent's scores, one above the other on the same scale."""
    with drawing():
        figure = Figure((WIDTH, 0.52 * len(names) + 0.55))
        axes = figure.subplots()
        seen = [row for row in scores if len(row)] or [np.zeros(1)]
        low, high = min(row.min() for row in seen), max(row.max() for row in seen)
        width = max(1, int(np.ceil((high - low + 1) / 90)))
        edges = np.arange(low - 0.5, high + width + 0.5, width)
        heights = [np.histogram(row, edges)[0] / max(1, len(row)) for row in scores]
        for row, height in enumerate(heights):
            base = row + 0.4
            axes.stairs(
                base - 0.8 * height / (height.max() or 1), edges, baseline=base, fill=True, color=agent_colour(row)
            )
            axes.hlines(base, low - 0.5, high + 0.5, color=LINE, linewidth=0.6)
            if len(scores[row]):
                mean, (left, right) = scores[row].mean(), np.quantile(scores[row], [0.05, 0.95])
                axes.plot([left, right], [base + 0.12] * 2, color=INK, linewidth=1.1, solid_capstyle="butt")
                axes.plot([mean], [base + 0.12], "o", color=INK, markersize=3.4)
                _beside(axes, row, f"{signed(mean, 1)} ({signed(left)} to {signed(right)})")
        _rows(axes, names)
        axes.set_ylim(len(names) - 0.3, -0.5)
        axes.set_xlabel("score, points")
        axes.xaxis.set_major_locator(MaxNLocator(8, integer=True, steps=[1, 2, 5, 10]))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: signed(value, plus="")))
        description = "; ".join(
            f"{name} {signed(row.mean(), 1)}" for name, row in zip(names, scores, strict=True) if len(row)
        )
        return svg(figure, "scores", f"Distributions of scores; means: {description}")


def share_plot(panels: Sequence[tuple[str, Sequence[str], Sequence[Share]]]) -> str:
    """Plot shares of all wins by place, with the fair share; one panel per way to number the places."""
    with drawing():
        rows = len(panels[0][1])
        figure = Figure((WIDTH, 0.3 * rows + 0.8))
        description = []
        bounds = [
            bound for _, _, shares in panels for share in shares for bound in (share.share, *(share.interval or ()))
        ]
        margin = max(0.01, 0.15 * (max(bounds) - min(bounds)))
        for axes, (title, places, shares) in zip(
            figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True
        ):
            axes.axvline(1 / rows, color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
            for row, share in enumerate(shares):
                if share.interval is not None:
                    axes.plot(share.interval, [row, row], "-|", color=INK, linewidth=1.4, markersize=7)
                axes.plot([share.share], [row], "o", color=INK, markersize=5)
            _rows(axes, places)
            axes.set_title(title, color=INK)
            axes.set_xlim(max(0, min(bounds) - margin), min(1, max(bounds) + margin))
            axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
            axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.4g}\N{NO-BREAK SPACE}%"))
            axes.set_xlabel("share of all wins")
            each = (f"{place} {share_text(share.share)}" for place, share in zip(places, shares, strict=True))
            description.append(f"{title}: {', '.join(each)}")
        return svg(figure, "seats", f"Shares of all wins, with 95 % intervals. {'. '.join(description)}")


def time_plot(names: Sequence[str], times: Sequence[float | None]) -> str:
    """Plot the mean time per decision of every agent on a logarithmic scale."""
    with drawing():
        figure = Figure((WIDTH, 0.3 * len(names) + 0.55))
        axes = figure.subplots()
        for row, time in enumerate(times):
            if time:
                axes.plot([time], [row], agent_mark(row), color=agent_colour(row), markersize=6.5)
            _beside(axes, row, "not known" if time is None else seconds(time))
        _rows(axes, names)
        known = [time for time in times if time] or [1e-3]
        axes.set_xscale("log")
        axes.set_xlim(
            10 ** np.floor(np.log10(min(known)) - 0.1),
            10 ** np.ceil(np.log10(max(known)) + 0.1),
        )
        axes.minorticks_off()
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: seconds(value).replace(".0", "")))
        axes.set_xlabel("mean time per decision, logarithmic")
        description = "; ".join(
            f"{name} {seconds(time)}" for name, time in zip(names, times, strict=True) if time is not None
        )
        return svg(figure, "times", f"Mean time per decision: {description}")
