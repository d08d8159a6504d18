"""What NetworkX shows of the backend. A package of its own: `import networkx` reads it, and should load nothing else."""

from __future__ import annotations

from typing import Any

FUNCTIONS = (
    "ancestors average_clustering average_shortest_path_length bellman_ford_path_length betweenness_centrality bfs_layers closeness_centrality "
    "clustering connected_components core_number degree_centrality descendants descendants_at_distance diameter dijkstra_path_length "
    "eccentricity eigenvector_centrality harmonic_centrality has_path hits in_degree_centrality is_connected is_isolate is_strongly_connected is_weakly_connected isolates "
    "katz_centrality node_connected_component number_connected_components number_of_isolates number_strongly_connected_components "
    "number_weakly_connected_components out_degree_centrality pagerank radius single_source_bellman_ford_path_length "
    "single_source_dijkstra_path_length single_source_shortest_path_length single_target_shortest_path_length strongly_connected_components "
    "all_pairs_shortest_path_length all_pairs_dijkstra_path_length all_pairs_bellman_ford_path_length transitivity triangles "
    "weakly_connected_components wiener_index "
    "adamic_adar_index is_arborescence is_branching is_directed_acyclic_graph is_empty is_forest is_k_regular is_regular is_tree "
    "jaccard_coefficient number_of_selfloops overall_reciprocity preferential_attachment reciprocity resource_allocation_index "
    "boundary_expansion conductance cut_size edge_expansion global_efficiency is_partition mixing_expansion modularity node_boundary "
    "node_expansion normalized_cut_size periphery volume"
).split()


def get_info() -> dict[str, Any]:
    """The entry point `networkx.backend_info`."""
    return {
        "backend_name": "gridblas",
        "project": "gridblas",
        "package": "gridblas",
        "short_summary": "Graph algorithms on sparse matrices that are distributed over MPI processes, on CPUs and GPUs.",
        "functions": {name: {} for name in FUNCTIONS},
    }
