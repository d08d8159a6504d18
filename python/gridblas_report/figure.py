"""A plot as a figure, for the page and for files of its own."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure

# Distinguishable with colour blindness (Okabe and Ito), on light and dark backgrounds.
COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999999"]
INK = "#010203"  # lines and letters: in a page they take the page's own colour
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

    @cached_property
    def _narrow_svg(self) -> str:
        return _svg(self.narrow, self.name + "n") if self.narrow else ""

    def save(self, page: Path) -> None:
        """PNG and SVG files next to the page, on white, for any background; -narrow: the SVG for a telephone."""
        beside = page.with_name(f"{page.stem}-{self.name}")
        self.figure.savefig(beside.with_name(beside.name + ".png"), format="png", dpi=144, facecolor="white")
        for suffix, svg in (("", self._svg), ("-narrow", self._narrow_svg)):
            if svg:
                white = re.sub(r"(<svg[^>]*>)", r'\1<rect width="100%" height="100%" fill="white"/>', svg, count=1)
                beside.with_name(beside.name + suffix + ".svg").write_text(re.sub(r"<metadata>.*?</metadata>", "", white, flags=re.S), encoding="utf-8")

    def inline(self) -> str:
        """For a page: one for wide screens and one for narrow ones, of which the page's style shows one."""
        narrow = self._inline(self._narrow_svg, "on-narrow") if self.narrow else ""
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


def new_figure(width: float, height: float, rows: int = 1) -> tuple[Figure, Any]:
    """A figure, and its plots one above the other."""
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(rows, 1, sharex=rows > 1, squeeze=False)[:, 0]
