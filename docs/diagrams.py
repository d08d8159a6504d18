"""Draws the diagrams of docs/how and docs/algorithms into docs/pictures/how: python3 docs/diagrams.py

A diagram is a function that places boxes, arrows and text on a card 480 units wide, so that its text can be read on a telephone. The card has a
background of its own, light or dark by the reader's system. A text that does not fit its box is an error.
"""

from html import escape
from pathlib import Path

OUT = Path(__file__).parent / "pictures" / "how"
WIDTH = 480
SIZE = {"": 15, "small": 13, "mono": 14, "bold": 15, "tiny": 12}
STYLE = """
text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;font-size:15px;fill:#1f2328}
.small{font-size:13px;fill:#57606a}.tiny{font-size:12px}.bold{font-weight:600}
.mono{font-family:ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:14px}
.card{fill:#f6f8fa;stroke:#d0d7de}.box{fill:#fff;stroke:#8c959f}.blue{fill:#d4e6fb;stroke:#4a86c8}.amber{fill:#fbe5c4;stroke:#b9832f}
.green{fill:#d6efd8;stroke:#4f9a5b}.red{fill:#f8d7d4;stroke:#bf5b52}.group{fill:none;stroke:#8c959f;stroke-dasharray:5 4}
.line{stroke:#57606a;fill:none;stroke-width:1.5}.head{fill:#57606a}.thin{stroke:#8c959f;fill:none}
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.small{fill:#a5afba}.card{fill:#161b22;stroke:#30363d}.box{fill:#21262d;stroke:#6e7681}
.blue{fill:#173a5e;stroke:#5b9bd9}.amber{fill:#553d12;stroke:#cf9b45}.green{fill:#1d4426;stroke:#5fae6c}.red{fill:#5a2320;stroke:#d2716a}
.group{stroke:#6e7681}.line{stroke:#a5afba}.head{fill:#a5afba}.thin{stroke:#6e7681}}
"""


def text_width(text, style=""):
    """An upper estimate, for the widest of the usual fonts."""
    size = SIZE[style]
    if style == "mono":
        return 0.61 * size * len(text)
    wide = sum(0.95 if c in "mwMW@%" else 0.75 if c.isupper() or c in "→←×≥≤" else 0.32 if c in "iljtfr.,:;'|!()[] " else 0.61 for c in text)
    return size * wide * (1.06 if style == "bold" else 1)


class Diagram:
    def __init__(self, name, title, height):
        self.name, self.title, self.height, self.items = name, title, height, []

    def text(self, x, y, text, style="", anchor="start"):
        width = text_width(text, style)
        left = x - {"start": 0, "middle": width / 2, "end": width}[anchor]
        assert left >= 4 and left + width <= WIDTH - 4, (self.name, text, left, width)
        assert 0 < y <= self.height - 4, (self.name, text, y)
        kind = f' class="{style}"' if style else ""
        self.items.append(f'<text x="{x:g}" y="{y:g}"{kind} text-anchor="{anchor}" xml:space="preserve">{escape(text)}</text>')

    def box(self, x, y, w, h, lines=(), kind="box", style="", anchor="middle", second="small"):
        """A box with its lines centred: the first in `style`, the others in `second`."""
        assert x >= 4 and x + w <= WIDTH - 4 and y + h <= self.height - 4, (self.name, lines)
        self.items.append(f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="5" class="{kind}"/>')
        lines = [lines] if isinstance(lines, str) else list(lines)
        step = 18
        at = y + h / 2 - step * (len(lines) - 1) / 2 + 5
        for k, line in enumerate(lines):
            kind_of = second if k else style
            assert text_width(line, kind_of) <= w - 6, (self.name, line, text_width(line, kind_of), w)
            self.text(x + (w / 2 if anchor == "middle" else 10), at + k * step, line, kind_of, anchor)

    def arrow(self, *points, both=False, label="", style="small", at=None, anchor="middle"):
        """A line through points [(x, y), ...] with a head at its end."""
        path = "M" + " L".join(f"{x:g} {y:g}" for x, y in points)
        ends = ' marker-end="url(#head)"' + (' marker-start="url(#head)"' if both else "")
        self.items.append(f'<path d="{path}" class="line"{ends}/>')
        if label:
            self.text(*(at or ((points[0][0] + points[-1][0]) / 2, (points[0][1] + points[-1][1]) / 2 - 6)), label, style, anchor)

    def line(self, x1, y1, x2, y2):
        self.items.append(f'<path d="M{x1:g} {y1:g} L{x2:g} {y2:g}" class="thin"/>')

    def cells(self, x, y, rows, size=24, kinds=None, style="tiny", width=None):
        """A table of small cells; `kinds` maps (row, column) to a fill."""
        width = width or size
        for r, row in enumerate(rows):
            for c, value in enumerate(row):
                kind = (kinds or {}).get((r, c), "box")
                self.items.append(f'<rect x="{x + c * width:g}" y="{y + r * size:g}" width="{width:g}" height="{size:g}" class="{kind}"/>')
                if value != "":
                    self.text(x + c * width + width / 2, y + r * size + size / 2 + 5, str(value), style, "middle")

    def write(self):
        body = "\n".join(self.items)
        (OUT / f"{self.name}.svg").write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="600" height="{600 * self.height / WIDTH:g}" viewBox="0 0 {WIDTH} {self.height}" role="img" '
            f'aria-label="{escape(self.title)}">\n<title>{escape(self.title)}</title>\n<style>{STYLE}</style>\n<defs><marker id="head" viewBox="0 0 8 8" '
            'refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0 L8 4 L0 8 z" class="head"/></marker></defs>\n'
            f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{self.height - 1}" rx="8" class="card"/>\n{body}\n</svg>\n',
            encoding="utf-8",
        )


