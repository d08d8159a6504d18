"""python3 -m gridblas_report RESULT.json... -o report.html ("-": the page alone, to standard output). Exit status: 0; 2: a result that can't be
read or a page that can't be written, with a line that says why; 77: there is no matplotlib that loads."""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import os
import signal
import sys
from pathlib import Path
from typing import Any

from . import results


def draw(found: list[results.Result]) -> tuple[str, list[Any]]:
    """The page and its plots."""
    try:
        import matplotlib  # imported late, so that errors in results are reported at once

        matplotlib.use("svg")
        from . import page, plots
    except ImportError as error:  # installed, but for another numpy
        print(f"gridblas: matplotlib of {sys.executable} does not load: {error}", file=sys.stderr)
        sys.exit(77)

    drawn = plots.all_of(found)
    return page.html(found, drawn), drawn


def print_page(paths: list[str]) -> None:
    page, _ = draw(results.read(paths))
    try:
        sys.stdout.write(page)
        sys.stdout.flush()
    except OSError as e:
        e.filename = "standard output"
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing is flushed at the end
        raise


def write_page(paths: list[str], out: Path) -> None:
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))  # an exception: the file is removed
    whole = out.with_name(out.name + f".{os.getpid()}")  # it gets its name when it is complete
    try:
        found = results.read(paths)
        whole.touch()
        page, drawn = draw(found)
        for plot in drawn:
            plot.save(out)
        whole.write_text(page, encoding="utf-8")
        whole.replace(out)
    finally:
        with contextlib.suppress(OSError):
            whole.unlink()
    print(f"report:                        {out}")
    print(f"plots:                         {len(drawn)}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="gridblas report")
    parser.add_argument("result", nargs="+")
    parser.add_argument("-o", "--out", default="report.html")
    given = parser.parse_args()
    try:
        if given.out == "-":
            print_page(given.result)
        else:
            write_page(given.result, Path(given.out))
    except results.Unreadable as e:
        print(f"gridblas: {e}", file=sys.stderr)
        return 2
    except OSError as e:
        print(f"gridblas: {e.filename}: can't write the report: {e.strerror}", file=sys.stderr)
        return 2
    return 0


sys.exit(main() if importlib.util.find_spec("matplotlib") else 77)
