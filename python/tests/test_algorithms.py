"""The algorithms, against scipy's and numpy's where those have them."""

import gc
import inspect
from pathlib import Path

import numpy as np
import pytest

import gridblas as gb
from gridblas import algorithms
from gridblas._declarations import ALGORITHMS

csgraph = pytest.importorskip("scipy.sparse.csgraph")
sparse = pytest.importorskip("scipy.sparse")
N = 40
PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture
def directed(rng):
    dense = np.where(rng.random((N, N)) < 0.04, rng.integers(1, 9, (N, N)), 0).astype(float)
    np.fill_diagonal(dense, 0)
    return dense


@pytest.fixture
def undirected(directed):
    return np.maximum(directed, directed.T)


def matrix(dense):
    return gb.Matrix.from_dense(dense, missing_value=0)


def distances(vector):
    return vector.to_dense(np.inf)


def test_all_algorithms_are_wrapped():
    of_graphs = {name for name, parameters in ALGORITHMS.items() if any("GrB_Matrix" in p for p in parameters)}
    assert len(of_graphs) >= 20 and {name.removeprefix("Grid_") for name in of_graphs} <= set(algorithms.__all__)


def test_algorithms_of_the_header_run(directed):
    """Those that the build makes from gridblas_algos.h alone (gridblas/algorithms/from_header.py)."""
    arguments = {"A": matrix(directed), "source": 0, "sources": [0, 1], "iterations": 3, "limit": 3, "seed": 1, "tolerance": 0.0}
    for name in algorithms.__all__:
        function = getattr(algorithms, name)
        if getattr(function, "__module__", "").endswith(".from_header"):
            parameters = [p for p in inspect.signature(function).parameters if p != "only"]
            assert set(parameters) <= set(arguments), f"{name}: an argument for this test"
            assert function(*[arguments[p] for p in parameters]) is not None


def test_search(directed):
    A = matrix(directed)
    hops = csgraph.shortest_path(directed, unweighted=True, indices=3)
    found = algorithms.bfs(A, 3)
    assert np.array_equal(distances(found.level), hops)
    for v, parent in found.parent.to_dict().items():
        assert v == parent == 3 or (directed[parent, v] and hops[v] == hops[parent] + 1)
    assert np.array_equal(distances(algorithms.bfs(A, 3, limit=2, only="level")), np.where(hops <= 2, hops, np.inf))
    expected = csgraph.shortest_path(directed, unweighted=True, indices=[3, 5])
    assert np.array_equal(algorithms.bfs_many(A, [3, 5]).to_dense(np.inf), expected.T)
    with pytest.raises(gb.exceptions.InvalidIndex):
        algorithms.bfs(A, N)
    with pytest.raises(ValueError, match="only: one of level, parent"):
        algorithms.bfs(A, 0, only="colour")


def test_each_output_alone(undirected):
    A = matrix(undirected)
    options = {"source": 0, "sources": [0], "target": 1, "k": 3, "community": gb.Vector.from_dense(np.arange(N) % 4), "sink": 1}
    tried = 0
    for name in dir(algorithms):
        parameters = inspect.signature(getattr(algorithms, name)).parameters if callable(getattr(algorithms, name)) else {}
        needed = [p.name for p in parameters.values() if p.default is p.empty][1:]
        if "only" not in parameters or not options.keys() >= set(needed):
            continue
        call = getattr(algorithms, name)
        every = call(A, **{p: options[p] for p in needed})
        for field in getattr(every, "_fields", ()):
            alone, tried = call(A, **{p: options[p] for p in needed}, only=field), tried + 1
            assert type(alone) is type(getattr(every, field)), (name, field)
    assert tried > 40


def test_paths(directed):
    A, expected = matrix(directed), csgraph.shortest_path(directed, indices=0)
    assert np.allclose(distances(algorithms.shortest_paths(A, 0).distance), expected)
    assert np.allclose(distances(algorithms.bellman_ford(A, 0).distance), expected)
    loop = gb.Matrix.from_coo([0, 1, 2], [1, 2, 0], [1.0, -5, 1])
    cycle = algorithms.bellman_ford(loop, 0)
    assert cycle.negative_cycle and cycle.distance is None