def architecture():
    d = Diagram("architecture", "The layers of gridblas; each uses the layers below it", 496)
    d.box(12, 12, 456, 40, ["algos/   bench/   examples/   python/", "programs: they use the public headers only"], "amber")
    d.box(12, 62, 456, 40, ["include/", "GraphBLAS.h, gridblas.h, gridblas_algos.h"], "box", "bold")
    d.box(12, 112, 456, 226, (), "group")
    d.text(22, 131, "dist/", "bold")
    d.text(70, 131, "many processes", "small")
    rows = [
        ("op/   outofcore/operations/", "operations of the standard, in memory and on disk"),
        ("product/  lookahead/  delegates/  plan/", "products, deferred loops, cost models"),
        ("io/  checkpoint/  extensions/  interchange/  fields/", "files, restart, arrays, bytes, fields"),
        ("object/   vector/   matrix/", "distributed objects"),
        ("comm/  grid/  outofcore/pages, sort, file", "messages, process grid, page files"),
    ]
    for k, lines in enumerate(rows):
        d.box(20, 139 + 39 * k, 440, 37, lines, "blue")
    d.box(12, 348, 456, 86, (), "group")
    d.text(22, 367, "spmat/", "bold")
    d.text(86, 367, "one process", "small")
    d.box(20, 375, 140, 50, ["cpu/", "kernels in C"], "green")
    d.box(170, 375, 140, 50, ["cuda/", "kernels for GPUs"], "green")
    d.box(320, 375, 140, 50, ["matrix/  vector/", "storage, sort"], "green")
    d.box(12, 444, 456, 40, ["semiring/", "types, operators, monoids; memory; run-time compilation"], "box", "bold")
    return d


def product_steps():
    d = Diagram("product_steps", "The steps of one product and the messages of each", 434)
    d.text(20, 26, "step", "small")
    d.text(WIDTH - 20, 26, "who exchanges messages", "small", "end")
    steps = [
        ("check", "arguments, sizes, types", "no message", "box"),
        ("count", "entries and allowed outputs, summed", "all: one message", "amber"),
        ("choose", "a row of the method table", "no message", "box"),
        ("expand", "the input vector for each block", "grid column", "amber"),
        ("mask", "only if it saves more than it costs", "grid row", "amber"),
        ("local product", "kernel of spmat/cpu or spmat/cuda", "no message", "green"),
        ("fold", "partial results to their owners", "grid row", "amber"),
        ("write", "all agree, then each writes its chunk", "all: one message", "amber"),
    ]
    for k, (name, what, who, kind) in enumerate(steps):
        y = 36 + 49 * k
        d.box(16, y, 300, 39, [name, what], kind, "bold")
        d.text(WIDTH - 20, y + 24, who, "", "end")
        if k:
            d.arrow((166, y - 10), (166, y - 1))
    return d


