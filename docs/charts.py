#!/usr/bin/env python3
"""Draws the charts of docs/results.md from the CSV files in docs/measurements: charts.py [--check].

Writes docs/pictures/results/*.svg. With --check nothing is written: the exit status is 1 if a chart differs from what its data gives, is missing, or has
no row in CHARTS. Python's standard library only.

The charts are horizontal bars, 420 units wide, so that the text is legible on a telephone. Each has a background of its own, light or dark as the
reader's system asks.
"""

import argparse
import csv
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

DOCS = Path(__file__).resolve().parent
DATA = DOCS / "measurements"
PICTURES = DOCS / "pictures" / "results"

WIDTH, LEFT, RIGHT = 420, 178, 362  # of the picture; of the bars
ROW, BAR = 20, 12  # height of a row and of its bar
STYLE = """
text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;fill:#1f2328}
.title{font-size:15px;font-weight:600}.group{font-weight:600}.note{fill:#59636e}
.back{fill:#fff;stroke:#d1d9e0}.grid{stroke:#d1d9e0}.one{stroke:#59636e}
.good{fill:#0969da}.bad{fill:#bc4c00}.peer{fill:#8c959f}
@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.note{fill:#9ba4ae}.back{fill:#151b23;stroke:#3d444d}.grid{stroke:#3d444d}.one{stroke:#9ba4ae}
.good{fill:#4493f8}.bad{fill:#f0883e}.peer{fill:#7d8590}}
"""


class Bar(NamedTuple):
    label: str
    value: float
    kind: str = ""  # good, bad or peer; empty: by the value


class Group(NamedTuple):
    title: str
    bars: list[Bar]


class Chart(NamedTuple):
    title: str
    notes: list[str]
    groups: Callable[[], list[Group]]
    scale: str  # ratio: logarithmic, bars begin at 1; linear: bars begin at 0
    unit: str  # behind each value