def test_components(directed, undirected):
    for A, function, connection in (
        (matrix(undirected), algorithms.components, "weak"),
        (matrix(directed), algorithms.strong_components, "strong"),
    ):
        _, labels = csgraph.connected_components(A.to_dense(0), connection=connection)
        smallest = np.array([np.flatnonzero(labels == label)[0] for label in labels])
        assert np.array_equal(function(A).to_dense(), smallest)


def test_forest(undirected):
    forest = algorithms.msf(matrix(undirected))
    assert forest.reduce_scalar().value == csgraph.minimum_spanning_tree(undirected).sum()


def test_pagerank(directed):
    ranks = algorithms.pagerank(matrix(directed), tolerance=1e-12, limit=200)
    pattern = (directed > 0).astype(float)
    out = pattern.sum(1)
    expected = np.full(N, 1 / N)
    for _ in range(200):
        share = np.divide(expected, out, where=out > 0, out=np.zeros(N))
        expected = 0.85 * pattern.T @ share + (0.15 + 0.85 * expected[out == 0].sum()) / N
    assert np.allclose(ranks.rank.to_dense(), expected) and 10 < ranks.iterations <= 200 and ranks.change < 1e-11
    personal = gb.Vector.from_coo([1], [1.0], size=N)
    assert algorithms.pagerank(matrix(directed), personal, only="rank").reduce("max").value == pytest.approx(
        algorithms.pagerank(matrix(directed), personal).rank[1].value
    )


def test_triangles(undirected):
    A = matrix(undirected)
    pattern = (undirected > 0).astype(int)
    corners = np.diag(pattern @ pattern @ pattern) // 2
    found = algorithms.triangles(A)
    assert found.count == corners.sum() // 3 and np.array_equal(found.per_vertex.to_dense(), corners)
    degree = pattern.sum(1)
    pairs = degree * (degree - 1)
    assert np.allclose(algorithms.lcc(A).to_dense(), np.divide(2 * corners, pairs, where=pairs > 0, out=np.zeros(N)))
    truss = algorithms.ktruss(A, 3)
    assert set(truss) == {(i, j) for i, j in np.argwhere(pattern) if (pattern[i] * pattern[j]).any()}
    core = algorithms.kcore(A).to_dense()
    for k in range(1, core.max() + 1):
        inside = core >= k
        assert (pattern[np.ix_(inside, inside)].sum(1) >= k).all()


def test_centrality():
    path = gb.Matrix.from_edgelist([(0, 1), (1, 2), (2, 3), (1, 0), (2, 1), (3, 2)])
    assert algorithms.betweenness(path).to_dense().tolist() == [0, 4, 4, 0]
    assert algorithms.betweenness(path, [0]).to_dense().tolist() == [0, 2, 1, 0]
    assert np.allclose(algorithms.closeness(path, only="closeness").to_dense(), [0.5, 0.75, 0.75, 0.5])
    assert algorithms.closeness(path, [0], only="harmonic").to_dense().tolist() == [0, 1, 1 / 2, 1 / 3]


def test_communities():
    two = gb.Matrix.from_coo([0, 1, 2, 2, 3, 4, 5], [1, 2, 0, 3, 4, 5, 3], [1.0, 1, 1, 0.5, 1, 1, 1])
    found = algorithms.louvain(two)
    assert found.community.to_dense().tolist() == [0, 0, 0, 3, 3, 3] and found.modularity == pytest.approx(6 / 6.5 - 0.5)
    assert algorithms.leiden(two).community.isequal(found.community)
    again = algorithms.modularity((two + two.T).new(), found.community)
    assert again.modularity == pytest.approx(found.modularity) and np.allclose(again.conductance.to_coo()[1], 0.5 / 6.5)
    assert algorithms.louvain(two, resolution=0, only="modularity") == pytest.approx(1)


