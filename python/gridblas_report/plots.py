"""The plots, each a function of the results; all_of draws those for which there is data."""

from __future__ import annotations

import io
import math
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Callable

import matplotlib
import matplotlib.cm
import matplotlib.colors
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from .layout import positions
from .results import Result

# Distinguishable with colour blindness (Okabe and Ito), on light and dark backgrounds.
COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999999"]
INK = "#010203"  # lines and letters: in a page they take the page's own colour
PHASES = ["expand", "mask", "local", "fold", "delegate", "write"]
SENT = ["expand", "mask", "fold", "delegate"]
WIDE, NARROW = 7.0, 3.8  # inches: on paper and large screens, and on a telephone

matplotlib.rcParams.update(
    {
        "svg.fonttype": "none",
        "font.family": "sans-serif",
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.prop_cycle": matplotlib.cycler(color=COLOURS),
        **{k: INK for k in ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color")},
    }
)


@dataclass
class Plot:
    name: str  # of its files
    title: str
    text: str  # what it shows, for those who don't see it too
    figure: Figure
    narrow: Figure | None = None  # the same for a telephone

    @cached_property
    def _svg(self) -> str:
        return _svg(self.figure, self.name)

    def save(self, page: Path) -> None:
        """PNG and SVG files next to the page, on white, for any background."""
        beside = page.with_name(f"{page.stem}-{self.name}")
        white = re.sub(r"(<svg[^>]*>)", r'\1<rect width="100%" height="100%" fill="white"/>', self._svg, count=1)
        beside.with_name(beside.name + ".svg").write_text(re.sub(r"<metadata>.*?</metadata>", "", white, flags=re.S), encoding="utf-8")
        self.figure.savefig(beside.with_name(beside.name + ".png"), format="png", dpi=144, facecolor="white")

    def inline(self) -> str:
        """For a page: one for wide screens and one for narrow ones, of which the page's style shows one."""
        narrow = self._inline(_svg(self.narrow, self.name + "n"), "on-narrow") if self.narrow else ""
        return self._inline(self._svg, "on-wide" if narrow else "on-all") + narrow

    def _inline(self, svg: str, shown: str) -> str:
        """In the page's colours, as wide as it allows."""
        svg = svg[svg.index("<svg") :].replace(INK, "currentColor")
        svg = re.sub(r' (?:width|height)="[\d.]+pt"', "", svg, count=2)
        svg = re.sub(r' id="[A-Za-z][\w.]*_\d+"', "", svg)  # names that nothing refers to, the same in every picture
        svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
        return svg.replace("<svg", f'<svg class="{shown}" role="img" aria-label="{self.title}"', 1)


def _svg(figure: Figure, name: str) -> str:
    """The figure as SVG text; the name makes its elements' ids unique in the page."""
    with matplotlib.rc_context({"svg.hashsalt": name}):
        f = io.StringIO()
        figure.savefig(f, format="svg", transparent=True, metadata={"Date": None})
    # positions on the picture, which stand in tags: a hundredth of a point is enough
    return re.sub(r"<[^>]*>", lambda tag: re.sub(r"(\.\d\d)\d+", r"\1", tag.group()), f.getvalue())


def _figure(width: float, height: float, rows: int = 1) -> tuple[Figure, Any]:
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(rows, 1, sharex=rows > 1, squeeze=False)[:, 0]


def _stack(axis: Any, x: list[int], levels: list[dict[str, Any]], kinds: list[str], suffix: str) -> bool:
    """Stacked bars of all kinds with data."""
    base = np.zeros(len(x))
    values = [np.array([p.get(kind + suffix, 0) for p in levels], float) for kind in kinds]
    for k, (kind, value) in enumerate(zip(kinds, values)):
        if value.sum() > 0.002 * sum(map(np.sum, values)):  # what can be seen has a name
            axis.bar(x, value, bottom=base, label=kind, color=COLOURS[k])
        base += value
    axis.margins(y=0.15)
    if base.any():
        axis.legend(fontsize=7, ncols=3, frameon=False)
    return bool(base.any())


def profile(r: Result, number: int, width: float) -> Plot | None:
    """What each level of a search did."""
    levels = r.levels
    if not levels:
        return None
    x = list(range(1, len(levels) + 1))
    sent = any(p.get(k + "_bytes", 0) for p in levels for k in SENT)
    figure, axes = _figure(width, 5 + 1.6 * sent, 2 + sent)
    top, times = axes[0], axes[-1]
    for kind, marker in (("frontier", "o"), ("found", "s"), ("inspected", "^")):
        top.plot(x, [p[kind] for p in levels], marker=marker, label=kind if kind != "inspected" else "entries inspected")
    top.set_yscale("symlog", linthresh=1)
    top.set_ylim(bottom=0)
    top.set_ylabel("vertices, entries")
    top.legend(fontsize=7, frameon=False)
    for k, p in zip(x, levels):
        if str(p["direction"]).startswith("pull"):
            for axis in axes:
                axis.axvspan(k - 0.5, k + 0.5, color="#888888", alpha=0.15, lw=0)
    if sent:
        _stack(axes[1], x, levels, SENT, "_bytes")
        axes[1].set_ylabel("bytes sent")
    _stack(times, x, levels, PHASES, "_ms")
    times.set_ylabel("milliseconds")
    times.set_xlabel("level")
    step = max(1, math.ceil(len(x) / (12 if width == WIDE else 6)))
    times.set_xticks(x[::step], [f"{k}\n{p['direction']}" for k, p in list(zip(x, levels))[::step]])
    text = f"{r.name}: {r.graph}. Frontier, vertices found and entries inspected of each level" + (", bytes sent" if sent else "")
    return Plot(f"levels{number}", "What each level did", text + ", and milliseconds a phase, the slowest process's. Shaded: pull.", figure)


def histogram(r: Result, number: int, width: float) -> Plot | None:
    """Vertices by degree, in classes of powers of two."""
    counts = r.values.get("degree_histogram")
    if not counts:
        return None
    figure, (axis,) = _figure(width, 3)
    names = ["0", "1"] + [f"{2 ** (k - 1)}–{2**k - 1}" for k in range(2, len(counts))]
    axis.bar(range(len(counts)), counts)
    axis.set_yscale("symlog", linthresh=1)
    axis.set_xticks(range(len(counts)), names[: len(counts)], rotation=45, ha="right", fontsize=7)
    axis.set_xlabel("edges of a vertex")
    axis.set_ylabel("vertices")
    return Plot(f"degrees{number}", "Degrees", f"{r.name}: {r.graph}. How many vertices have so many edges.", figure)


def scaling(found: list[Result], width: float) -> Plot | None:
    """Speed against processes, of each task that was done on several numbers of them."""
    tasks: dict[tuple[str, str], dict[int, float]] = {}
    for r in found:
        if r.speed:
            unit, speed = r.speed
            best = tasks.setdefault((r.task, unit), {})
            best[r.processes] = max(best.get(r.processes, 0), speed)
    tasks = {k: v for k, v in tasks.items() if len(v) > 1}
    if not tasks:
        return None
    figure, (axis,) = _figure(width, 3.4)
    for k, ((task, unit), by) in enumerate(sorted(tasks.items())):
        p = sorted(by)
        colour = COLOURS[k % len(COLOURS)]
        axis.plot(p, [by[n] for n in p], "o-", color=colour, label=f"{task}, {unit}")
        axis.plot(p, [by[p[0]] * n / p[0] for n in p], ":", color=colour)
    ticks = sorted({n for by in tasks.values() for n in by})
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_xticks(ticks, [str(t) for t in ticks])
    axis.minorticks_off()
    axis.set_xlabel("processes")
    axis.set_ylabel("speed")
    axis.legend(fontsize=7, frameon=False)
    return Plot("scaling", "More processes", "Speed on several numbers of processes; dotted: as many times as fast as they are more.", figure)


def comparisons(found: list[Result], width: float) -> list[Plot]:
    """Runs on one graph, next to each other."""
    graphs: dict[tuple[str, str], list[tuple[Result, float]]] = {}
    for r in found:
        if r.speed:
            graphs.setdefault((r.graph, r.speed[0]), []).append((r, r.speed[1]))
    return [_comparison(graph, unit, runs, k + 1, width) for k, ((graph, unit), runs) in enumerate(graphs.items()) if len(runs) > 1]


def _comparison(graph: str, unit: str, runs: list[tuple[Result, float]], number: int, width: float) -> Plot:
    figure, (axis,) = _figure(width, 0.9 + 0.35 * len(runs))
    names = [f"{r.name}, {r.processes} process{'es' if r.processes > 1 else ''}" for r, _ in runs]
    bars = axis.barh(range(len(runs)), [s for _, s in runs], color=COLOURS[0])
    axis.bar_label(bars, [f"{s:.4g}" for _, s in runs], padding=3, fontsize=7)
    axis.set_yticks(range(len(runs)), names)
    axis.invert_yaxis()
    axis.margins(x=0.12)
    axis.set_xlabel(unit)
    return Plot(f"runs{number}", "Runs beside each other", f"{graph}: {unit} of each result; more is better.", figure)


def roofline(r: Result, number: int, width: float) -> Plot | None:
    """Rows of bench/ops.sh under the memory's limit, which was measured in the same run."""

    def rate(row: dict[str, Any], key: str) -> float:
        ms = row["ms"].get(key)
        return row["entries"] / ms / 1e6 if ms else 0.0  # thousands of millions of entries a second

    copies = [row for row in r.rows if row["row"] == "limit.copy" and rate(row, "limit")]
    limits = [row for row in r.rows if row["row"].startswith("limit.") and row["row"] != "limit.copy" and rate(row, "limit")]
    rows = [row for row in r.rows if row["ms"].get("1") and row["bytes"] and row["entries"]]
    if not rows or not copies:
        return None
    bandwidth = max(row["bytes"] / row["ms"]["limit"] / 1e6 for row in copies)  # GB/s
    figure, (axis,) = _figure(width, 4.4)
    x = np.array([row["entries"] / row["bytes"] for row in rows])
    axis.plot(x, [rate(row, "1") for row in rows], "o", ms=4, label="operations", color=COLOURS[0])
    for k, row in enumerate(limits[:5]):
        axis.axhline(rate(row, "limit"), color=COLOURS[(k + 1) % len(COLOURS)], ls="--", lw=1, label=row["row"])
    ends = np.array([x.min() / 1.5, x.max() * 1.5])
    axis.plot(ends, ends * bandwidth, color=INK, lw=1.5, label=f"copying, {bandwidth:.1f} GB/s")
    worst = sorted(rows, key=lambda row: rate(row, "1") / (row["entries"] / row["bytes"]))[:3]
    for row in worst:
        axis.annotate(row["row"], (row["entries"] / row["bytes"], rate(row, "1")), fontsize=6, xytext=(4, 2), textcoords="offset points")
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_xlabel("entries a byte that must be touched")
    axis.set_ylabel("10⁹ entries a second")
    axis.legend(fontsize=7, frameon=False)
    text = f"{r.name}: {len(rows)} operations under the machine's limits, which were measured beside them; the farthest below are named. Above the line: from cache."
    return Plot(f"roofline{number}", "What the machine allows", text, figure)


def _classes(value: np.ndarray, what: str) -> list[tuple[np.ndarray, Any, str]] | None:
    """Vertices that share a colour, the colour, and what the legend says of it; None: too many different numbers for that, in an order of their own."""
    kinds = np.unique(value[~np.isnan(value)])
    if what in ("component", "label", "member"):  # numbers that mean no more than the same or not
        largest = sorted(kinds, key=lambda kind: -int((value == kind).sum()))[: len(COLOURS) - 1]
        classes = [(value == kind, COLOURS[k], f"{what} {kind:g}") for k, kind in enumerate(largest)]
        others = ~np.isnan(value) & ~np.isin(value, largest)
        return classes + ([(others, COLOURS[-1], "others")] if others.any() else [])
    if len(kinds) > 10 or (kinds != np.floor(kinds)).any():
        return None
    shades = matplotlib.colormaps["viridis"](np.linspace(0, 1, len(kinds)))
    return [(value == kind, shade, f"{what} {kind:g}") for kind, shade in zip(kinds, shades)]


def _name(axis: Any, name: str, place: np.ndarray, colour: Any) -> None:
    """A vertex's name, dark on light and light on dark; one that is too long for the circle stands below it."""
    if len(name) > 6:
        axis.annotate(name, place, xytext=(0, -9), textcoords="offset points", ha="center", va="top", fontsize=6, color="#888888", zorder=3)
        return
    red, green, blue = matplotlib.colors.to_rgb(colour)
    axis.annotate(name, place, ha="center", va="center", fontsize=6, color="white" if 0.3 * red + 0.6 * green + 0.1 * blue < 0.6 else "black", zorder=3)


def drawing(r: Result, number: int, width: float) -> Plot | None:
    """A small graph, its vertices coloured by the result."""
    d = r.values.get("drawing")
    if not d:
        return None
    n, edges = len(d["names"]), np.array(d["edges"], int).reshape(-1, 2)
    value = np.array([math.nan if v is None else v for v in d["values"]], float)
    if d["colour"] in ("component", "label"):  # a vertex that shares its number with no other has no colour
        kinds, index, members = np.unique(value, return_inverse=True, return_counts=True)
        value[members[index.reshape(-1)] == 1] = math.nan
    alone = " or by itself" if d["colour"] in ("component", "label") else ""
    have = ~np.isnan(value)
    at = positions(n, edges[edges[:, 0] != edges[:, 1]])
    wide, high = np.ptp(at, axis=0) + 1
    figure, (axis,) = _figure(width, min(5.0, max(0.35 * width, 0.8 * width * high / wide) + 0.6))
    axis.add_collection(LineCollection(at[edges], colors="#888888", linewidths=0.7, zorder=1))
    size = (180 if n <= 40 else 40) * (width / WIDE)
    axis.scatter(*at[~have].T, s=size, facecolors="none", edgecolors="#888888", zorder=2)
    classes = _classes(value, d["colour"])
    colour = np.full((n, 3), 1.0)
    if classes is None:
        shade = matplotlib.cm.ScalarMappable(matplotlib.colors.Normalize(value[have].min(), value[have].max()), "viridis")
        colour[have] = shade.to_rgba(value[have])[:, :3]
        figure.colorbar(shade, ax=axis, label=d["colour"], location="bottom", shrink=0.7, aspect=30)
        classes = [(have, colour[have], "")]
    for members, its, text in classes:
        colour[members] = its if text == "" else matplotlib.colors.to_rgb(its)
        axis.scatter(*at[members].T, s=size, color=its, zorder=2, label=text or None)
    if classes and classes[0][2]:
        axis.legend(fontsize=7, frameon=False, loc="upper center", bbox_to_anchor=(0.5, 0), ncols=6 if width == WIDE else 3, markerscale=0.6)
    for v in range(n if n <= 40 else 0):
        _name(axis, str(d["names"][v]), at[v], colour[v])
    bottom, top = axis.get_ylim()
    if top - bottom < 0.2 * wide:  # vertices on a line: room for their circles and names
        axis.set_ylim(at[:, 1].mean() - 0.1 * wide, at[:, 1].mean() + 0.1 * wide)
    axis.set_axis_off()
    axis.set_aspect("equal")
    return Plot(f"graph{number}", "The graph", f"{r.name}: {r.graph}, {n} vertices, coloured by {d['colour']}; empty: none{alone}.", figure)


def all_of(found: list[Result]) -> list[Plot]:
    each: list[Callable[[Result, int, float], Plot | None]] = [profile, histogram, drawing, roofline]

    def drawn(width: float) -> list[Plot]:
        plots = [f(r, k + 1, width) for k, r in enumerate(found) for f in each]
        return [p for p in [*comparisons(found, width), scaling(found, width), *plots] if p]

    plots = drawn(WIDE)
    for plot, narrow in zip(plots, drawn(NARROW)):
        plot.narrow = narrow.figure
    return plots
