"""What NetworkX shows of the backend. A package of its own: `import networkx` reads it, and should load nothing else."""

from __future__ import annotations

from typing import Any

FUNCTIONS = (
    "adamic_adar_index all_pairs_all_shortest_paths all_pairs_bellman_ford_path_length all_pairs_dijkstra all_pairs_dijkstra_path "
    "all_pairs_dijkstra_path_length all_pairs_shortest_path all_pairs_shortest_path_length all_shortest_paths ancestors average_clustering "
    "average_shortest_path_length barycenter bellman_ford_path_length betweenness_centrality bfs_edges bfs_labeled_edges bfs_layers "
    "bfs_predecessors bfs_successors bfs_tree bidirectional_shortest_path boundary_expansion center closeness_centrality clustering conductance "
    "connected_components core_number cut_size degree_centrality descendants descendants_at_distance diameter dijkstra_path dijkstra_path_length "
    "dijkstra_predecessor_and_distance eccentricity edge_expansion efficiency ego_graph eigenvector_centrality generalized_degree "
    "global_efficiency global_reaching_centrality group_closeness_centrality group_degree_centrality group_in_degree_centrality "
    "group_out_degree_centrality gutman_index harmonic_centrality harmonic_diameter has_path hits hyper_wiener_index in_degree_centrality "
    "is_arborescence is_branching is_connected is_directed_acyclic_graph is_empty is_forest is_isolate is_k_regular is_partition is_regular "
    "is_strongly_connected is_tree is_weakly_connected isolates jaccard_coefficient k_core k_corona k_crust k_shell k_truss katz_centrality "
    "local_reaching_centrality mixing_expansion modularity multi_source_dijkstra multi_source_dijkstra_path multi_source_dijkstra_path_length "
    "node_boundary node_connected_component node_expansion normalized_cut_size number_connected_components number_of_isolates number_of_selfloops "
    "number_strongly_connected_components number_weakly_connected_components onion_layers out_degree_centrality overall_reciprocity pagerank "
    "periphery predecessor preferential_attachment radius reciprocity resource_allocation_index schultz_index shortest_path shortest_path_length "
    "single_source_all_shortest_paths single_source_bellman_ford_path_length single_source_dijkstra single_source_dijkstra_path "
    "single_source_dijkstra_path_length single_source_shortest_path single_source_shortest_path_length single_target_shortest_path "
    "single_target_shortest_path_length square_clustering strongly_connected_components topological_generations topological_sort "
    "transitive_closure transitive_reduction transitivity triangles volume voronoi_cells weakly_connected_components wiener_index"
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
