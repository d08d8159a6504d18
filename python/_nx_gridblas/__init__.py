"""What NetworkX shows of the backend. A package of its own: `import networkx` reads it, and should load nothing else."""

from __future__ import annotations

from typing import Any

FUNCTIONS = (
    "adamic_adar_index adjacency_matrix all_pairs_all_shortest_paths all_pairs_bellman_ford_path all_pairs_bellman_ford_path_length all_pairs_dijkstra "
    "all_pairs_dijkstra_path all_pairs_dijkstra_path_length all_pairs_node_connectivity all_pairs_shortest_path all_pairs_shortest_path_length "
    "all_shortest_paths all_simple_edge_paths all_simple_paths ancestors articulation_points asyn_lpa_communities attracting_components "
    "attribute_assortativity_coefficient average_clustering average_degree_connectivity average_neighbor_degree average_node_connectivity "
    "average_shortest_path_length barbell_graph barycenter bellman_ford_path bellman_ford_path_length bethe_hessian_matrix betweenness_centrality bfs_edges "
    "bfs_labeled_edges bfs_layers bfs_predecessors bfs_successors bfs_tree biadjacency_matrix biconnected_component_edges biconnected_components "
    "bidirectional_shortest_path bipartite_betweenness_centrality bipartite_closeness_centrality bipartite_degree_centrality boundary_expansion bridges "
    "bull_graph caveman_graph center chvatal_graph circular_ladder_graph closeness_centrality clustering cn_soundarajan_hopcroft "
    "collaboration_weighted_projected_graph color common_neighbor_centrality complement complete_bipartite_graph complete_graph complete_multipartite_graph "
    "condensation conductance connected_components constraint convert_node_labels_to_integers core_number cubical_graph cut_size cycle_basis cycle_graph "
    "dag_longest_path dag_longest_path_length davis_southern_women_graph degree_assortativity_coefficient degree_centrality degree_mixing_dict "
    "degree_mixing_matrix degree_pearson_correlation_coefficient density desargues_graph descendants descendants_at_distance dfs_edges dfs_labeled_edges "
    "dfs_postorder_nodes dfs_predecessors dfs_preorder_nodes dfs_successors dfs_tree diameter diamond_graph dijkstra_path dijkstra_path_length "
    "dijkstra_predecessor_and_distance directed_modularity_matrix dodecahedral_graph eccentricity edge_betweenness_centrality edge_betweenness_partition "
    "edge_boundary edge_connectivity edge_expansion effective_size efficiency ego_graph eigenvector_centrality empty_graph eppstein_matching "
    "fast_could_be_isomorphic faster_could_be_isomorphic find_cliques florentine_families_graph flow_hierarchy floyd_warshall floyd_warshall_numpy "
    "from_biadjacency_matrix from_dict_of_lists from_numpy_array from_pandas_edgelist from_scipy_sparse_array frucht_graph generalized_degree "
    "generic_bfs_edges girvan_newman global_efficiency global_reaching_centrality google_matrix greedy_color greedy_modularity_communities "
    "group_closeness_centrality group_degree_centrality group_in_degree_centrality group_out_degree_centrality gutman_index harmonic_centrality "
    "harmonic_diameter has_bridges has_cycle has_eulerian_path has_path heawood_graph hits hopcroft_karp_matching house_graph house_x_graph hyper_wiener_index "
    "icosahedral_graph in_degree_centrality incidence_matrix inter_community_edges inter_community_non_edges intersection_array intra_community_edges "
    "is_aperiodic is_arborescence is_attracting_component is_biconnected is_bipartite is_bipartite_node_set is_branching is_connected "
    "is_connected_dominating_set is_directed_acyclic_graph is_distance_regular is_dominating_set is_edge_cover is_empty is_eulerian is_forest is_isolate "
    "is_k_regular is_matching is_maximal_matching is_negatively_weighted is_partition is_perfect_matching is_reachable is_regular is_semiconnected "
    "is_semieulerian is_simple_path is_strongly_connected is_strongly_regular is_tournament is_tree is_weakly_connected isolates jaccard_coefficient johnson "
    "k_core k_corona k_crust k_shell k_truss karate_club_graph katz_centrality krackhardt_kite_graph label_propagation_communities ladder_graph "
    "laplacian_matrix leiden_communities les_miserables_graph local_bridges local_edge_connectivity local_efficiency local_node_connectivity "
    "local_reaching_centrality lollipop_graph louvain_communities louvain_partitions lowest_common_ancestor max_flow_min_cost max_weight_matching "
    "maximal_matching maximum_flow maximum_flow_value maximum_spanning_edges maximum_spanning_tree min_cost_flow min_cost_flow_cost min_weight_matching "
    "minimum_cut minimum_cut_value minimum_edge_cut minimum_node_cut minimum_spanning_edges minimum_spanning_tree minimum_st_edge_cut minimum_st_node_cut "
    "mixing_expansion modularity modularity_matrix moebius_kantor_graph multi_source_dijkstra multi_source_dijkstra_path multi_source_dijkstra_path_length "
    "negative_edge_cycle network_simplex node_boundary node_clique_number node_connected_component node_connectivity node_expansion normalized_cut_size "
    "normalized_laplacian_matrix null_graph number_attracting_components number_connected_components number_of_isolates number_of_selfloops number_of_walks "
    "number_strongly_connected_components number_weakly_connected_components numeric_assortativity_coefficient octahedral_graph onion_layers "
    "out_degree_centrality overall_reciprocity overlap_weighted_projected_graph pagerank pappus_graph partition_quality path_graph periphery petersen_graph "
    "power predecessor preferential_attachment projected_graph ra_index_soundarajan_hopcroft radius reciprocity relabel_nodes resource_allocation_index "
    "reverse rich_club_coefficient s_metric schultz_index score_sequence sedgewick_maze_graph sets shortest_path shortest_path_length shortest_simple_paths "
    "simple_cycles single_source_all_shortest_paths single_source_bellman_ford single_source_bellman_ford_path single_source_bellman_ford_path_length "
    "single_source_dijkstra single_source_dijkstra_path single_source_dijkstra_path_length single_source_shortest_path single_source_shortest_path_length "
    "single_target_shortest_path single_target_shortest_path_length square_clustering star_graph strongly_connected_components tadpole_graph tetrahedral_graph "
    "to_dict_of_lists to_numpy_array to_pandas_adjacency to_scipy_sparse_array to_vertex_cover topological_generations topological_sort "
    "tournament_is_strongly_connected tournament_matrix transitive_closure transitive_reduction transitivity triadic_census triangles trivial_graph "
    "truncated_cube_graph truncated_tetrahedron_graph turan_graph tutte_graph volume voronoi_cells voterank weakly_connected_components "
    "weighted_projected_graph wheel_graph wiener_index within_inter_cluster"
).split()


