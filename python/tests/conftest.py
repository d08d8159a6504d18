"""Fixtures: graphs and arrays that every process draws alike."""

from pathlib import Path

import numpy as np
import pytest

import gridblas as gb


@pytest.fixture
def rng():
    return np.random.default_rng(7)


@pytest.fixture
def draw(rng):
    """draw(shape, dtype) -> a dense array and where it has entries."""

    def array(shape, dtype=float, density=0.4):
        present = rng.random(shape) < density
        values = rng.integers(1, 9, shape).astype(dtype)
        return np.where(present, values, 0).astype(dtype), present

    return array


@pytest.fixture
def shared(tmp_path):
    """shared(NAME) -> a path that is the same on all processes, in a folder of the first one."""
    letters = np.frombuffer(str(tmp_path).encode().ljust(400), np.uint8)
    text = gb.Vector.from_local(np.arange(400) if gb.rank() == 0 else [], letters if gb.rank() == 0 else letters[:0], size=400)
    return Path(bytes(text.to_dense()).decode().rstrip()).joinpath
