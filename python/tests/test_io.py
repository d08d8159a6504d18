"""scipy.sparse, NetworkX and files."""

from pathlib import Path

import numpy as np
import pytest

import gridblas as gb

DATA = Path(__file__).resolve().parents[2] / "examples" / "data"


def test_scipy(rng):
    sparse = pytest.importorskip("scipy.sparse")
    S = sparse.random(20, 30, 0.2, random_state=1)
    for format in ("csr", "csc", "coo", "lil"):
        A = gb.io.from_scipy_sparse(S.asformat(format))
        assert A.shape == (20, 30) and A.nvals == S.nnz
        back = gb.io.to_scipy_sparse(A, format)
        assert back.format == format and abs(back - S).max() == 0
    twice = sparse.csr_matrix((np.array([1.0, 2.0]), np.array([1, 1]), np.array([0, 2, 2])), shape=(2, 2))
    assert gb.io.from_scipy_sparse(twice).to_dicts() == {0: {1: 3.0}}


def test_no_copy_where_layouts_allow():
    values, indices = np.arange(3.0), np.arange(3)
    from gridblas.index import places
    from gridblas.values import pairs_of

    assert np.shares_memory(places(indices), indices) and np.shares_memory(pairs_of(values, 3, None)[0], values)
    sparse = pytest.importorskip("scipy.sparse")
    A = gb.Matrix.from_coo(indices, indices, values)
    csr = gb.io.to_scipy_sparse(A)
    assert csr.data.dtype == np.float64 and isinstance(csr, sparse.csr_array)


def test_read(tmp_path):
    A = gb.io.read(DATA / "ca-GrQc.txt", directed=False)
    edges = [line.split()[:2] for line in (DATA / "ca-GrQc.txt").read_text().splitlines() if line[0] != "#"]
    both = {(int(u), int(v)) for u, v in edges} | {(int(v), int(u)) for u, v in edges}
    number = {name: k for k, name in enumerate(sorted({u for u, _ in both}))}
    assert A.nrows == len(number) and sorted(A) == sorted((number[u], number[v]) for u, v in both)
    path = tmp_path / "small.mtx"  # each process its own, of the same text
    path.write_text("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 4.5\n3 3 1\n")
    assert gb.io.read(path).to_dicts() == {0: {1: 4.5}, 1: {0: 4.5}, 2: {2: 1.0}}
    with pytest.raises(gb.exceptions.InvalidValue, match="nothing_there"):
        gb.io.read("/nothing_there.mtx")


def test_networkx():
    nx = pytest.importorskip("networkx")
    G = nx.path_graph(4)
    A = gb.io.from_networkx(G)
    assert A.nvals == 6
    assert sorted(gb.io.to_networkx(A).edges) == sorted(nx.DiGraph(G).edges)