# What the backend declines, for the functions' documentation.
LIMITS = {
    "`weight` is not a function; no weight is below 0.": "floyd_warshall",
    "`weight` is not a function; no edge of a weight below 0 leads to one of several sources.": (
        "multi_source_dijkstra multi_source_dijkstra_path voronoi_cells"
    ),
    "`weight` is not a function.": (
        "all_pairs_bellman_ford_path_length all_pairs_dijkstra all_pairs_dijkstra_path all_pairs_dijkstra_path_length bellman_ford_path_length "
        "dijkstra_path dijkstra_path_length dijkstra_predecessor_and_distance multi_source_dijkstra_path_length negative_edge_cycle "
        "single_source_bellman_ford_path_length single_source_dijkstra single_source_dijkstra_path single_source_dijkstra_path_length"
    ),
    "`weight` is not a function. Where several paths are shortest, NetworkX's own search answers.": (
        "all_pairs_bellman_ford_path bellman_ford_path single_source_bellman_ford single_source_bellman_ford_path"
    ),
    "`weight` is not a function. With weights: not `method='bellman-ford'`, not both ends, and no target alone in directed graphs.": (
        "shortest_path"
    ),
    "`weight` is not a function. With weights: no target alone in directed graphs.": "shortest_path_length",
    "`weight` is not a function. With weights: not `method='bellman-ford'`.": (
        "all_pairs_all_shortest_paths all_shortest_paths single_source_all_shortest_paths"
    ),
    "No weights (`weight`, `distance`), and no results of other calls (`e`, `sp`, `attr`, `paths`, `usebounds`, `method`).": (
        "average_shortest_path_length barycenter center closeness_centrality diameter eccentricity global_reaching_centrality gutman_index "
        "harmonic_diameter hyper_wiener_index local_reaching_centrality periphery radius schultz_index wiener_index"
    ),
    "`distance` and `sources` are None.": "harmonic_centrality",
    "`weight` is None; not `endpoints` with a directed graph.": "betweenness_centrality",
    "`weight` is None; no multigraphs.": "edge_betweenness_centrality",
    "`weight` is None; undirected graphs without parallel edges.": "edge_betweenness_partition",
    "`most_valuable_edge` is None; no multigraphs.": "girvan_newman",
    "`nstart` is None, `normalized` True.": "hits",
    "`nstart` has every node.": "eigenvector_centrality katz_centrality",
    "A set of nodes is a list, tuple, set or range, and all are in the graph.": (
        "bfs_layers bipartite_betweenness_centrality bipartite_closeness_centrality bipartite_degree_centrality density "
        "group_closeness_centrality group_degree_centrality group_in_degree_centrality "
        "group_out_degree_centrality is_connected_dominating_set node_expansion"
    ),
    "A set of nodes is a list, tuple, set or range.": (
        "boundary_expansion conductance edge_expansion is_dominating_set node_boundary normalized_cut_size volume"
    ),
    "A set of nodes is a list, tuple, set or range; without `T` graphs are undirected.": "cut_size mixing_expansion",
    "`data` is False; no multigraphs.": "edge_boundary",
    "`max_level` is None.": "leiden_communities",
    "`strategy` is 'largest_first', `interchange` False.": "greedy_color",
    "`scc` is None.": "condensation",
    "`edgelist` is None; `nodelist` has all nodes.": "incidence_matrix",
    "No multigraphs; a partition is a list of sets.": "inter_community_non_edges",
    "`weight` is not a function. With weights below 0 NetworkX's own search answers.": "johnson",
    "No multigraphs.": "bfs_labeled_edges dag_longest_path_length local_efficiency",
    "`topo_order` is None; no multigraphs.": "dag_longest_path",
    "`nodelist` is None; the graph has nodes.": "triadic_census",
    "A partition is a list of sets.": "inter_community_edges intra_community_edges is_partition modularity partition_quality",
    "Undirected graphs, without `weight`.": "average_clustering clustering square_clustering transitivity",
    "Undirected graphs.": "core_number is_bipartite_node_set",
    "No undirected views of directed graphs.": "k_truss",
    "Undirected graphs; `core_number` is None.": "k_core k_corona k_crust k_shell",
    "`ebunch` is given; no loops.": "adamic_adar_index common_neighbor_centrality jaccard_coefficient resource_allocation_index",
    "`ebunch` is given.": "preferential_attachment",
    "`ebunch` is given; every node has a community.": "cn_soundarajan_hopcroft ra_index_soundarajan_hopcroft within_inter_cluster",
    "Directed graphs without parallel edges; `nodes` is None.": "overall_reciprocity reciprocity",
    "`nodelist` has all nodes; `multigraph_weight` is sum, min or max; no structured `dtype`.": "to_numpy_array to_pandas_adjacency",
    "`nodes` is None; `nodelist` has all nodes.": (
        "adjacency_matrix bethe_hessian_matrix constraint directed_modularity_matrix floyd_warshall_numpy google_matrix laplacian_matrix modularity_matrix "
        "normalized_laplacian_matrix to_scipy_sparse_array tournament_matrix"
    ),
    "`nodes` is None.": "effective_size",
    "The graph has nodes.": "number_of_walks",
    "`weight`, `nodes` and `mapping` are None.": (
        "degree_assortativity_coefficient degree_mixing_dict degree_mixing_matrix degree_pearson_correlation_coefficient"
    ),
    "`nodes` is None; the graph has nodes, and no parallel edges.": "attribute_assortativity_coefficient",
    "`nodes` is None; the graph has nodes with numbers, and no parallel edges.": "numeric_assortativity_coefficient",
    "`weight` is None; no multigraphs; `nodes` is a list or set.": "average_degree_connectivity average_neighbor_degree",
    "`normalized` is False.": "rich_club_coefficient",
    "`nodes` and `cliques` are None. The order of cliques, and of nodes in them, is unspecified.": "find_cliques node_clique_number",
    "Nodes are in the graph.": "cycle_basis has_eulerian_path is_isolate",
    "Tournaments.": "is_reachable tournament_is_strongly_connected",
    "`edge` is None.": "is_negatively_weighted",
    "`algorithm` is 'kruskal'.": (
        "maximum_spanning_edges maximum_spanning_tree minimum_spanning_edges minimum_spanning_tree"
    ),
    "Edges are a set, list, tuple or dictionary; no multigraphs in `is_maximal_matching`.": (
        "is_edge_cover is_matching is_maximal_matching is_perfect_matching"
    ),
    "The graph cannot be changed. `create_using` is None, `nx.Graph` or `nx.DiGraph`; values are numbers, nodes of tables whole numbers or strings.": (
        "from_numpy_array from_pandas_edgelist from_scipy_sparse_array"
    ),
    "`sort_neighbors` and `neighbors` are None.": (
        "bfs_edges bfs_predecessors bfs_successors bfs_tree dfs_edges dfs_labeled_edges dfs_postorder_nodes dfs_predecessors dfs_preorder_nodes "
        "dfs_successors dfs_tree generic_bfs_edges"
    ),
    "`weight` is None or an attribute, of numbers above 0.": "asyn_lpa_communities",
    "Nodes are all whole numbers or all strings; without `weight` in directed graphs.": "greedy_modularity_communities",
    "`distance` is None; not `undirected` with a directed graph.": "ego_graph",
    "Directed graphs without parallel edges.": "transitive_closure",
    "`with_span` is False or `weight` None.": "local_bridges",
    "The graph cannot be changed. `create_using` is None, `nx.Graph` or `nx.DiGraph`; nodes are a number, list, tuple, range or string.": (
        "barbell_graph bull_graph chvatal_graph complete_bipartite_graph complete_graph cubical_graph cycle_graph "
        "davis_southern_women_graph desargues_graph diamond_graph dodecahedral_graph empty_graph florentine_families_graph frucht_graph "
        "heawood_graph house_graph house_x_graph icosahedral_graph karate_club_graph krackhardt_kite_graph ladder_graph "
        "les_miserables_graph lollipop_graph moebius_kantor_graph null_graph octahedral_graph pappus_graph path_graph petersen_graph "
        "sedgewick_maze_graph star_graph tadpole_graph tetrahedral_graph trivial_graph truncated_cube_graph truncated_tetrahedron_graph "
        "tutte_graph wheel_graph"
    ),
    "The graph cannot be changed. `n` is above 0; `create_using` is None, `nx.Graph` or `nx.DiGraph`.": "circular_ladder_graph",
    "The graph cannot be changed. Sizes are whole numbers.": "caveman_graph complete_multipartite_graph turan_graph",
    "The graph cannot be changed. No multigraphs.": "complement",
    "Graphs of the backend; the result cannot be changed. Names stay apart; `copy` is True, `ordering` 'default'.": (
        "convert_node_labels_to_integers relabel_nodes reverse"
    ),
    "`nodelist` is None.": "to_dict_of_lists",
    "The graph cannot be changed. `create_using` is None, `nx.Graph` or `nx.DiGraph`; neighbours are a list or tuple.": "from_dict_of_lists",
    "`flow_func` is None. Which of several maximum flows is found is unspecified.": "maximum_flow",
    "`weight` is not a function; `resolution` is floating or a power of two.": "louvain_communities louvain_partitions",
    "`flow_func` is None; `cutoff` is a whole number.": "edge_connectivity",
    "`flow_func` is None.": (
        "all_pairs_node_connectivity average_node_connectivity maximum_flow_value minimum_cut_value minimum_edge_cut minimum_node_cut node_connectivity"
    ),
    "`flow_func`, `auxiliary` and `residual` are None; `cutoff` is a whole number.": (
        "local_edge_connectivity local_node_connectivity minimum_st_edge_cut minimum_st_node_cut"
    ),
    "`k` is a whole number.": "power",
    "Sets of nodes are lists, tuples or sets of nodes of the graph, and share none.": "biadjacency_matrix",
    "Nodes are a list, tuple, set or range of different nodes of the graph; `multigraph` is False.": (
        "collaboration_weighted_projected_graph overlap_weighted_projected_graph projected_graph weighted_projected_graph"
    ),
    "The graph cannot be changed. Orders are None; `create_using` is None, `nx.Graph` or `nx.DiGraph`.": "from_biadjacency_matrix",
    "`weight` is not a function, and no weight below 0.": "shortest_simple_paths",
    "`cutoff` is None or a number.": "all_simple_edge_paths all_simple_paths",
    "`length_bound` is None or a whole number. The order of cycles, and the node that each begins with, is unspecified.": "simple_cycles",
    "No multigraphs; attributes are numbers.": "min_cost_flow min_cost_flow_cost network_simplex",
    "Directed graphs without parallel edges; sums of capacities are not rounded.": "max_flow_min_cost",
    "`flow_func` is None; sums of capacities are not rounded.": "minimum_cut",
    "Undirected graphs; `top_nodes` are None or one side. Which of several maximum matchings is found is unspecified.": (
        "eppstein_matching hopcroft_karp_matching"
    ),
    "Undirected graphs; `top_nodes` are None or one side.": "to_vertex_cover",
    "Sums of weights are finite, those of whole ones below 2⁵³.": "max_weight_matching min_weight_matching",
}


def get_info() -> dict[str, Any]:
    """The entry point `networkx.backend_info`."""
    limits = {name: {"additional_docs": text} for text, names in LIMITS.items() for name in names.split()}
    return {
        "backend_name": "gridblas",
        "project": "gridblas",
        "package": "gridblas",
        "short_summary": "Graph algorithms on sparse matrices that are distributed over MPI processes, on CPUs and GPUs.",
        "functions": {name: limits.get(name, {}) for name in FUNCTIONS},
    }
