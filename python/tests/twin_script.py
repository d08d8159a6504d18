"""Runs a twin script under a library: twin_script.py SCRIPT LIBRARY OUTPUT leaves its results as arrays."""

import pickle
import sys
import warnings
from pathlib import Path

import numpy as np


def plain(x):
    """A result of either library as arrays."""
    if not hasattr(x, "dtype") or not hasattr(x, "nvals"):
        return x
    if x.ndim == 0:
        return str(x.dtype), x.value
    return str(x.dtype), x.shape, [np.asarray(part) for part in x.to_coo()]


def run(path, library):
    """The results of a script, its import line changed to this library's."""
    text = Path(path).read_text()
    assert "import graphblas as gb\n" in text
    names = {}
    exec(
        compile(text.replace("import graphblas as", f"import {library} as").replace("from graphblas", f"from {library}"), path, "exec"),
        names,
    )
    return {name: plain(x) for name, x in names["results"].items()}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    Path(sys.argv[3]).write_bytes(pickle.dumps(run(sys.argv[1], sys.argv[2])))
