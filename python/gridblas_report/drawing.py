"""A small graph, its vertices or edges coloured by a result."""

from __future__ import annotations

import math
from typing import Any

import matplotlib.cm
import matplotlib.colors
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from .figure import COLOURS, INK, WIDE, Plot
from .layout import positions
from .results import Result

GREY = "#888888"
SHADES = matplotlib.colors.ListedColormap(matplotlib.colormaps["viridis"](np.linspace(0, 0.93, 256)))  # without yellow that white hides
GROUPS = ("component", "label")  # values that mean no more than the same or not
NAMED, ARROWS, WEIGHTS = 40, 300, 30  # at most so many vertices have names, edges have arrows, and weights


def _numbers(values: list[Any]) -> np.ndarray:
    return np.array([math.nan if v is None else v for v in values], float)


class _Colours:
    """Of all values of a picture: a legend of few, a scale of many."""

    def __init__(self, value: np.ndarray, what: str) -> None:
        self.what = what
        self.kinds = np.unique(value[~np.isnan(value)])
        self.others = False
        if what in GROUPS or what == "member":
            self.kinds = np.array(sorted(self.kinds, key=lambda kind: -int((value == kind).sum())))
            self.others = len(self.kinds) >= len(COLOURS)
            self.kinds = self.kinds[: len(COLOURS) - 1]
            self.colours: list[Any] | None = COLOURS[: len(self.kinds)]
        elif len(self.kinds) <= 10 and (self.kinds == np.floor(self.kinds)).all():
            self.colours = list(SHADES(np.linspace(0, 1, len(self.kinds))))
        else:
            self.colours = None
            self.scale = matplotlib.cm.ScalarMappable(matplotlib.colors.Normalize(self.kinds.min(), self.kinds.max()), SHADES)

    def of(self, value: np.ndarray) -> np.ndarray:
        """A colour for each value; white: none."""
        colour = np.ones((len(value), 4))
        have = ~np.isnan(value)
        if self.colours is None:
            colour[have] = self.scale.to_rgba(value[have])
            return colour
        colour[have] = matplotlib.colors.to_rgba(COLOURS[-1])
        for kind, shade in zip(self.kinds, self.colours):
            colour[value == kind] = matplotlib.colors.to_rgba(shade)
        return colour

    def explain(self, axes: list[Any], below: Any, width: float, edges: bool) -> None:
        """A scale, or a legend in the axes below the pictures."""
        if self.colours is None:
            below.figure.colorbar(self.scale, ax=axes, label=self.what, location="bottom", shrink=0.7, aspect=30)
            return
        texts = [self.what if self.what == "member" else f"{self.what} {kind:g}" for kind in self.kinds]
        shown = list(zip(texts, self.colours)) + [("others", COLOURS[-1])] * self.others
        style = {"lw": 3} if edges else {"marker": "o", "ls": ""}
        marks = [below.plot([], [], color=colour, label=text, **style)[0] for text, colour in shown]
        if marks:
            columns = 6 if width == WIDE else 3
            below.legend(handles=marks, fontsize=7, frameon=False, loc="upper center", bbox_to_anchor=(0.5, 1), ncols=columns, handlelength=1)


def _name(axis: Any, name: str, place: np.ndarray, colour: Any) -> None:
    """A vertex's name, dark on light and light on dark; one that is too long for the circle stands below it."""
    if len(name) > 6:
        axis.annotate(name, place, xytext=(0, -9), textcoords="offset points", ha="center", va="top", fontsize=6, color=GREY, zorder=3)
        return
    ink = "white" if colour[:3] @ [0.3, 0.6, 0.1] < 0.6 else "black"
    axis.annotate(name, place, ha="center", va="center", fontsize=6, color=ink, zorder=3)


def _edges(axis: Any, at: np.ndarray, edges: np.ndarray, directed: bool, weights: list[Any] | None, radius: float) -> None:
    """Lines, or curved arrows so that opposite ones lie apart; radius: of a vertex, in points."""
    bend = 0.15 if directed and len(edges) <= ARROWS else 0.0
    if bend:
        style = {"arrowstyle": "-|>", "color": GREY, "lw": 0.7, "shrinkA": radius, "shrinkB": radius, "mutation_scale": 7}
        for u, v in edges:
            axis.annotate("", at[v], at[u], arrowprops={**style, "connectionstyle": f"arc3,rad={bend}"}, zorder=1)
    else:
        axis.add_collection(LineCollection(at[edges], colors=GREY, linewidths=0.7, zorder=1))
    if weights is not None and len(edges) <= WEIGHTS:
        for (u, v), weight in zip(edges, weights):
            along = at[v] - at[u]
            beside = np.array([along[1], -along[0]]) * (bend / 2 if bend else 0)
            axis.annotate(
                "" if weight is None else f"{weight:g}",
                (at[u] + at[v]) / 2 + beside,
                xytext=7 * np.array([along[1], -along[0]]) / np.linalg.norm(along),
                textcoords="offset points", annotation_clip=False, ha="center", va="center", fontsize=6, color=INK, zorder=3,
            )


