"""The example programs in Python, and those on the first pages."""

import re
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import gridblas as gb

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "examples"))
import conjugate_gradient  # noqa: E402


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_first_pages(page, monkeypatch, capsys):
    """The program runs in the project's folder, and prints what the comment at its end says."""
    text = (PROJECT / page).read_text(encoding="utf-8")
    program = textwrap.dedent(re.search(r"^ *```python\n(.*?)^ *```$", text, re.S | re.M)[1])
    monkeypatch.chdir(PROJECT)
    exec(compile(program, page, "exec"), {})
    expected = re.search(r"^# (.*)\n\Z", program, re.M)[1] + "\n"
    assert capsys.readouterr().out == (expected if gb.rank() == 0 else "")


def test_conjugate_gradient():
    side = 7
    A = conjugate_gradient.laplace(side)
    line = 2 * np.eye(side) - np.eye(side, k=1) - np.eye(side, k=-1)
    dense = np.kron(line, np.eye(side)) + np.kron(np.eye(side), line)
    assert np.array_equal(A.to_dense(0), dense)
    b = np.arange(1.0, side**2 + 1)
    x, steps = conjugate_gradient.solve(A, gb.Vector.from_dense(b), tolerance=1e-10)
    assert np.allclose(x.to_dense(), np.linalg.solve(dense, b)) and steps <= 2 * side**2