def test_clusters():
    two = gb.Matrix.from_coo([0, 1, 2, 2, 3, 4, 5], [1, 2, 0, 3, 4, 5, 3])
    found = algorithms.markov_clustering(two)
    assert found.cluster.to_dense().tolist() == [0, 0, 0, 3, 3, 3] and 1 < found.iterations < 30
    assert algorithms.markov_clustering(two, 1.05, 1, only="cluster").to_dense().tolist() == [0] * 6
    found = algorithms.peer_pressure((two + two.T).new())
    # the bridge's ends divide their votes among more
    assert found.cluster.to_dense().tolist() == [0, 0, 0, 4, 4, 4] and found.iterations == 2


def test_vertex_cover(undirected):
    found = algorithms.vertex_cover(matrix(undirected))
    cover = found.cover.to_dense(False)
    rows, columns = np.nonzero(undirected)
    different = rows != columns
    assert (cover[rows] | cover[columns])[different].all() and found.bound <= cover.sum() <= 2 * found.bound


def test_eccentricity(undirected):
    distance = csgraph.shortest_path(sparse.csr_matrix(undirected), directed=False, unweighted=True)
    expected = np.where(np.isfinite(distance), distance, 0).max(1)
    found = algorithms.eccentricity(matrix(undirected))
    assert (found.eccentricity.to_dense() == expected).all()
    assert (found.radius, found.diameter) == (expected.min(), expected.max())


def test_coloring(undirected):
    found = algorithms.coloring(matrix(undirected))
    color = found.color.to_dense()
    rows, columns = np.nonzero(undirected)
    assert (color[rows] != color[columns])[rows != columns].all() and found.colors == color.max() + 1


def test_biconnected():
    # a triangle, a bridge to a cycle of four
    A = gb.Matrix.from_coo([0, 1, 2, 2, 3, 4, 5, 6], [1, 2, 0, 3, 4, 5, 6, 3], nrows=7, ncols=7)
    found = algorithms.biconnected(A)
    assert set(found.bridge) == {(2, 3)} and set(found.articulation) == {2, 3}
    assert found.component.to_dicts() == {0: {1: 0, 2: 0}, 1: {2: 0}, 2: {3: 1}, 3: {4: 2, 6: 2}, 4: {5: 2}, 5: {6: 2}}
    assert set(algorithms.biconnected(A, only="articulation")) == {2, 3}


def test_directed_structure(directed):
    A, pattern = matrix(directed), np.asarray(directed) > 0
    reach = pattern.copy()
    for _ in range(N.bit_length()):
        reach = reach | (reach.astype(int) @ reach.astype(int) > 0)
    assert set(algorithms.transitive_closure(A)) == {(i, j) for i, j in np.argwhere(reach)}
    single = pattern & ~np.eye(N, dtype=bool)
    found = algorithms.reciprocity(A)
    assert found.reciprocity == pytest.approx((single & single.T).sum() / single.sum())
    edges = single.sum(0) + single.sum(1)
    assert np.allclose(found.per_vertex.to_dense(), 2 * (single & single.T).sum(1) / np.maximum(edges, 1))
    above = matrix(np.triu(directed, 1))
    found = algorithms.topological_order(above)
    level, place = found.level.to_dense(), np.argsort(found.order.to_dense())
    rows, columns = np.nonzero(np.triu(directed, 1))
    assert found.acyclic and (level[rows] < level[columns]).all() and (place[rows] < place[columns]).all()
    assert not algorithms.topological_order(matrix(directed + np.eye(N)), only="acyclic")


