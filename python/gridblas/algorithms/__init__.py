"""The library's algorithms: gridblas.algorithms.bfs(A, source), ...

The graph is the square matrix A: an edge i -> j is an entry A[i, j]. A is a gridblas.Matrix, a scipy.sparse matrix or array, or a NetworkX
graph (gridblas.io.as_matrix converts it; vertex k is then the graph's k-th node). An algorithm with several results returns a namedtuple;
only="level" returns one of them and saves the work of the others. All are collective; wrong arguments raise TypeError, ValueError or one
of gridblas.exceptions.

The algorithms of gridblas_algos.h that no file here has are in from_header.py, which the build makes of that header (../../declare.py).
"""

from types import ModuleType as _Module

from ..core.operand import similar as _similar
from .centrality import (
    PAGERANK_FP32,
    PAGERANK_PLAIN,
    betweenness,
    betweenness_sampled,
    closeness,
    edge_betweenness,
    eigenvector,
    hits,
    katz,
    pagerank,
)
from .checkpoints import checkpoint_every, checkpoint_resumed
from .from_header import *  # noqa: F403
from .groups import (
    assortativity,
    biconnected,
    bipartite_matching,
    cdlp,
    clique_count,
    coloring,
    components,
    densest_subgraph,
    kcore,
    ktruss,
    label_assortativity,
    lcc,
    leiden,
    louvain,
    markov_clustering,
    matching,
    mis,
    modularity,
    motif_counts,
    peer_pressure,
    reciprocity,
    rich_club,
    square_clustering,
    strong_components,
    triangles,
    vertex_cover,
)
from .iterations import als, circuit, conjugate_gradient, factors, heat, lanczos, neural, power_iteration, singular_values, spectral_embedding, vertex_program
from .learning import neighbor_sample, random_walks
from .paths import (
    bellman_ford,
    bfs,
    bfs_many,
    bfs_path,
    diameter,
    eccentricity,
    max_flow,
    msf,
    shortest_paths,
    shortest_paths_many,
    topological_order,
    transitive_closure,
)
from .similarity import (
    SIMILARITY_ADAMIC_ADAR,
    SIMILARITY_COMMON,
    SIMILARITY_COSINE,
    SIMILARITY_JACCARD,
    SIMILARITY_OVERLAP,
    SIMILARITY_RESOURCE_ALLOCATION,
    SIMILARITY_SORENSEN,
    similarity,
)

__all__ = sorted(name for name, value in list(globals().items()) if not name.startswith("_") and not isinstance(value, _Module))


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> None:
    raise AttributeError(f"no algorithm is called {name!r}{_similar(name, __all__)}")