def read(name: str) -> list[dict[str, str]]:
    with (DATA / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def ratios(rows: list[dict[str, str]], label: str, peer: str, gridblas: str) -> list[Bar]:
    """The peer's time over gridblas's, for the rows that have both."""
    return [Bar(label.format(**row), float(row[peer]) / float(row[gridblas])) for row in rows if row[peer] and row[gridblas]]


def where(name: str, **columns: str) -> list[dict[str, str]]:
    return [row for row in read(name) if all(row[column] == value for column, value in columns.items())]


def mean(values: list[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values))


def overview() -> list[Group]:
    held_out = [row for row in where("cpu-suitesparse-mean", threads="16") if row["rows"] == "29"]
    return [
        Group(
            "SuiteSparse:GraphBLAS 10.5.1, 16 threads, scale 20",
            [Bar(f"mean of {row['rows']} operations", float(row["geometric_mean"])) for row in held_out]
            + ratios(where("cpu-algorithms", threads="16"), "{algorithm}", "suitesparse_ms", "gridblas_ms"),
        ),
        Group("GAP benchmark suite, 16 threads, scale 22", ratios(where("cpu-gap", scale="22"), "{algorithm}", "gap_ms", "gridblas_ms")),
        Group("cuGraph 26.10, one H200, scale 24", ratios(where("gpu-cugraph", scale="24"), "{algorithm}", "cugraph_ms", "gridblas_most_ms")),
    ]


def families(name: str) -> list[Bar]:
    """Geometric means of a table of operations by family."""
    values: dict[str, list[float]] = {}
    for row in read(name):
        values.setdefault(row["family"], []).append(float(row["ratio"]))
    return [Bar(f"{FAMILIES[family]} ({len(measured)})", mean(measured)) for family, measured in values.items()]


FAMILIES = {
    "mxv; vxm": "mxv, vxm",
    "mxm": "mxm",
    "vectors: assign; extract; element-wise; apply; select": "vector operations",
    "matrices: transpose; kronecker; extract; assign; resize; diag": "matrix structure",
    "matrices: element-wise; apply; select; write-back": "matrix element-wise",
    "transpose; kronecker; extract; assign; resize; diag": "assign, extract, …",
    "element-wise; apply; select of matrices; write-back": "matrix element-wise",
    "element-wise; apply; select of vectors": "vector element-wise",
    "bitmap and full matrices": "bitmap matrices",
    "reduce": "reduce",
    "build; dup; elements; tuples": "build, dup, elements",
    "serialisation; import; export": "import, export",
    "algorithms": "algorithms",
    "small calls": "small calls",
}


def slowest(name: str, count: int) -> list[Bar]:
    rows = sorted(read(name), key=lambda row: float(row["ratio"]))
    return [Bar(short(row["row"]), float(row["ratio"])) for row in rows[:count]]


def short(row: str) -> str:
    """small.100.reduce as "reduce 100"."""
    first, _, rest = row.partition(".")
    size, _, name = rest.partition(".")
    return f"{name} {size}" if first == "small" else row


def suitesparse() -> list[Group]:
    return [
        Group("16 threads, scale 18: means by family", families("cpu-operations-16-threads")),
        Group("16 threads: the eight slowest of 240 rows", slowest("cpu-operations-16-threads", 8)),
        Group("2 threads, scale 18: means by family", families("cpu-operations-2-threads")),
        Group("2 threads: the eight slowest rows", slowest("cpu-operations-2-threads", 8)),
    ]


def gap() -> list[Group]:
    return [
        *(Group(f"16 threads, scale {s}", ratios(where("cpu-gap", scale=s), "{algorithm}", "gap_ms", "gridblas_ms")) for s in ("20", "22")),
        Group("2 threads, scale 20", ratios(where("cpu-algorithms", threads="2"), "{algorithm}", "gap_ms", "gridblas_ms")),
    ]


def gpu() -> list[Group]:
    groups = [
        Group(f"cuGraph 26.10, scale {s}", ratios(where("gpu-cugraph", scale=s), "{algorithm}", "cugraph_ms", "gridblas_most_ms")) for s in ("22", "24")
    ]
    bars = []
    for row in read("gpu-gunrock"):
        peer, gridblas = float(row["gunrock"]), float(row["gridblas"])
        bars.append(Bar(f"{row['algorithm']}, {row['scale']}", gridblas / peer if row["unit"] == "GTEPS" else peer / gridblas))
    return [*groups, Group("Gunrock, scales 22 and 24", bars)]


def processes() -> list[Group]:
    rows = [{**row, "name": row["algorithm"].split(" ")[0], "scale": row["graph"].split(":")[1]} for row in read("processes")]
    return [Group(f"{grid}, scale behind the name", ratios(rows, "{name}, {scale}", "threads_ms", f"{grid}_ms")) for grid in ("16x1", "4x4")]


def several_gpus() -> list[Group]:
    groups = []
    for title, kind, grid in (
        ("Two H200s, grid 2 × 1, scale 24", "strong", "2x1"),
        ("Two GPUs, grid 1 × 2", "strong", "1x2"),
        ("Larger graphs on more H200s", "weak", ""),
    ):
        bars = []
        for row in where("several-gpus", kind=kind):
            if grid and row["grid"] != grid:
                continue
            one, several = float(row["one"]), float(row["several"])
            label = row["algorithm"] if kind == "weak" or grid == "2x1" else f"{row['algorithm']}, {row['scale']}"
            bars.append(Bar(label, several / one if row["unit"] == "GTEPS" else one / several))
        groups.append(Group(title, bars))
    return groups


def out_of_core() -> list[Group]:
    groups = []
    for medium, title in (("disk", "On disk, 2 cores"), ("host", "In host memory, one H200")):
        for order in ("by degree", "as numbered"):
            rows = where("out-of-core", medium=medium, order=order)
            bars = [Bar(f"{row['algorithm']}, {row['scale']}", float(row["out_of_core_ms"]) / float(row["in_memory_ms"]), "good") for row in rows]
            groups.append(Group(f"{title}, vertices {order}", bars))
    return groups


def memory() -> list[Group]:
    titles = {"gridblas": "gridblas, CPU", "SuiteSparse": "SuiteSparse:GraphBLAS 7.4, CPU", "gridblas GPU": "gridblas, GPU", "gridblas disk": "gridblas, page file"}
    groups = []
    for name, title in titles.items():
        bars = []
        for row in where("memory-per-entry", where=name):
            scale = f", {row['scale']}" if row["scale"] else ""
            bars.append(Bar(row["layout"] + scale, float(row["bytes_per_entry"]), "peer" if name == "SuiteSparse" else "good"))
        groups.append(Group(title, bars))
    return groups


def python_peers() -> list[Group]:
    groups: dict[str, list[Bar]] = {}
    for row in read("python-peers"):
        if row["ratio"]:
            groups.setdefault(row["peer"], []).append(Bar(row["task"], float(row["ratio"])))
    return [Group(peer, bars) for peer, bars in groups.items()]


FASTER = "Right of 1 gridblas is faster: their time over its own."
CHARTS = {
    "overview": Chart("How many times as fast as …", [FASTER, "R-MAT graphs, edge factor 16. docs/results.md"], overview, "ratio", " ×"),
    "suitesparse": Chart("Operations beside SuiteSparse:GraphBLAS", [FASTER, "Geometric means, in brackets of how many rows. A number", "behind a name: a small call on so many indices."], suitesparse, "ratio", " ×"),
    "gap": Chart("Algorithms beside GAP, CPU", [FASTER], gap, "ratio", " ×"),
    "gpu": Chart("One H200 beside cuGraph and Gunrock", [FASTER], gpu, "ratio", " ×"),
    "processes": Chart(
        "16 processes beside 16 threads", ["Time of 16 threads over time of 16 processes,", "16 cores: right of 1 processes are faster."], processes, "ratio", " ×"
    ),
    "several-gpus": Chart("Several GPUs beside one", ["Right of 1 several GPUs are faster."], several_gpus, "ratio", " ×"),
    "out-of-core": Chart(
        "Larger than memory",
        ["Time with a quarter of the matrix in memory over", "time with all of it: 1 is as fast as in memory."],
        out_of_core,
        "linear",
        " ×",
    ),
    "memory": Chart("Bytes an entry of a graph", ["Pattern, ready to push and pull; an undirected", "edge is two entries. R-MAT, scale behind the layout."], memory, "linear", ""),
    "python": Chart("Python packages, 2 threads", [FASTER], python_peers, "ratio", " ×"),
}


def number(value: float) -> str:
    return f"{value:.0f}" if value >= 99.5 else f"{value:.1f}" if value >= 9.95 else f"{value:.2f}"


def wrapped(text: str, width: int = 62) -> list[str]:
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) + 1 > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def ticks(low: float, high: float) -> list[float]:
    """Powers of two from below `low` to above `high`, 1 among them."""
    first, last = min(0, math.floor(math.log2(low))), max(1, math.ceil(math.log2(high)))
    step = 1 if last - first <= 5 else 2
    first -= first % step
    return [2.0**k for k in range(first, last + step, step) if k < last + step]


