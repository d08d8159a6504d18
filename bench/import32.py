"""Matrices of scipy's CSR arrays with 32-bit indices: as they are, and converted to 64 bits as they were before Grid_Matrix_import32.

Each case runs in a process of its own and prints the seconds of CPU time and the highest memory above that before the call.

Usage: import32.py [ENTRIES]     (PYTHONPATH: a build's python folder)
"""

import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

CASES = ("32 bits", "64 bits")


def arrays(entries: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Rows of 10 entries, columns ascending."""
    rows = max(entries // 10, 1)
    first = np.arange(rows, dtype=np.int64) * 7919 % max(rows - 10, 1)
    columns = (first[:, None] + np.arange(10)).astype(np.int32).ravel()
    return np.arange(rows + 1, dtype=np.int32) * np.int32(10), columns, np.ones(rows * 10), max(rows, 11)


def highest_memory(reset: bool = False) -> int:
    """The most bytes that the process had in memory; reset: since now."""
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    (line,) = re.findall(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return int(line) * 1024


def run(case: str, entries: int) -> None:
    import gridblas as gb

    indptr, columns, values, ncols = arrays(entries)
    gb.init()
    before, start = highest_memory(reset=True), time.process_time()
    index = np.uint64 if case == "64 bits" else np.int32
    A = gb.Matrix.from_csr(indptr.astype(index, copy=False), columns.astype(index, copy=False), values, ncols=ncols)
    seconds, more = time.process_time() - start, highest_memory() - before
    print(f"{case}: {seconds:.3f} s of CPU time, {more / len(values):.1f} bytes an entry ({A.nvals} entries)")


if __name__ == "__main__":
    if len(sys.argv) > 2:
        run(sys.argv[2], int(sys.argv[1]))
    else:
        for case in CASES:
            subprocess.run([sys.executable, __file__, sys.argv[1] if len(sys.argv) > 1 else "10000000", case], check=True)
