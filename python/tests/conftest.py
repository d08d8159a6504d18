"""What the tests share: graphs and arrays that every process draws alike."""

import numpy as np
import pytest


@pytest.fixture
def rng():
    return np.random.default_rng(7)


@pytest.fixture
def draw(rng):
    """draw(shape, dtype) -> a dense array and where it has entries."""

    def array(shape, dtype=float, density=0.4):
        here = rng.random(shape) < density
        values = rng.integers(1, 9, shape).astype(dtype)
        return np.where(here, values, 0).astype(dtype), here

    return array