def draw(chart: Chart) -> str:
    groups = [group for group in chart.groups() if group.bars]
    values = [bar.value for group in groups for bar in group.bars]
    if chart.scale == "ratio":
        marks = ticks(min(values), max(values))
        low, high = math.log2(marks[0]), math.log2(marks[-1])
        start = 1.0

        def x(value: float) -> float:
            return LEFT + (RIGHT - LEFT) * (math.log2(value) - low) / (high - low)
    else:
        step = next(s for s in (1, 2, 5, 10, 20, 50) if max(values) / s <= 6)
        marks = [float(step * k) for k in range(math.ceil(max(values) / step) + 1)]
        start = 0.0

        def x(value: float) -> float:
            return LEFT + (RIGHT - LEFT) * value / marks[-1]

    y = 26
    body = [f'<text class="title" x="12" y="{y}">{escape(chart.title)}</text>']
    for note in (line for text in chart.notes for line in wrapped(text)):
        y += 17
        body.append(f'<text class="note" x="12" y="{y}">{escape(note)}</text>')
    y += 10
    for group in groups:
        y += ROW + 4
        body.append(f'<text class="group" x="12" y="{y - 5}">{escape(group.title)}</text>')
        bottom = y + ROW * len(group.bars)
        for mark in marks:
            kind = "one" if mark == 1 and chart.unit else "grid"
            body.append(f'<line class="{kind}" x1="{x(mark):.1f}" y1="{y}" x2="{x(mark):.1f}" y2="{bottom}"/>')
        for bar in group.bars:
            y += ROW
            kind = bar.kind or ("good" if bar.value >= 1 else "bad")
            left, right = sorted((x(start), x(bar.value)))
            body.append(f'<text x="{LEFT - 8}" y="{y - 5}" text-anchor="end">{escape(bar.label)}</text>')
            body.append(f'<rect class="{kind}" x="{left:.1f}" y="{y - 16}" width="{max(right - left, 1):.1f}" height="{BAR}" rx="1"/>')
            body.append(f'<text x="{right + 5:.1f}" y="{y - 5}">{number(bar.value)}{chart.unit}</text>')
    for mark in marks:
        body.append(f'<text class="note" x="{x(mark):.1f}" y="{y + 15}" text-anchor="middle">{mark:g}</text>')
    bottom = y + 4
    height = bottom + 26
    words = "; ".join(f"{group.title}: " + ", ".join(f"{bar.label} {number(bar.value)}" for bar in group.bars) for group in groups)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="t d">',
            f'<title id="t">{escape(chart.title)}</title>',
            f'<desc id="d">{escape(words)}</desc>',
            f"<style>{STYLE}</style>",
            f'<rect class="back" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="6"/>',
            *body,
            "</svg>\n",
        ]
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="Draws docs/pictures/results/*.svg from docs/measurements/*.csv.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a chart differs from its data")
    check = parser.parse_args().check
    wrong = [f"{path.name}: no chart of that name" for path in sorted(PICTURES.glob("*.svg")) if path.stem not in CHARTS]
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name, chart in CHARTS.items():
        path, text = PICTURES / f"{name}.svg", draw(chart)
        if not check:
            path.write_text(text, encoding="utf-8")
        elif not path.is_file():
            wrong.append(f"{path.name}: missing")
        elif path.read_text(encoding="utf-8") != text:
            wrong.append(f"{path.name}: differs from its data (run docs/charts.py)")
    print("\n".join(wrong) or f"{len(CHARTS)} charts")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