def test_matchings(undirected, directed):
    mate = algorithms.matching(matrix(undirected)).to_dict()
    weight = [undirected[v, mate[v]] if v in mate else 0 for v in range(N)]
    assert all(mate[w] == v for v, w in mate.items()) and min(weight[v] for v in mate) > 0
    assert all(undirected[v, w] <= max(weight[v], weight[w]) for v, w in np.argwhere(undirected))
    rectangular = directed[: N // 2]
    found = algorithms.bipartite_matching(matrix(rectangular))
    rows, columns = found.row_mate.to_dict(), found.column_mate.to_dict()
    assert {c: r for r, c in rows.items()} == columns and all(rectangular[r, c] for r, c in rows.items())
    expected = csgraph.maximum_bipartite_matching(sparse.csr_matrix(rectangular), perm_type="column")
    assert len(rows) == (expected >= 0).sum()


def test_max_flow(undirected):
    expected = csgraph.maximum_flow(sparse.csr_matrix(undirected.astype(np.int32)), 0, N - 1)
    found = algorithms.max_flow(matrix(undirected), 0, N - 1)
    flow = found.flow.to_dense(0)
    assert found.value == expected.flow_value and (flow <= undirected).all()
    assert np.allclose((flow.sum(0) - flow.sum(1))[1:-1], 0) and flow[0].sum() - flow[:, 0].sum() == found.value
    side = found.source_side.to_dense(0) == 1
    assert side[0] and not side[-1] and undirected[np.ix_(side, ~side)].sum() == found.value


def test_path_to_a_target(directed):
    A, hops = matrix(directed), csgraph.shortest_path(directed, unweighted=True, indices=3)
    for target in range(N):
        path, length = algorithms.bfs_path(A, 3, target)
        vertices = path.to_coo()[1].tolist()
        assert length == (hops[target] if np.isfinite(hops[target]) else -1) and len(vertices) == length + 1
        assert all(directed[a, b] for a, b in zip(vertices, vertices[1:])) and (not vertices or (vertices[0], vertices[-1]) == (3, target))


def test_walk_centrality(directed):
    A, dense = matrix(directed), np.asarray(directed, float)
    beta = np.arange(N, dtype=float)
    found = algorithms.katz(A, beta=gb.Vector.from_dense(beta), alpha=1e-4, tolerance=1e-12)
    assert np.allclose(found.centrality.to_dense(), np.linalg.solve(np.eye(N) - 1e-4 * dense.T, beta)) and found.change < 1e-12
    assert np.allclose(algorithms.katz(A, alpha=0.0, only="centrality").to_dense(), 1)
    found = algorithms.eigenvector(A, tolerance=1e-13, limit=10000)
    x = found.centrality.to_dense()
    assert np.allclose(x @ dense, (x @ dense @ x) * x) and np.linalg.norm(x) == pytest.approx(1) and found.iterations < 10000
    found = algorithms.hits(A, tolerance=1e-13, limit=10000)
    left, _, right = np.linalg.svd(dense)
    assert np.allclose(found.hub.to_dense(), left[:, 0] / left[:, 0].sum())
    assert np.allclose(found.authority.to_dense(), right[0] / right[0].sum())
    start = np.ones(N)
    for name in "katz", "eigenvector", "hits":
        call = getattr(algorithms, name)
        exact, single = (call(A, gb.Vector.from_dense(start.astype(t)), tolerance=0.0, limit=9)[0] for t in (np.float64, np.float32))
        assert (exact.dtype, single.dtype) == (gb.dtypes.FP64, gb.dtypes.FP32)
        assert np.allclose(single.to_dense(), exact.to_dense(), rtol=1e-6)


def test_similarity(undirected):
    A, pattern = matrix(undirected), (np.asarray(undirected) > 0).astype(float)
    degree = pattern.sum(1)
    apart = 1 - np.eye(N)
    common = pattern @ pattern * apart
    assert np.allclose(algorithms.similarity(A, measure=algorithms.SIMILARITY_COMMON).to_dense(0), common)
    either = degree[:, None] + degree - common
    assert np.allclose(algorithms.similarity(A).to_dense(0), np.divide(common, either, where=common > 0, out=np.zeros((N, N))))
    best = algorithms.similarity(A, measure=algorithms.SIMILARITY_COMMON, k=3)
    for v in range(N):
        row = best.to_dense(0)[v]
        assert sorted(row[row > 0]) == sorted(common[v][common[v] > 0])[-3:]
    pairs = gb.Matrix.from_coo([0, 1, 2], [5, 6, 2], nrows=N, ncols=N)
    found = algorithms.similarity(A, pairs, algorithms.SIMILARITY_RESOURCE_ALLOCATION)
    expected = pattern @ np.diag(np.divide(1, degree, where=degree > 0, out=np.zeros(N))) @ pattern
    assert np.allclose(found.to_dense(0), expected * pairs.to_dense(0))


def test_sets_and_communities(undirected):
    A = matrix(undirected)
    chosen = np.zeros(N, bool)
    chosen[algorithms.mis(A, seed=3).to_coo()[0].astype(int)] = True
    neighbours = (undirected > 0) @ chosen
    assert not (neighbours & chosen).any() and (neighbours | chosen).all()
    cliques = np.kron(np.eye(2), np.ones((4, 4))) - np.eye(8)
    assert algorithms.cdlp(matrix(cliques)).to_dense().tolist() == [0] * 4 + [4] * 4


def test_iterations(rng):
    ratings = matrix(np.where(rng.random((8, 6)) < 0.7, rng.integers(1, 6, (8, 6)), 0).astype(float))
    found = algorithms.factors(ratings, 3, iterations=50)
    assert found.P.shape == (8, 3) and found.Q.shape == (6, 3) and len(found.error) == 51 and found.error[50] < found.error[0]
    wire = gb.Matrix.from_edgelist([(0, 1), (1, 2), (1, 0), (2, 1)])
    ends = gb.Vector.from_coo([0, 2], [0.0, 10.0], size=3)
    assert algorithms.circuit(wire, ends, tolerance=1e-9).volts[1].value == pytest.approx(5)
    warm = algorithms.heat(wire, gb.Vector.from_coo([0], [9.0], size=3), tolerance=1e-9, limit=10000)
    assert np.allclose(warm.temperature.to_dense(), 3, atol=1e-6)
    far = algorithms.vertex_program(
        wire,
        gb.Vector.from_coo([0, 1, 2], [0.0, 99, 99]),
        "min_plus[FP64]",
        "FP64",
        "min[FP64]",
        gb.binary.register_anonymous("void apart(double *z, const double *x, const double *y) { *z = fabs(*x - *y); }")["FP64"],
        0.0,
        10,
    )
    assert far.state.to_dense().tolist() == [0, 1, 2]


def test_checkpoints(shared, directed):
    A = matrix(directed)
    algorithms.checkpoint_every(shared("kept"), 2, "a test")
    try:
        algorithms.pagerank(A, tolerance=0, limit=4)
        assert algorithms.checkpoint_resumed() == 0
        rank = algorithms.pagerank(A, tolerance=0, limit=6, only="rank")
        assert algorithms.checkpoint_resumed() == 4
    finally:
        algorithms.checkpoint_every(None)
    assert rank.isclose(algorithms.pagerank(A, tolerance=0, limit=6, only="rank"))


def test_cycles_are_collected_when_python_likes():
    """A vector with single elements waiting goes on one process before the others: they still agree."""

    class Holder:
        pass

    holder = Holder()
    holder.vector, holder.itself = gb.Vector(int, 100), holder
    holder.vector[99] = 1
    del holder
    if gb.rank() == 0:
        gc.collect()
    v = gb.Vector.from_coo([1], [5], size=100)
    assert v.apply("plus", 1).new().to_dict() == {1: 6}
    gc.collect()
    assert v.nvals == 1


def test_functions_made_of_a_header(tmp_path, monkeypatch):
    """A new declaration becomes a function with its parameters, and its comment the docstring."""
    monkeypatch.syspath_prepend(PROJECT / "python")
    import declare

    header = tmp_path / "new.h"
    comment = "Something new of the square matrix A.\n *   found  if not NULL: *found becomes a new INT64 vector\n * Errors: GrB_NULL_POINTER. Collective."
    header.write_text(f"/* {comment} */\nGrB_Info Grid_novel(GrB_Vector *found, GrB_Matrix A, const GrB_Index *sources, GrB_Index nsources, uint64_t seed);\n")
    text = declare.from_header(header, PROJECT / "python" / "gridblas")
    assert "def novel(A, sources, seed, *, only=None):" in text
    assert "Something new of the square matrix A." in text and "found  a new INT64 vector" in text and "Errors" not in text