def _vertices(axis: Any, at: np.ndarray, value: np.ndarray, colours: _Colours, size: float, names: list[Any]) -> None:
    """Circles, white with an outline where there is no value."""
    colour = colours.of(value)
    outline = np.where(np.isnan(value)[:, None], matplotlib.colors.to_rgba(GREY), colour)
    axis.scatter(*at.T, s=size, color=colour, edgecolors=outline, zorder=2)
    for name, place, shade in zip(names, at, colour):
        _name(axis, str(name), place, shade)
    bottom, top = axis.get_ylim()
    wide = np.ptp(at[:, 0]) + 1
    if top - bottom < 0.2 * wide:  # vertices on a line: room for their circles and names
        axis.set_ylim(at[:, 1].mean() - 0.1 * wide, at[:, 1].mean() + 0.1 * wide)


def _axes(width: float, pictures: int, shape: float) -> tuple[Figure, list[Any], Any]:
    """A figure of so many pictures, each `shape` times as high as wide, and axes for a legend below them."""
    columns = math.ceil(math.sqrt(pictures))
    rows = math.ceil(pictures / columns)
    figure = Figure(figsize=(width, min(5.0, max(0.35 * width, 0.8 * width * shape * rows / columns) + 0.6)), layout="constrained")
    grid = figure.add_gridspec(rows + 1, columns, height_ratios=[1.0] * rows + [0.01])
    axes = [figure.add_subplot(grid[k // columns, k % columns]) for k in range(pictures)]
    below = figure.add_subplot(grid[rows, :])
    for axis in [*axes, below]:
        axis.set_axis_off()
    return figure, axes, below


def drawing(r: Result, number: int, width: float) -> Plot | None:
    """One picture, or one for each source of a result that has several."""
    d = r.values.get("drawing")
    if not d:
        return None
    n, what, on_edges = len(d["names"]), d["colour"], "entries" in d
    edges = np.array(d["edges"], int).reshape(-1, 2)
    no_loop = edges[:, 0] != edges[:, 1]
    weights = [weight for weight, keep in zip(d["weights"], no_loop) if keep] if "weights" in d else None
    edges = edges[no_loop]
    sources = d.get("sources", [None])
    value = _numbers(d["values"] if "values" in d else [None] * n).reshape(len(sources), n)
    entry, entry_edges = _numbers(d.get("entries", [])), np.array(d.get("entry_edges", []), int).reshape(-1, 2)
    if what in GROUPS:  # a vertex that shares its number with no other has no colour
        kinds, index, members = np.unique(value, return_inverse=True, return_counts=True)
        value[members[index.reshape(value.shape)] == 1] = math.nan
    colours = _Colours(entry if on_edges else value, what)
    at = positions(n, edges)
    wide, high = np.ptp(at, axis=0) + 1
    figure, axes, below = _axes(width, len(sources), high / wide)
    size = (180 if n <= NAMED else 40) * (width / WIDE) / math.ceil(math.sqrt(len(sources))) ** 2
    for axis, source, values in zip(axes, sources, value):
        _edges(axis, at, edges, d.get("directed", False), weights, math.sqrt(size / math.pi) + 1)
        axis.add_collection(LineCollection(at[entry_edges], colors=colours.of(entry), linewidths=2.5 * math.sqrt(width / WIDE), zorder=1.5))
        _vertices(axis, at, values, colours, size, d["names"] if n <= NAMED and len(sources) == 1 else [])
        axis.set_title("" if source is None else f"from {source}", fontsize=8)
        axis.set_aspect("equal")
    colours.explain(axes, below, width, on_edges)
    if on_edges:
        text = f"thick edges are in the result, coloured by {what}"
    else:
        text = f"coloured by {what}; white: none" + (" or by itself" if what in GROUPS else "")
    return Plot(f"graph{number}", "The graph", f"{r.name}: {r.graph}, {n} vertices, {text}.", figure)
