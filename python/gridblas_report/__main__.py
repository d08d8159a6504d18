"""python3 -m gridblas_report RESULT.json... -o report.html. Exit status: 0; 2: a result that can't be read or a page that can't be written,
with a line that says why; 77: there is no matplotlib."""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from pathlib import Path

from . import results


def main() -> int:
    parser = argparse.ArgumentParser(prog="gridblas report")
    parser.add_argument("result", nargs="+")
    parser.add_argument("-o", "--out", default="report.html")
    given = parser.parse_args()
    out = Path(given.out)
    whole = out.with_name(out.name + f".{os.getpid()}")  # it gets its name when it is complete
    try:
        found = results.read(given.result)
        whole.touch()
        import matplotlib  # late: what is wrong with a result is told at once

        matplotlib.use("svg")
        from . import page, plots

        drawn = plots.all_of(found)
        for plot in drawn:
            plot.save(out)
        whole.write_text(page.html(found, drawn), encoding="utf-8")
        whole.replace(out)
    except results.Unreadable as e:
        print(f"gridblas: {e}", file=sys.stderr)
        return 2
    except OSError as e:
        whole.unlink(missing_ok=True)
        print(f"gridblas: {e.filename}: can't write the report: {e.strerror}", file=sys.stderr)
        return 2
    print(f"report:                        {out}")
    print(f"plots:                         {len(drawn)}")
    return 0


sys.exit(main() if importlib.util.find_spec("matplotlib") else 77)
