#!/bin/sh
# NetworkX's own tests of the algorithms that the backend supports, with every call sent to it; calls that it declines are computed by NetworkX.
# Usage: networkx.sh PACKAGE_PATH PYTHON [pytest's arguments]. Exit status 77: NetworkX or its tests are missing.
set -u
export PYTHONPATH="$1" NETWORKX_TEST_BACKEND=gridblas NETWORKX_FALLBACK_TO_NX=1 PYTHONDONTWRITEBYTECODE=1
python=$2
shift 2
cd / || exit 2
"$python" -c 'import networkx, pytest, sys; sys.exit("gridblas" not in networkx.utils.backends.backends)' ||
  { echo "skipped: no NetworkX 3.4 or later (pip: networkx), or no pytest"; exit 77; }
# Excluded: hundreds of random graphs on which one NetworkX function is compared with itself; and a test that expects strong components in the order of
# NetworkX's search, while the backend orders them by their first nodes.
exec "$python" -m pytest -q -p no:cacheprovider -k "not use_bounds_on_off and not test_condensation_mapping_and_members" --pyargs \
  networkx.algorithms.tests.test_cluster networkx.algorithms.tests.test_core networkx.algorithms.tests.test_distance_measures \
  networkx.algorithms.tests.test_cuts networkx.algorithms.tests.test_boundary networkx.algorithms.tests.test_efficiency \
  networkx.algorithms.community.tests.test_quality networkx.algorithms.community.tests.test_utils networkx.algorithms.tests.test_link_prediction networkx.algorithms.tests.test_reciprocity networkx.algorithms.tests.test_regular \
  networkx.algorithms.tree.tests.test_recognition networkx.classes.tests.test_function networkx.algorithms.tests.test_isolate networkx.algorithms.tests.test_wiener networkx.algorithms.tests.test_dag \
  networkx.algorithms.centrality.tests.test_betweenness_centrality networkx.algorithms.centrality.tests.test_closeness_centrality \
  networkx.algorithms.centrality.tests.test_harmonic_centrality networkx.algorithms.centrality.tests.test_degree_centrality \
  networkx.algorithms.centrality.tests.test_katz_centrality networkx.algorithms.centrality.tests.test_eigenvector_centrality \
  networkx.algorithms.components networkx.algorithms.link_analysis.tests.test_pagerank networkx.algorithms.link_analysis.tests.test_hits \
  networkx.algorithms.shortest_paths.tests.test_unweighted networkx.algorithms.shortest_paths.tests.test_weighted \
  networkx.algorithms.shortest_paths.tests.test_generic networkx.algorithms.traversal.tests.test_bfs \
  networkx.algorithms.tests.test_voronoi networkx.generators.tests.test_ego networkx.algorithms.centrality.tests.test_group \
  networkx.algorithms.centrality.tests.test_reaching "$@"
