"""The page: tables and plots in one file that needs no other, on paper, a telephone, light or dark."""

from __future__ import annotations

import html as text
from typing import Any

from .figure import Plot
from .results import Result

STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --ground: #ffffff; --line: #d5d9de; --soft: #5b6570; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e6ea; --ground: #14171a; --line: #3a4047; --soft: #9aa4af; } }
@media print { .wide { overflow-x: visible !important; } :root { --ink: #000; --ground: #fff; --line: #bbb; --soft: #444; } figure, table { break-inside: avoid; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 64rem; padding: 1rem; color: var(--ink); background: var(--ground); font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }
figure { margin: 1rem 0 2rem; } figcaption { color: var(--soft); font-size: 0.9rem; }
figure svg { width: 100%; height: auto; max-height: 90vh; color: var(--ink); font-family: system-ui, sans-serif; }
.on-narrow { display: none; }
@media screen and (max-width: 40rem) { .on-wide { display: none; } .on-narrow { display: inline; } }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: 0.9rem; }
th, td { text-align: left; padding: 0.2rem 0.8rem 0.2rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td { font-variant-numeric: tabular-nums; min-width: 6rem; overflow-wrap: anywhere; }
"""


NAMES = {"source"}  # of vertices: numbers that count nothing


def _show(key: str, value: Any) -> str:
    if value is None:
        return "not finite"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) and key not in NAMES:
        return f"{value:,}".replace(",", "\u202f")
    if isinstance(value, float):
        return f"{value:.6g}"
    return text.escape(str(value))


def _table(found: list[Result]) -> str:
    """Every simple value, a column a result."""
    results = [r for r in found if r.values]
    keys: dict[str, None] = {}
    for r in results:
        keys.update(dict.fromkeys(k for k, v in r.values.items() if not isinstance(v, (list, dict))))
    head = "".join(f"<th scope='col'>{text.escape(r.name)}</th>" for r in results)
    lines = "".join(
        f"<tr><th scope='row'>{text.escape(k.replace('_', ' '))}</th>"
        + "".join(f"<td>{_show(k, r.values[k]) if k in r.values else ''}</td>" for r in results)
        + "</tr>\n"
        for k in keys
    )
    return f"<div class='wide'><table><thead><tr><td></td>{head}</tr></thead><tbody>\n{lines}</tbody></table></div>" if results else ""


def html(found: list[Result], drawn: list[Plot]) -> str:
    names = ", ".join(r.name for r in found)
    figures = "\n".join(
        f"<section><h2>{text.escape(p.title)}</h2><figure>{p.inline()}<figcaption>{text.escape(p.text)}</figcaption></figure></section>" for p in drawn
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>gridblas: {text.escape(names)}</title>
<link rel="icon" href="data:,">
<style>{STYLE}</style>
</head>
<body>
<h1>gridblas: {text.escape(names)}</h1>
{figures}
<section><h2>Numbers</h2>
{_table(found)}
</section>
</body>
</html>
"""
