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
    from gridblas.core.index import index_array
    from gridblas.core.values import pairs_of

    assert np.shares_memory(index_array(indices), indices) and np.shares_memory(pairs_of(values, 3, None)[0], values)
    sparse = pytest.importorskip("scipy.sparse")
    A = gb.Matrix.from_coo(indices, indices, values)
    csr = gb.io.to_scipy_sparse(A)
    assert csr.data.dtype == np.float64 and isinstance(csr, sparse.csr_array)


def pairs(path):
    return [tuple(map(int, line.split()[:2])) for line in path.read_text().splitlines() if line[0] != "#"]


def test_read_counts_edges_in_both_directions_as_the_program_does():
    edges = pairs(DATA / "ca-GrQc.txt")
    both = {(u, v) for u, v in edges} | {(v, u) for u, v in edges}
    A, names = gb.io.read(DATA / "ca-GrQc.txt", names=True)
    number = {name: k for k, name in enumerate(sorted({u for u, _ in both}))}
    assert names.tolist() == sorted(number) and A.nrows == len(number)
    assert sorted(A) == sorted((number[u], number[v]) for u, v in both)
    karate = gb.io.read(DATA / "karate.txt")
    assert gb.algorithms.bfs(karate, 0).level.nvals == 34
    one_way = gb.io.read(DATA / "karate.txt", directed=True)
    assert sorted(one_way) == sorted((u - 1, v - 1) for u, v in pairs(DATA / "karate.txt"))


def test_read_matrix_market(tmp_path):
    path = tmp_path / "small.mtx"  # each process its own, of the same text

    def matrix(kind, *lines, **options):
        path.write_text(f"%%MatrixMarket matrix coordinate real {kind}\n3 3 {len(lines)}\n" + "\n".join(lines) + "\n")
        return gb.io.read(path, **options)

    for directed in (False, True):  # the file says so
        assert matrix("symmetric", "2 1 4.5", "3 3 1", directed=directed).to_dicts() == {0: {1: 4.5}, 1: {0: 4.5}, 2: {2: 1.0}}
        assert matrix("skew-symmetric", "2 1 4.5", directed=directed).to_dicts() == {0: {1: -4.5}, 1: {0: 4.5}}
    general = "1 2 5", "2 1 3", "2 3 1", "3 3 7"
    assert matrix("general", *general).to_dicts() == {0: {1: 3}, 1: {0: 3, 2: 1}, 2: {1: 1, 2: 7}}
    assert matrix("general", *general, dup_op="plus", loops=False).to_dicts() == {0: {1: 8}, 1: {0: 8, 2: 1}, 2: {1: 1}}
    listed = {0: {1: 5}, 1: {0: 3, 2: 1}, 2: {2: 7}}
    assert matrix("general", *general, directed=True).to_dicts() == listed == gb.io.mmread(path).to_dicts()
    assert matrix("general", *general, dtype=int).dtype == "INT64"
    assert gb.io.read(path, names=True)[1].tolist() == [1, 2, 3]
    with pytest.raises(FileNotFoundError, match="nothing_there"):
        gb.io.read("/nothing_there.mtx")


def test_write(shared):
    A, names = gb.io.read(DATA / "ca-GrQc.txt", directed=True, names=True)
    path = shared("edges.txt")
    gb.io.write(A, path, names=names)
    assert sorted(pairs(path)) == sorted(pairs(DATA / "ca-GrQc.txt"))
    back, same = gb.io.read(path, directed=True, names=True)
    assert back.isequal(A, check_dtype=True) and np.array_equal(same, names)
    weighted = gb.Matrix.from_coo([0, 1, 1, 4], [1, 0, 1, 2], [0.5, 0.5, 2, -3], nrows=5, ncols=5)
    for name in ("a.mtx", "a.mtx.gz", "a.npz", "a.grb"):
        gb.io.write(weighted, shared(name))
        assert gb.io.read(shared(name), directed=True).isequal(weighted), name
    gb.io.write(weighted.T, shared("transposed"), "matrix-market")
    assert gb.io.read(shared("transposed"), directed=True).isequal(weighted.T.new())


def test_write_symmetric(shared):
    A = gb.Matrix.from_coo([0, 1, 1], [1, 0, 1], [1, 1, 4], nrows=3, ncols=3)
    gb.io.write(A, shared("a.mtx"), symmetric=True)
    assert shared("a.mtx").read_text().splitlines()[0].endswith(" symmetric")
    assert gb.io.read(shared("a.mtx")).to_dicts() == A.to_dicts()
    with pytest.raises(ValueError, match="transpose"):
        gb.io.write(gb.Matrix.from_coo([0], [1], [1], nrows=2, ncols=2), shared("b.mtx"), symmetric=True)