def push_pull():
    d = Diagram("push_pull", "A push reads the columns of the frontier, a pull the rows that the mask allows", 350)
    n, size = 7, 27
    entries = {(0, 1), (0, 3), (1, 0), (1, 2), (1, 5), (2, 1), (2, 4), (3, 0), (3, 5), (3, 6), (4, 2), (4, 6), (5, 1), (5, 3), (5, 6), (6, 3), (6, 4), (6, 5)}
    push = {e: "blue" for e in entries if e[1] == 0}
    marks = [["•" if (r, c) in entries else "" for c in range(n)] for r in range(n)]
    d.text(20, 30, "push: few vertices in x", "bold")
    d.text(258, 30, "pull: many vertices in x", "bold")
    d.cells(20, 78, marks, size, push, "")
    d.text(20, 50, "x, a list", "small")
    d.cells(20, 56, [[1, "", "", "", "", "", ""]], 20, {(0, 0): "amber"}, width=size)
    d.cells(220, 78, [[v] for v in ("", 1, "", 1, "", "", "")], size, {(1, 0): "green", (3, 0): "green"}, width=22)
    d.text(231, 72, "y", "small", "middle")
    front, allowed = (1, 3, 5), (2, 4, 6)
    kinds = {}
    for r in allowed:
        for c in range(n):
            if (r, c) in entries:
                kinds[r, c] = "blue" if c in front else "red"
                if c in front:
                    break
    d.text(258, 50, "x, a bitmap", "small")
    d.cells(258, 56, [[1 if c in front else 0 for c in range(n)]], 20, {(0, c): "amber" for c in front}, width=size)
    d.cells(258, 78, marks, size, kinds, "")
    d.cells(450, 78, [[1 if r in (2, 6) else ""] for r in range(n)], size, {(2, 0): "green", (6, 0): "green"}, width=22)
    d.text(461, 72, "y", "small", "middle")
    d.text(20, 290, "blue: an entry that finds a vertex; red: an entry without a hit", "small")
    d.text(20, 312, "pull: the mask allows rows 2, 4 and 6; a row ends at its first hit", "small")
    d.text(20, 334, "A push costs the entries of x's columns, a pull those it reads.", "small")
    return d


