#!/bin/bash
# Draws docs/pictures by `gridblas report`: small graphs coloured by an algorithm's result, and plots. Usage: docs/pictures.sh GRIDBLAS
# Run it again when the output changes; the pictures are committed.
# PYTHON: a Python with numpy and cffi for eight of them (python3).
set -eu
cd "$(dirname "$0")/.."
program=$(realpath "$1") data=$PWD/examples/data
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
. bench/openmpi.sh
export OMPI_MCA_mpi_yield_when_idle=1 OMP_NUM_THREADS=1
mkdir -p docs/pictures
# picture NAME PLOT PROCESSES COMMAND...: runs the command and stores the plot PLOT as docs/pictures/NAME.svg: the narrow one, enlarged, so that its letters
# can be read on a telephone, too
picture() {
  local name=$1 plot=$2 processes=$3
  shift 3
  (cd "$data" && mpirun -n "$processes" "$program" "$@" --json "$tmp/$name.json" >/dev/null)
  store "$name" "$plot"
}
# store NAME PLOT: the plot of $tmp/NAME.json
store() {
  local name=$1 plot=$2
  "$program" report "$tmp/$name.json" -o "$tmp/$name.html" >/dev/null
  sed -E '0,/ width="[^"]*" height="[^"]*"/s// width="520"/' "$tmp/$name-$plot-narrow.svg" >"docs/pictures/$name.svg"
}
picture bfs graph1 1 bfs karate.txt --source 1
picture bfs-path graph1 1 bfs-path karate.txt --sources 17,25
picture bfs-many graph1 1 bfs-many karate.txt --sources 1,34,17,27
picture sssp graph1 1 sssp mesh:8x12 --weights hash --source 0
picture sssp-many graph1 1 sssp-many mesh:8x12 --weights hash --sources 0,95
picture all-pairs graph1 1 all-pairs mesh:3x3 --weights hash
picture bellman-ford graph1 1 bellman-ford negative.txt --directed --source 1
picture topological-order graph1 1 topological-order xor.txt --directed
picture transitive-closure graph1 1 transitive-closure xor.txt --directed
picture reciprocity graph1 1 reciprocity cycles.txt --directed
picture max-flow graph1 1 max-flow karate.txt --sources 25,17
picture components graph1 1 components rmat:6:1
picture strong-components graph1 1 components cycles.txt --directed --strong
picture biconnected graph1 1 biconnected karate.txt
picture cdlp graph1 1 cdlp karate.txt --iterations 3
picture louvain graph1 1 louvain karate.txt
picture leiden graph1 1 leiden karate.txt
picture markov-clustering graph1 1 markov-clustering karate.txt
picture peer-pressure graph1 1 peer-pressure karate.txt
picture msf graph1 1 msf mesh:8x12 --weights hash
picture mis graph1 1 mis mesh:8x12
picture coloring graph1 1 coloring karate.txt
picture matching graph1 1 matching mesh:8x12
picture vertex-cover graph1 1 vertex-cover mesh:8x12
picture bipartite-matching graph1 1 bipartite-matching cycles.txt --directed
picture betweenness graph1 1 betweenness karate.txt
picture betweenness-sampled graph1 1 betweenness-sampled mesh:12x12 --epsilon 0.2
picture edge-betweenness graph1 1 edge-betweenness karate.txt
picture closeness graph1 1 closeness karate.txt
picture pagerank graph1 1 pagerank karate.txt
picture degree graph1 1 degree karate.txt
picture katz graph1 1 katz karate.txt
picture eigenvector graph1 1 eigenvector karate.txt
picture hits graph1 1 hits cycles.txt --directed --iterations 1000
picture similarity graph1 1 similarity cycles.txt --measure jaccard
picture rich-club series1 1 rich-club karate.txt
picture triangles graph1 1 triangles karate.txt --check
picture clique-count graph1 1 clique-count karate.txt --k 4 --check
picture lcc graph1 1 lcc karate.txt
picture square-clustering graph1 1 square-clustering karate.txt
picture kcore graph1 1 kcore karate.txt
picture densest-subgraph graph1 1 densest-subgraph karate.txt
picture ktruss graph1 1 ktruss karate.txt --k 4
picture diameter graph1 1 diameter karate.txt
picture eccentricity graph1 1 eccentricity mesh:8x12
for name in neighbor-sample random-walk assortativity eigenvalues spectral-embedding modularity singular-values motif-counts; do
  PYTHONPATH=$(dirname "$program")/python "${PYTHON:-python3}" docs/samples.py "$name" "$tmp/$name.json"
  store "$name" graph1
done
picture factors series1 1 factors netscience.mtx --factors 16 --iterations 200
picture als series1 1 als netscience.mtx --factors 16 --iterations 20
echo 0 1 >"$tmp/right.txt"
picture conjugate-gradient graph1 1 conjugate-gradient mesh:12x12 --laplacian 0.05 --right "$tmp/right.txt"
picture power-iteration graph1 1 power-iteration karate.txt
picture heat graph1 1 heat mesh:12x12 --sources 0 --iterations 40
picture circuit graph1 1 circuit karate.txt --sources 1,34 --tolerance 1e-9 --iterations 10000
picture neural graph1 1 neural xor.txt --directed --sources 1,3 --rate 1
picture levels levels1 2 bfs rmat:18 --verbose
picture degrees degrees1 1 info rmat:16
