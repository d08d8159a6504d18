"""How objects are displayed: as text in a terminal, as a table in a notebook. Displaying one is collective: its entries are gathered."""

from __future__ import annotations

from html import escape
from typing import Any

MOST = 20  # rows and columns of a table


def _head(x: Any) -> str:
    size = " x ".join(map(str, x.shape))
    return f"gridblas.{x.kind} {x.name}: {size}, {x.nvals} entries, {x.dtype}"


def _number(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _corner(x: Any) -> tuple[list[range], dict[tuple[int, ...], str]]:
    """The first rows and columns, and their entries."""
    sizes = [range(min(n, MOST)) for n in x.shape]
    if x.nvals == 0:
        return sizes, {}
    # Only a slice of the corner is gathered.
    part = x[tuple(slice(0, len(r)) for r in sizes)] if len(sizes) == 2 else x[: len(sizes[0])]
    coo = part.new().to_coo()
    return sizes, {tuple(place): _number(value) for *place, value in zip(*(a.tolist() for a in coo))}


def matrix_text(x: Any) -> str:
    """A few lines for a terminal: a table, or a list if the corner of a larger matrix has few entries."""
    (rows, cols), cells = _corner(x)
    if max(x.shape) > MOST and len(cells) < MOST:
        note = f"... ({'' if cells else 'no entry in '}the first {len(rows)} rows and {len(cols)} columns)"
        return "\n".join([_head(x), *(f"({i}, {j})  {value}" for (i, j), value in cells.items()), note])
    table = [["", *map(str, cols)], *([str(i), *(cells.get((i, j), "") for j in cols)] for i in rows)]
    return _lines(_head(x), table, x.nrows > MOST or x.ncols > MOST)


def vector_text(x: Any) -> str:
    """The same for a vector."""
    (positions,), cells = _corner(x)
    return _lines(_head(x), [["index", *map(str, positions)], ["value", *(cells.get((i,), "") for i in positions)]], x.size > MOST)


def _lines(head: str, table: list[list[str]], more: bool) -> str:
    widths = [max(len(line[k]) for line in table) for k in range(len(table[0]))]
    lines = ["  ".join(word.rjust(width) for word, width in zip(line, widths)).rstrip() for line in table]
    return "\n".join([head, *lines, *(["..."] if more else [])])


def _table(head: str, header: list[str], body: list[list[str]], more: bool) -> str:
    def line(words: list[str], tag: str) -> str:
        return "<tr>" + f"<th>{escape(words[0])}</th>" + "".join(f"<{tag}>{escape(w)}</{tag}>" for w in words[1:]) + "</tr>"

    rows = line(header, "th") + "".join(line(words, "td") for words in body)
    note = f"<div>&hellip; (the first {MOST} of a dimension)</div>" if more else ""
    return f"<div><b>{escape(head)}</b></div><table>{rows}</table>{note}"


def matrix_html(x: Any) -> str:
    """A table for a notebook."""
    (rows, cols), cells = _corner(x)
    body = [[str(i), *(cells.get((i, j), "") for j in cols)] for i in rows]
    return _table(_head(x), ["", *map(str, cols)], body, x.nrows > MOST or x.ncols > MOST)


def vector_html(x: Any) -> str:
    """A table of one line."""
    (positions,), cells = _corner(x)
    return _table(_head(x), ["index", *map(str, positions)], [["value", *(cells.get((i,), "") for i in positions)]], x.size > MOST)


def scalar_html(x: Any) -> str:
    """The value."""
    return f"<div><b>gridblas.Scalar {escape(x.name)}</b> {escape(str(x.value))} {x.dtype}</div>"
