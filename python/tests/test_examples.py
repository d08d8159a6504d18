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
import mini_batch  # noqa: E402


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


def test_mini_batches():
    A = gb.io.read(str(mini_batch.KARATE))
    dense = A.to_dense(0)
    sources = []
    for vertices, edges, values in mini_batch.mini_batches(A, 8, [4, 2], seed=1):
        first = vertices[: min(8, A.nrows - len(sources))]
        assert len(set(vertices)) == len(vertices) and edges.max() < len(vertices) == edges.max() + 1
        assert np.array_equal(dense[vertices[edges[1]], vertices[edges[0]]], values) and (values != 0).all()
        assert np.array_equal(np.bincount(edges[1])[: len(first)], np.minimum((dense[first] != 0).sum(axis=1), 4))
        sources += list(first)
    assert sorted(sources) == list(range(A.nrows))


def test_sentences():
    A = gb.io.read(str(mini_batch.KARATE))
    words = list(mini_batch.sentences(A, 2, 5, seed=3, q=0.5))
    assert len(words) == 2 * A.nrows and words[: A.nrows] != words[A.nrows :]
    assert all(len(walk) == 6 and all(A.get(int(v), int(w)) is not None for v, w in zip(walk, walk[1:])) for walk in words)
