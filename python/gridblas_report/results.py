"""Results as --json writes them, and the limits and rows of bench/ops.sh's ops.json."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


class Unreadable(Exception):
    """A sentence about a file that is no result."""


@dataclass
class Result:
    name: str  # its file name, shortened as far as it is unique
    values: dict[str, Any] = field(default_factory=dict)
    rows: list[dict[str, Any]] = field(default_factory=list)  # of ops.json

    @property
    def processes(self) -> int:
        if "num_mpi_processes" in self.values:
            return int(self.values["num_mpi_processes"])
        rows, _, columns = str(self.values.get("grid", "1x1")).partition("x")
        return int(rows) * int(columns)

    @property
    def graph(self) -> str:
        if "SCALE" in self.values:
            return f"Graph500, scale {self.values['SCALE']}, edge factor {self.values['edgefactor']}"
        return str(self.values.get("graph", ""))

    @property
    def speed(self) -> tuple[str, float] | None:
        """What it was fast at, and how: more is better."""
        if "harmonic_mean_TEPS" in self.values:
            return "MTEPS", self.values["harmonic_mean_TEPS"] / 1e6
        if "MTEPS" in self.values:
            return "MTEPS", self.values["MTEPS"]
        if self.values.get("run_ms", 0) > 0:
            return "runs a second", 1e3 / self.values["run_ms"]
        return None

    @property
    def task(self) -> str:
        """The task, from its values: runs of one task are compared."""
        names = [k for k in ("levels", "iterations", "components", "communities", "triangles", "NBFS") if k in self.values]
        return self.graph + (f" ({', '.join(names)})" if names else "")

    @property
    def levels(self) -> list[dict[str, Any]]:
        return self.values.get("products", [])


def _one(path: str, name: str) -> Result:
    try:
        value = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as e:
        raise Unreadable(f"{path}: {e.strerror}") from None
    except ValueError as e:
        raise Unreadable(f"{path}: this is no JSON: {e}") from None
    if isinstance(value, list) and value and all(isinstance(r, dict) and {"row", "entries", "bytes", "ms"} <= r.keys() for r in value):
        return Result(name, rows=value)
    if isinstance(value, dict) and ("graph" in value or "SCALE" in value):
        return Result(name, values=value)
    raise Unreadable(f"{path}: this is no result of gridblas --json, nor an ops.json of bench/ops.sh")


def read(paths: list[str]) -> list[Result]:
    stems = [Path(p).stem for p in paths]
    names = [s if stems.count(s) == 1 else p for s, p in zip(stems, paths)]
    found = [_one(p, n) for p, n in zip(paths, names)]
    for r in found:
        try:
            _ = r.processes, r.graph, r.speed
            _ = [(p["level"], p["frontier"], p["found"], p["inspected"], p["direction"]) for p in r.levels]
        except (KeyError, TypeError, ValueError) as e:
            raise Unreadable(f"{r.name}: the result has a part that is not as --json writes it: {e!r}") from None
    return found