def process_grid():
    d = Diagram("process_grid", "Six processes in a 2 by 3 grid: who holds which block, and what process 3 exchanges", 474)
    R, C, size = 2, 3, 40
    P = R * C
    owner = [[(c // R) * R + r % R for c in range(P)] for r in range(P)]
    kinds = {(r, c): "blue" for r in range(P) for c in range(P) if owner[r][c] == 3}
    d.text(20, 28, "Matrix, by chunks of rows and columns: the number is the process", "small")
    x0, y0 = 110, 92
    d.text(x0 - 10, 62, "x", "bold", "end")
    d.cells(x0, 44, [list(range(P))], 28, {(0, 2): "amber", (0, 3): "amber"}, "", width=size)
    d.cells(x0, y0, owner, size, kinds, "")
    d.text(36, 84, "y", "bold", "middle")
    d.cells(20, y0, [[k] for k in range(P)], size, {(k, 0): "green" for k in (1, 3, 5)}, "", width=32)
    d.arrow((x0 + 3 * size, 73), (x0 + 3 * size, 90))
    for k in (1, 3, 5):
        d.arrow((x0 - 4, y0 + k * size + 20), (56, y0 + k * size + 20))
    d.text(364, 64, "expand", "bold")
    d.text(364, 84, "chunks 2, 3 of x", "small")
    d.text(364, 200, "process 3 =", "small")
    d.text(364, 218, "row 1, column 1", "small")
    d.text(364, 236, "of the grid", "small")
    d.text(20, 356, "fold: partial results for chunks 1, 3, 5 of y go left to their owners", "small")
    d.text(20, 388, "Process grid", "bold")
    d.cells(130, 370, [[0, 2, 4], [1, 3, 5]], 36, {(1, 1): "blue", (0, 1): "amber", (1, 0): "green", (1, 2): "green"}, "", width=54)
    d.text(306, 386, "amber: the other process", "small")
    d.text(306, 404, "of its column (expand)", "small")
    d.text(306, 426, "green: the processes", "small")
    d.text(306, 444, "of its row (fold)", "small")
    d.text(20, 462, "R + C − 2 partners a process, not P − 1.", "small")
    return d


def storage_forms():
    d = Diagram("storage_forms", "One small block as CSR, as hypersparse rows and as a bitmap", 470)
    entries = {(1, 1), (1, 4), (4, 0), (4, 2), (4, 5)}
    marks = [["•" if (r, c) in entries else "" for c in range(6)] for r in range(6)]
    kinds = {e: "blue" for e in entries}
    d.text(20, 30, "a block", "bold")
    d.cells(20, 42, marks, 24, kinds, "")
    d.text(190, 30, "rows (CSR)", "bold")
    d.text(190, 56, "offsets", "small")
    d.cells(250, 42, [[0, 0, 2, 2, 2, 5, 5]], 24, width=28)
    d.text(190, 86, "idx", "small")
    d.cells(250, 72, [[1, 4, 0, 2, 5]], 24, {(0, k): "blue" for k in range(5)}, width=28)
    d.text(190, 116, "val", "small")
    d.cells(250, 102, [["a", "b", "c", "d", "e"]], 24, width=28)
    d.text(190, 146, "one offset for each row,", "small")
    d.text(190, 164, "empty rows included", "small")
    d.line(20, 202, 460, 202)
    d.text(20, 228, "hypersparse rows (DCSR)", "bold")
    d.text(20, 256, "ids", "small")
    d.cells(80, 242, [[1, 4]], 24, {(0, 0): "amber", (0, 1): "amber"}, width=28)
    d.text(20, 286, "offsets", "small")
    d.cells(80, 272, [[0, 2, 5]], 24, width=28)
    d.text(20, 316, "idx", "small")
    d.cells(80, 302, [[1, 4, 0, 2, 5]], 24, {(0, k): "blue" for k in range(5)}, width=28)
    d.text(250, 256, "ids names the rows that hold", "small")
    d.text(250, 274, "entries. Used when fewer than", "small")
    d.text(250, 292, "one row in 8 does. By column", "small")
    d.text(250, 310, "the same is called DCSC.", "small")
    d.line(20, 342, 460, 342)
    d.text(20, 368, "bitmap", "bold")
    bits = [[int((r, c) in entries) for c in range(6)] for r in (1, 4)]
    d.cells(20, 380, bits, 24, {(i, c): "blue" for i in range(2) for c in range(6) if bits[i][c]}, width=28)
    d.text(20, 448, "rows 1 and 4 of the six", "small")
    d.text(250, 390, "One bit and one value for each", "small")
    d.text(250, 408, "position. Full: an entry at every", "small")
    d.text(250, 426, "position, and no bits.", "small")
    return d


def storage_table():
    d = Diagram("storage_table", "The four storage forms of a matrix, and what grid_matrix_require makes of them", 400)
    d.text(20, 28, "the form is one row of a table:", "small")
    forms = [("bitmap", "by position", "blue"), ("parts", "by delegates", "blue"), ("outofcore", "on disk", "blue")]
    for k, (name, what, kind) in enumerate(forms):
        d.box(16 + 152 * k, 38, 144, 46, [name, what], kind, "bold")
        d.arrow((88 + 152 * k, 84), (88 + 152 * k if k == 1 else 200 + 40 * k, 142))
    d.text(24, 118, "GRID_ROWS", "tiny")
    d.text(248, 110, "GRID_WHOLE", "tiny")
    d.text(366, 118, "GRID_MERGED", "tiny")
    d.box(96, 144, 288, 46, ["rows", "CSR, or DCSR (hypersparse)"], "blue", "bold")
    d.arrow((150, 190), (90, 232))
    d.arrow((240, 190), (240, 232))
    d.arrow((330, 190), (390, 232))
    d.box(16, 234, 144, 64, ["columns", "GRID_COLS", "a push of A"], "green", "bold", second="small")
    d.box(168, 234, 144, 64, ["hub neighbors", "GRID_ROW_HUB_…", "a pull"], "green", "bold", second="small")
    d.box(320, 234, 144, 64, ["ready", "GRID_READY", "degrees, buffers"], "green", "bold", second="small")
    d.text(20, 326, "The placement of the rows is a separate question:", "small")
    d.box(16, 338, 144, 46, ["host memory", "GRID_HOST"], "amber")
    d.box(168, 338, 144, 46, ["GPU memory", "device is on"], "amber")
    d.box(320, 338, 144, 46, ["host-resident", "pages sent to GPU"], "amber")
    return d


def delegates():
    d = Diagram("delegates", "A matrix split by delegates into dd, dn, nd and nn", 470)
    d.text(20, 28, "columns: d delegates, then normal vertices", "small")
    d.box(20, 40, 90, 70, ["dd", "d ↔ d"], "amber", "bold")
    d.box(114, 40, 240, 70, ["dn", "column normal: with its owner"], "green", "bold")
    d.box(20, 114, 90, 170, ["nd", "row normal:", "with its", "owner"], "green", "bold")
    d.box(114, 114, 240, 170, ["nn", "both ends normal:", "the 2D block,", "as without delegates"], "blue", "bold")
    d.text(366, 62, "dd is distributed", "small")
    d.text(366, 80, "over processes,", "small")
    d.text(366, 98, "or bits on each", "small")
    d.text(366, 150, "nd is the trans-", "small")
    d.text(366, 168, "pose of dn when", "small")
    d.text(366, 186, "the matrix is", "small")
    d.text(366, 204, "symmetric", "small")
    d.text(20, 312, "a product with a split matrix", "bold")
    steps = [
        ("1", "gather x and mask of the delegates: two bitmaps"),
        ("2", "multiply dn and dd: contributions to delegates"),
        ("3", "one allreduce with the monoid merges them"),
        ("4", "nn: expand, local product, fold"),
        ("5", "nd: contributions to the process's own vertices, no message"),
    ]
    for k, (n, what) in enumerate(steps):
        d.box(20, 322 + 28 * k, 26, 24, n, "amber" if k in (0, 2) else "box", "small")
        d.text(56, 339 + 28 * k, what, "small")
    return d


def requests():
    d = Diagram("requests", "Requests to owners on one grid column", 316)
    d.box(16, 14, 190, 34, "process p: open rows", "blue", "bold")
    d.box(274, 14, 190, 34, "process q: owner", "blue", "bold")
    d.line(111, 48, 111, 304)
    d.line(369, 48, 369, 304)
    d.arrow((115, 76), (365, 76), both=True, label="bits of the delegates in x", at=(240, 69))
    d.box(20, 92, 182, 44, ["try its rows", "delegates, its vertices"], "green")
    d.arrow((115, 170), (365, 170), label="which of {7, 12, 31} are in x?", at=(240, 163))
    d.box(278, 184, 182, 30, "look up 3 bits", "green", "small")
    d.arrow((365, 242), (115, 242), label="0 1 0", at=(240, 235))
    d.box(20, 256, 182, 44, ["try open rows again", "parent = 12"], "green")
    return d


def level():
    d = Diagram("level", "One level of a search on several machines: one message", 418)
    for k in range(3):
        x = 16 + 152 * k
        d.box(x, 14, 144, 30, f"process {k}", "box", "bold")
        d.box(x, 54, 144, 62, ["result of level", "count q, predict,", "encode q"], "green", "small")
        d.arrow((x + 72, 116), (x + 72, 138))
        d.arrow((x + 72, 262), (x + 72, 284))
        d.box(x, 286, 144, 62, ["add the counts", "choose a method,", "use the payload"], "green", "small")
        d.arrow((x + 72, 348), (x + 72, 366))
        d.box(x, 368, 144, 34, "next level", "blue", "small")
    d.box(16, 140, 448, 122, (), "amber")
    d.text(240, 162, "one alltoallv between all processes", "bold", "middle")
    parts = [("outcome", 88), ("counts", 80), ("capacity", 88), ("payload: list, bitmap…", 172)]
    x = 26
    for name, w in parts:
        d.box(x, 174, w, 34, name, "box", "small")
        x += w
    d.text(240, 228, "if the counts say that another payload is", "small", "middle")
    d.text(240, 246, "needed, it is sent in one more call", "small", "middle")
    return d


def two_level():
    d = Diagram("two_level", "A message between two machines in two levels", 268)
    for m, (x, inner, shm) in enumerate(((12, 20, 116), (284, 388, 292))):
        d.box(x, 12, 184, 172, (), "group")
        d.text(x + 92, 31, f"machine {m}", "bold", "middle")
        d.box(shm, 42, 72, 130, ["shared", "memory"], "amber", "small")
        for k in range(3):
            lines = [f"process {3 * m + k}"] + ["leader"] * (k == 0)
            d.box(inner, 42 + 46 * k, 72, 38, lines, "blue" if k == 0 else "box", "small", second="tiny")
            y = 61 + 46 * k
            d.arrow((92, y), (115, y)) if m == 0 else d.arrow((364, y), (387, y))
    d.arrow((188, 107), (290, 107))
    d.text(240, 80, "one", "small", "middle")
    d.text(240, 98, "message", "small", "middle")
    d.text(240, 126, "network", "small", "middle")
    steps = ["copy segments to shared memory, equal ones once", "the leader sends them to the leader of machine 1", "each process reads its segments from shared memory"]
    for k, what in enumerate(steps):
        d.box(20, 194 + 23 * k, 22, 20, str(k + 1), "amber" if k == 1 else "box", "small")
        d.text(50, 209 + 23 * k, what, "small")
    return d


def search_grid():
    d = Diagram("search_grid", "A level of a search on a 2 by 2 grid of GPUs", 366)
    for i in range(2):
        for j in range(2):
            x, y = 20 + 280 * j, 30 + 130 * i
            d.box(x, y, 160, 66, [f"GPU {2 * j + i}", f"grid row {i}, column {j}", "a block of the matrix"], "blue", "bold")
    for x in (100, 380):
        d.arrow((x, 96), (x, 160), both=True)
    for y in (63, 193):
        d.arrow((180, y), (300, y), both=True)
    d.text(108, 124, "frontier of the", "small")
    d.text(108, 142, "block's columns", "small")
    d.text(240, 52, "finds, and at", "small", "middle")
    d.text(240, 80, "the end parents", "small", "middle")
    steps = [
        "read the frontier of the block's columns: grid column",
        "push or pull the block, mark what it finds",
        "owners read what others found for them: grid row",
        "after the last level: owners read these parents, once",
    ]
    for k, what in enumerate(steps):
        d.box(20, 246 + 28 * k, 24, 24, str(k + 1), "box" if k == 1 else "amber", "small")
        d.text(54, 263 + 28 * k, what, "small")
    return d


def message():
    d = Diagram("message", "The encoding of entries of one chunk", 218)
    d.text(20, 28, "entries {1, 4, 5} of a chunk of n = 8", "small")
    d.box(20, 40, 100, 40, ["header", "32 bytes"], "amber")
    d.box(120, 40, 180, 40, ["1  4  5", "list: 4 bytes an index"], "blue")
    d.box(300, 40, 160, 40, ["a  b  c", "values in order"], "green")
    d.text(20, 108, "the same as a bitmap, when more than about n / 32 entries", "small")
    d.box(20, 120, 100, 40, ["header", "32 bytes"], "amber")
    d.box(120, 120, 180, 40, ["01001100", "bitmap: n bits"], "blue")
    d.box(300, 120, 160, 40, ["a  b  c", "values in order"], "green")
    d.text(20, 186, "all entries equal: one value.  Only the pattern counts: no values.", "small")
    d.text(20, 206, "no entries: no bytes.", "small")
    return d


def gpu():
    d = Diagram("gpu", "How an operation finds its kernel", 474)
    d.box(150, 12, 180, 34, "GrB_ operation", "box", "bold")
    d.arrow((240, 46), (240, 62))
    d.box(100, 64, 280, 40, ["dispatcher", "vec_ops.c, lmat_ops.c, mxv.c, mxm.c"], "amber", "bold")
    d.arrow((170, 104), (110, 136), label="device on", at=(84, 122))
    d.arrow((310, 104), (370, 136), label="device off", at=(398, 122))
    d.box(16, 138, 216, 44, ["row of grid_cuda", "the backend's table"], "blue")
    d.box(300, 138, 164, 44, ["row of grid_cpu", "kernels in C"], "green")
    d.arrow((232, 160), (298, 160))
    d.text(265, 154, "none", "tiny", "middle")
    d.text(265, 178, "fallback", "tiny", "middle")
    d.arrow((124, 182), (124, 204))
    d.box(16, 206, 216, 44, ["compiled in?", "frequent semirings, .cu files"], "box")
    d.arrow((124, 250), (124, 272), label="no", at=(142, 266))
    d.box(16, 274, 216, 44, ["in memory?", "by its objects or its text"], "box")
    d.arrow((124, 318), (124, 340), label="no", at=(142, 334))
    d.box(16, 342, 216, 44, ["on disk?", "cache, prebuilt kernels"], "box")
    d.arrow((124, 386), (124, 408), label="no", at=(142, 402))
    d.box(16, 410, 216, 44, ["NVRTC compiles", "kernels/*.cuh + preamble"], "amber")
    d.box(300, 274, 164, 60, ["launch", "one stream, in order"], "green", "bold")
    for y in (228, 296, 364):
        d.arrow((232, y), (298, 290 + (y - 228) / 6), label="yes" if y == 296 else "", at=(262, 288))
    d.arrow((232, 432), (382, 432), (382, 336))
    d.text(390, 400, "stored", "small")
    d.text(390, 418, "on disk", "small")
    return d


def lookahead():
    d = Diagram("lookahead", "A loop of calls and the run that answers them", 440)
    d.text(20, 30, "calls of the program", "bold")
    d.text(300, 30, "GPU", "bold")
    calls = [
        ("vxm(q)", "starts the search", "amber"),
        ("nvals(q)", "reads the count of level 1", "box"),
        ("assign(v, q)", "is noted: level 1", "box"),
        ("vxm(q)", "level 2: a number", "box"),
        ("nvals(q)", "reads the count of level 2", "box"),
        ("assign(v, q)", "is noted: level 2", "box"),
        ("reduce(v)", "any other call: v is made", "amber"),
    ]
    for k, (call, what, kind) in enumerate(calls):
        y = 42 + 54 * k
        d.box(16, y, 216, 42, [call, what], kind, "mono")
        if k:
            d.arrow((124, y - 12), (124, y - 1))
    d.arrow((232, 62), (298, 62))
    d.box(300, 42, 164, 258, (), "group")
    for k in range(4):
        d.box(312, 54 + 60 * k, 140, 42, [f"level {k + 1}", "levels, parents"], "green")
        if k:
            d.arrow((382, 36 + 60 * k), (382, 53 + 60 * k))
    d.arrow((310, 84), (234, 112))
    d.arrow((310, 138), (234, 272))
    d.box(300, 356, 164, 60, ["materialize", "entries of levels 1, 2", "are written to v"], "amber")
    d.arrow((232, 387), (298, 387))
    d.text(382, 322, "levels 3, 4: computed,", "small", "middle")
    d.text(382, 340, "not reached, dropped", "small", "middle")
    return d


def outofcore():
    d = Diagram("outofcore", "A product over a matrix on disk", 452)
    d.text(20, 28, "page file: rows one after the other, cut into pages", "small")
    names = ["p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7"]
    wanted = (1, 2, 5)
    d.cells(20, 38, [names], 32, {(0, k): "amber" for k in wanted}, "", width=54)
    d.text(20, 92, "amber: pages with rows that the mask allows (pull)", "small")
    d.text(20, 110, "or with rows where x has entries (push)", "small")
    d.arrow((240, 118), (240, 142), label="direct, asynchronous reads", at=(252, 136), anchor="start")
    d.box(16, 144, 300, 44, ["ring of read buffers", "one in use while others are read"], "blue")
    d.box(332, 144, 132, 44, ["page cache", "within the budget"], "green")
    d.arrow((330, 166), (318, 166), both=True)
    d.arrow((166, 188), (166, 210))
    d.box(16, 212, 300, 44, ["decode, compare checksums", "all threads"], "box")
    d.arrow((166, 256), (166, 278))
    d.box(16, 280, 300, 44, ["local matrix of some rows", "hub neighbors included"], "blue")
    d.box(332, 280, 132, 44, ["residual rows", "for the next level"], "green")
    d.arrow((318, 302), (330, 302))
    d.arrow((166, 324), (166, 346))
    d.box(16, 348, 300, 44, ["the kernel of a block in memory", "adds to y"], "green")
    d.text(20, 420, "Memory: the ring, one decoded run, vectors, and what the", "small")
    d.text(20, 438, "budget leaves for the cache. The matrix stays on disk.", "small")
    return d


def row_panels():
    d = Diagram("row_panels", "An operation on matrices, one row panel at a time", 226)
    d.text(20, 28, "C<M> = f(A, B): rows of C depend on the same rows of A, B, M", "small")
    for k, name in enumerate(("A", "B", "M")):
        d.cells(30 + 90 * k, 58, [[""], [""], [""], [""]], 28, {(1, 0): "amber"}, width=60)
        d.text(60 + 90 * k, 52, name, "bold", "middle")
    d.arrow((284, 100), (316, 100), label="f", style="")
    d.cells(322, 58, [[""], [""], [""], [""]], 28, {(0, 0): "green", (1, 0): "amber"}, width=60)
    d.text(352, 52, "C", "bold", "middle")
    d.text(392, 78, "written", "small")
    d.text(392, 106, "in memory", "small")
    d.text(20, 198, "Each panel passes through the operation's usual code; its result", "small")
    d.text(20, 216, "is appended to a page file without a name.", "small")
    return d


def errors():
    d = Diagram("errors", "A failure of one process becomes the outcome of all before any output changes", 446)
    for k in range(3):
        x = 16 + 152 * k
        d.box(x, 14, 144, 30, f"process {k}", "box", "bold")
        d.arrow((x + 72, 44), (x + 72, 58))
        d.box(x, 60, 144, 34, "check arguments", "green", "small")
        d.arrow((x + 72, 94), (x + 72, 108))
        bad = k == 1
        d.box(x, 110, 144, 50, ["compute, allocate", "out of memory" if bad else "success"], "red" if bad else "green", "small", second="small")
        d.arrow((x + 72, 160), (x + 72, 182))
    d.box(16, 184, 448, 44, ["grid_agree", "the error of the lowest rank, with its text"], "amber", "bold")
    d.text(20, 256, "some process failed", "bold")
    d.text(258, 256, "no process failed", "bold")
    d.arrow((110, 228), (110, 242))
    d.arrow((350, 228), (350, 242))
    d.box(16, 266, 216, 64, ["all return the error code", "and the text of process 1", "outputs as before"], "red", "small")
    d.box(248, 266, 216, 64, ["all write their part", "steps that cannot fail", "all return GrB_SUCCESS"], "green", "small")
    d.text(20, 360, "Inside a product a failed process keeps taking part in", "small")
    d.text(20, 378, "messages and sends nothing, so no other process waits for it.", "small")
    d.text(20, 408, "Errors that are equal on all processes (a wrong size) return", "small")
    d.text(20, 426, "at once, without a message.", "small")
    return d


def vertex_program():
    """The last iteration of docs/algorithms/linear_algebra.md's example that changes a vertex."""
    d = Diagram("vertex_program", "One vertex in one iteration: gather along its edges, sum, apply, differ", 388)
    d.box(16, 12, 140, 44, ["vertex 2", "5.5"], "blue", "bold", second="mono")
    d.box(172, 12, 140, 44, ["vertex 0", "0"], "blue", "bold", second="mono")
    d.box(328, 12, 136, 44, ["vertex 3", "old state: 9"], "amber", "bold", second="mono")
    d.arrow((86, 56), (86, 90), label="weight 2", at=(94, 78), anchor="start")
    d.arrow((242, 56), (242, 90), label="weight 9", at=(250, 78), anchor="start")
    d.box(16, 92, 140, 44, ["gather", "5.5 + 2 = 7.5"], "green", "bold", second="mono")
    d.box(172, 92, 140, 44, ["gather", "0 + 9 = 9"], "green", "bold", second="mono")
    d.arrow((86, 136), (86, 162))
    d.arrow((242, 136), (242, 162))
    d.box(16, 164, 296, 44, ["sum", "min(7.5, 9) = 7.5"], "green", "bold", second="mono")
    d.arrow((164, 208), (164, 234))
    d.arrow((396, 56), (396, 234))
    d.box(16, 236, 448, 44, ["apply", "min(9, 7.5) = 7.5, the new state"], "green", "bold", second="mono")
    d.arrow((240, 280), (240, 306))
    d.box(16, 308, 448, 64, ["differ", "7.5 ≠ 9: 1, which is more than the tolerance", "vertices that vertex 3 has an edge to are computed next"], "green", "bold", second="small")
    return d


if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    for diagram in (architecture, product_steps, push_pull, process_grid, storage_forms, storage_table, delegates, requests, level, two_level, message, gpu, lookahead, search_grid, outofcore, row_panels, errors, vertex_program):
        diagram().write()
