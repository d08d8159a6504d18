"""Checkpoints of the long iterations."""

from __future__ import annotations

from typing import Any

from .. import library
from ..core.operand import check_integer
from ..page_files import encode_path


def checkpoint_every(folder: Any, every: int = 1, what: str | None = None) -> None:
    """From now on the algorithms that iterate (pagerank, cdlp, vertex_program, components, shortest_paths, bellman_ford, bfs_many,
    shortest_paths_many, all_pairs, betweenness,
    betweenness_sampled, edge_betweenness, closeness, eccentricity, katz, eigenvector, hits, kcore, triangles, lcc, square_clustering,
    motif_counts, clique_count, louvain, leiden, peer_pressure, markov_clustering, ktruss, similarity, transitive_closure, factors, als,
    lanczos, singular_values, spectral_embedding, power_iteration, conjugate_gradient) write a checkpoint into `folder` every `every` iterations, and start from the newest one there. `what` is any
    text that tells apart computations on matrices of the same size; folder=None ends it. Collective.

    >>> gb.algorithms.checkpoint_every(None)
    """
    path = None if folder is None else encode_path(folder, "folder")
    library.call("Grid_checkpoint_set_interval", path, check_integer("every", every), None if what is None else what.encode())


def checkpoint_resumed() -> int:
    """How many iterations the last of these algorithms found done in a checkpoint.

    >>> gb.algorithms.checkpoint_resumed()
    0
    """
    return library.lib.Grid_checkpoint_resumed()
