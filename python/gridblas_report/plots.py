"""The plots, each a function of the results; all_of draws those for which there is data."""

from __future__ import annotations

import math
from typing import Any, Callable

import numpy as np

from .drawing import drawing
from .figure import COLOURS, INK, NARROW, WIDE, Plot, new_figure
from .results import Result

PHASES = ["expand", "mask", "local", "fold", "delegate", "write"]
SENT = ["expand", "mask", "fold", "delegate"]


def _legend_above(axis: Any) -> None:
    """Where no line or bar is."""
    axis.legend(fontsize=7, ncols=3, frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1))


def _stack(axis: Any, x: list[int], levels: list[dict[str, Any]], kinds: list[str], suffix: str) -> bool:
    """Stacked bars of all kinds with data."""
    base = np.zeros(len(x))
    values = [np.array([p.get(kind + suffix, 0) for p in levels], float) for kind in kinds]
    for k, (kind, value) in enumerate(zip(kinds, values)):
        if value.sum() > 0.002 * sum(map(np.sum, values)):  # what can be seen has a name
            axis.bar(x, value, bottom=base, label=kind, color=COLOURS[k])
        base += value
    if base.any():
        _legend_above(axis)
    return bool(base.any())


def profile(r: Result, number: int, width: float) -> Plot | None:
    """What each level of a search did."""
    levels = r.levels
    if not levels:
        return None
    x = list(range(1, len(levels) + 1))
    sent = any(p.get(k + "_bytes", 0) for p in levels for k in SENT)
    figure, axes = new_figure(width, 5 + 1.6 * sent, 2 + sent)
    top, times = axes[0], axes[-1]
    for kind, marker in (("frontier", "o"), ("found", "s"), ("inspected", "^")):
        top.plot(x, [p[kind] for p in levels], marker=marker, label=kind if kind != "inspected" else "entries inspected")
    top.set_yscale("symlog", linthresh=1)
    top.set_ylim(bottom=0)
    top.set_ylabel("vertices, entries")
    _legend_above(top)
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
    figure, (axis,) = new_figure(width, 3)
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
    figure, (axis,) = new_figure(width, 3.4)
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
    figure, (axis,) = new_figure(width, 0.9 + 0.35 * len(runs))
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
    figure, (axis,) = new_figure(width, 4.4)
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


def series(r: Result, number: int, width: float) -> Plot | None:
    """A value of each step."""
    s = r.values.get("series")
    if not s or len(s["values"]) < 2:
        return None
    figure, (axis,) = new_figure(width, 3)
    axis.plot(range(len(s["values"])), [math.nan if v is None else v for v in s["values"]])
    axis.set_ylim(bottom=min(0, axis.get_ylim()[0]))
    axis.set_xlabel(s["step"])
    axis.set_ylabel(s["value"])
    return Plot(f"series{number}", s["value"].capitalize(), f"{r.name}: {r.graph}. The {s['value']} after each {s['step']}.", figure)


def all_of(found: list[Result]) -> list[Plot]:
    makers: list[Callable[[Result, int, float], Plot | None]] = [profile, histogram, series, drawing, roofline]

    def drawn(width: float) -> list[Plot]:
        plots = [f(r, k + 1, width) for k, r in enumerate(found) for f in makers]
        return [p for p in [*comparisons(found, width), scaling(found, width), *plots] if p]

    plots = drawn(WIDE)
    for plot, narrow in zip(plots, drawn(NARROW)):
        plot.narrow = narrow.figure
    return plots
