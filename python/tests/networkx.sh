#!/bin/sh
# NetworkX's own tests of the algorithms that the backend supports, with every call sent to it. NetworkX computes calls that the backend does not accept;
# one that it accepts and then declines is an error (networkx_plugin.py).
# Usage: networkx.sh PACKAGE_PATH PYTHON [pytest's arguments]. Exit status 77: NetworkX or its tests are missing.
set -u
tests=$(cd "$(dirname "$0")" && pwd)
export PYTHONPATH="$1:$tests" NETWORKX_TEST_BACKEND=gridblas NETWORKX_FALLBACK_TO_NX=1 PYTHONDONTWRITEBYTECODE=1
python=$2
shift 2
cd / || exit 2
"$python" -c 'import networkx, pytest, sys; sys.exit("gridblas" not in networkx.utils.backends.backends)' ||
  { echo "skipped: no NetworkX 3.4 or later (pip: networkx), or no pytest"; exit 77; }
# Excluded: hundreds of random graphs on which one NetworkX function is compared with itself.
a=networkx.algorithms
g=networkx.generators.tests.test
t=$a.tests.test
exec "$python" -m pytest -q -p no:cacheprovider -p networkx_plugin -k "not use_bounds_on_off" --pyargs \
  ${t}_boundary ${t}_bridges ${t}_clique ${t}_cluster ${t}_core ${t}_covering ${t}_cuts ${t}_cycles ${t}_dag ${t}_distance_measures ${t}_distance_regular \
  ${t}_dominating ${t}_efficiency ${t}_euler ${t}_hierarchy ${t}_isolate ${t}_link_prediction ${t}_lowest_common_ancestors ${t}_matching ${t}_reciprocity \
  ${t}_regular ${t}_richclub ${t}_simple_paths ${t}_smetric ${t}_structuralholes ${t}_tournament ${t}_voronoi ${t}_walks ${t}_wiener $a.approximation.tests.test_kcomponents \
  $a.assortativity $a.bipartite.tests.test_basic $a.bipartite.tests.test_centrality $a.bipartite.tests.test_generators $a.bipartite.tests.test_matching \
  $a.bipartite.tests.test_matrix $a.bipartite.tests.test_project $a.components $a.tree.tests.test_mst $a.tree.tests.test_recognition \
  $a.centrality.tests.test_betweenness_centrality $a.centrality.tests.test_closeness_centrality $a.centrality.tests.test_degree_centrality \
  $a.centrality.tests.test_eigenvector_centrality $a.centrality.tests.test_group $a.centrality.tests.test_harmonic_centrality \
  $a.centrality.tests.test_katz_centrality $a.centrality.tests.test_reaching $a.community.tests.test_centrality $a.community.tests.test_divisive $a.community.tests.test_label_propagation $a.community.tests.test_louvain $a.community.tests.test_modularity_max \
  $a.community.tests.test_quality \
  $a.community.tests.test_utils $a.connectivity.tests.test_connectivity $a.connectivity.tests.test_cuts $a.flow.tests.test_maxflow \
  $a.flow.tests.test_mincost $a.flow.tests.test_networksimplex $a.link_analysis.tests.test_hits $a.link_analysis.tests.test_pagerank $a.operators.tests.test_product \
  $a.operators.tests.test_unary $a.shortest_paths.tests.test_generic $a.shortest_paths.tests.test_unweighted $a.shortest_paths.tests.test_weighted \
  $a.shortest_paths.tests.test_dense $a.shortest_paths.tests.test_dense_numpy $a.traversal.tests.test_bfs $a.traversal.tests.test_dfs networkx.classes.tests.test_function ${g}_classic \
  ${g}_community ${g}_ego ${g}_small networkx.linalg.tests.test_graphmatrix networkx.linalg.tests.test_laplacian networkx.linalg.tests.test_modularity \
  networkx.tests.test_convert networkx.tests.test_convert_numpy networkx.tests.test_convert_pandas networkx.tests.test_convert_scipy \
  networkx.tests.test_relabel "$@"
