"""The library's algorithms: gridblas.algorithms.bfs(A, source), ...

The graph is the square matrix A: an edge i -> j is an entry A[i, j]. A is a gridblas.Matrix, a scipy.sparse matrix or array, or a NetworkX
graph (gridblas.io.as_matrix converts it; vertex k is then the graph's k-th node). An algorithm with several results returns a namedtuple;
only="level" returns one of them and saves the work of the others. All are collective; wrong arguments raise TypeError, ValueError or one
of gridblas.exceptions.
"""

from .centrality import PAGERANK_FP32, PAGERANK_PLAIN, betweenness, pagerank
from .checkpoints import checkpoint_every, checkpoint_resumed
from .groups import cdlp, components, kcore, ktruss, lcc, mis, strong_components, triangles
from .iterations import circuit, factors, heat, neural, vertex_program
from .paths import bellman_ford, bfs, bfs_many, msf, shortest_paths

__all__ = [
    "PAGERANK_FP32",
    "PAGERANK_PLAIN",
    "bellman_ford",
    "betweenness",
    "bfs",
    "bfs_many",
    "cdlp",
    "checkpoint_every",
    "checkpoint_resumed",
    "circuit",
    "components",
    "factors",
    "heat",
    "kcore",
    "ktruss",
    "lcc",
    "mis",
    "msf",
    "neural",
    "pagerank",
    "shortest_paths",
    "strong_components",
    "triangles",
    "vertex_program",
]


def __dir__() -> list[str]:
    return __all__