def test_write_refuses_what_a_file_cannot_hold(shared):
    large = gb.Matrix.from_coo([0, 1], [0, 1], [1, 2**53 + 1])
    for A, name, words in (
        (large, "a.mtx", "2\\^53"),
        (gb.Matrix.from_coo([0, 1], [0, 1], [1, 2]), "a.nosuch", "no format"),
        (gb.Matrix.from_coo([0, 1], [0, 1], [1.5, 2]), "a.metis", "integer weights|loops"),
    ):
        with pytest.raises(gb.exceptions.InvalidValue, match=words):
            gb.io.write(A, shared(name))
        assert not shared(name).exists()
    with pytest.raises(ValueError, match="2 integers.*not 3"):
        gb.io.write(large, shared("a.txt"), names=[1, 2, 3])


def test_an_archive_that_is_no_matrix(shared):
    path, negative = shared("other.npz"), shared("negative.npz")
    if gb.rank() == 0:
        np.savez(path, a=np.arange(3))
        np.savez(negative, format=b"coo", row=[0, 1], col=[0, 1], data=[1.0, 2.0], shape=[2, -2])
    gb.Vector.from_local(np.empty(0, int), np.empty(0), size=1)  # all processes wait for the files
    with pytest.raises(gb.exceptions.InvalidValue, match="other.npz: a zip archive without the array format.npy of scipy's save_npz"):
        gb.io.read(path)
    with pytest.raises(gb.exceptions.InvalidValue, match="negative.npz: shape.npy: expected whole numbers of rows and columns, 0 or more"):
        gb.io.read(negative)


def test_a_missing_file():
    with pytest.raises(FileNotFoundError, match="nofile"):
        gb.io.read("nofile.txt")
    with pytest.raises(gb.exceptions.InvalidValue):
        gb.io.read("rmat:x")


def test_networkx():
    nx = pytest.importorskip("networkx")
    G = nx.path_graph(4)
    A = gb.io.from_networkx(G)
    assert A.nvals == 6
    assert sorted(gb.io.to_networkx(A).edges) == sorted(nx.DiGraph(G).edges)
    assert gb.algorithms.bfs(G, 0).level.to_dense().tolist() == [0, 1, 2, 3]
    assert gb.algorithms.components(nx.MultiDiGraph([("a", "b"), ("a", "b"), ("c", "d")])).to_dense().tolist() == [0, 0, 2, 2]
    G.add_edge(1, 2, weight="heavy")
    with pytest.raises(TypeError, match=r"'weight' of the edge \(1, 2\) is 'heavy', not a number; weight=None"):
        gb.algorithms.bfs(G, 0)
    assert gb.io.from_networkx(G, weight=None).nvals == 6


def test_algorithms_take_scipy():
    sparse = pytest.importorskip("scipy.sparse")
    S = sparse.random(20, 20, 0.2, random_state=1)
    level = gb.algorithms.bfs(gb.io.from_scipy_sparse(S), 3, only="level")
    for x in (S.tocsr(), S.tolil(), sparse.csc_array(S) if hasattr(sparse, "csc_array") else S):
        assert gb.algorithms.bfs(x, 3, only="level").isequal(level)
    assert gb.algorithms.bfs(gb.io.from_scipy_sparse(S).T, 3, only="level").isequal(gb.algorithms.bfs(S.T, 3, only="level"))


def test_a_weight_that_is_nan_makes_no_ranks():
    nx = pytest.importorskip("networkx")
    from gridblas.nx import centrality, graph

    G = graph.from_networkx(nx.Graph([("a", "b", {"weight": float("nan")}), ("b", "c", {"weight": 2.0})]), {"weight": 1})
    with pytest.raises(nx.PowerIterationFailedConvergence):
        centrality.pagerank(G)


def test_random_graphs_have_the_program_s_parameters():
    A = gb.io.rmat(8, 4, seed=3)  # noqa: N806
    assert A.dtype == "BOOL" and A.shape == (256, 256) and A.isequal(A.T.new())
    directed = gb.io.rmat(8, 4, seed=3, directed=True)
    both = {edge for i, j in zip(*(x.tolist() for x in directed.to_coo()[:2])) for edge in ((i, j), (j, i))}
    assert directed.nvals <= 4 * 256 and both == set(zip(*(x.tolist() for x in A.to_coo()[:2])))
    apart = gb.io.rmat(8, 4, seed=3, loops=False)
    assert apart.nvals == A.nvals - A.diag().nvals and apart.diag().nvals == 0
    assert not gb.io.rmat(8, 4, seed=4).isequal(A)
    for wrong in ((0,), (59,), (8, 0), (8, 2**60)):
        with pytest.raises((ValueError, gb.exceptions.GraphblasException)):
            gb.io.rmat(*wrong)
