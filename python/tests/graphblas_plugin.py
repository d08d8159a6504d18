"""A plug-in of pytest for python-graphblas's own tests: they run over gridblas, and a test that is known to fail is marked so, with its reason.

Usage: pytest -p graphblas_plugin [--known FILE] [--blocking] PATH_OF_graphblas/tests. With GRAPHBLAS_BACKEND=suitesparse in the
environment they run over SuiteSparse:GraphBLAS, for comparison.
"""

import os
import random
from pathlib import Path

import numpy as np
import pytest

if os.environ.get("GRAPHBLAS_BACKEND") != "suitesparse":
    import gridblas.graphblas_backend  # noqa: F401 (before graphblas)


@pytest.fixture(autouse=True)
def _same_random_numbers(monkeypatch):
    """Every process, and every run, draws the same."""
    default_rng = np.random.default_rng
    random.seed(7)
    np.random.seed(7)
    monkeypatch.setattr(np.random, "default_rng", lambda seed=7: default_rng(seed))


def pytest_addoption(parser):
    group = parser.getgroup("python-graphblas")
    # Those that the tests' conftest.py asks for; it draws them at random where they are not defined.
    group.addoption("--backend", default="suitesparse")
    group.addoption("--blocking", action="store_true")
    group.addoption("--record", action="store_true")
    group.addoption("--mapnumpy", action="store_true")
    group.addoption("--runslow", action="store_true")
    group.addoption("--randomly", action="store_true")
    group.addoption("--known", help="lines of a test's name and the reason why it fails; the test of no such line may fail, that of each must")


def _known(path):
    """The names of a file's tests and their reasons."""
    lines = [line.strip() for line in Path(path).read_text().splitlines()]
    return dict(line.split(None, 1) for line in lines if line and not line.startswith("#"))


def pytest_collection_modifyitems(config, items):
    path = config.getoption("--known")
    if not path:
        return
    known = _known(path)
    for item in items:
        name = f"{Path(item.location[0]).stem}::{item.name}"
        reason = known.get(name)
        if reason:
            item.add_marker(pytest.mark.xfail(reason=reason, strict=True))
