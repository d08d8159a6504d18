#!/bin/bash
# Modularity of the communities that `gridblas louvain`, `gridblas leiden` and NetworkX's louvain_communities find, each with ten seeds.
# Usage: bench/communities.sh PROGRAM PYTHON [FILE...]
#   PYTHON  has NetworkX; FILE: edge lists (the karate club, authors of papers, and a planted partition of 2000 vertices in 40 groups, of which each has
#           12 edges inside its group and 8 to others in the mean)
# Prints CSV: graph, vertices, edges; least, median and largest modularity of the three.
set -eu
program=$(realpath "${1:?usage: bench/communities.sh PROGRAM PYTHON [FILE...]}") python=${2:?usage: bench/communities.sh PROGRAM PYTHON [FILE...]}
shift 2
data=$(cd "$(dirname "$0")/../examples/data" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export OMP_NUM_THREADS=1
if [ $# -eq 0 ]; then
  "$python" - >"$tmp/planted" <<'PYTHON'
import random

random.seed(1)
edges = set()
while len(edges) < 20000:
    inside = len(edges) < 12000
    a, b = sorted(random.sample(range(2000), 2))
    if inside:
        group = random.randrange(40) * 50
        a, b = (group + v for v in sorted(random.sample(range(50), 2)))
    if (a // 50 == b // 50) == inside:
        edges.add((a, b))
for a, b in sorted(edges):
    print(a, b)
PYTHON
  set -- "$data/karate.txt" "$data/ca-GrQc.txt" "$tmp/planted"
fi
echo 'graph,vertices,edges,least,median,most,leiden_least,leiden_median,leiden_most,networkx_least,networkx_median,networkx_most'
for file; do
  for method in louvain leiden; do
    for seed in {1..10}; do "$program" $method "$file" --seed "$seed" | sed -n 's/^modularity: *//p'; done >"$tmp/$method"
  done
  "$python" - "$file" "$tmp/louvain" "$tmp/leiden" <<'PYTHON'
import statistics
import sys

import networkx as nx

file, *found = sys.argv[1:]
lines = (line.split() for line in open(file) if line[0] not in "#%")
G = nx.Graph((line[0], line[1]) for line in lines if line[0] != line[1])
other = [nx.community.modularity(G, nx.community.louvain_communities(G, seed=seed)) for seed in range(1, 11)]
parts = [(min(x), statistics.median(x), max(x)) for x in (*([float(line) for line in open(one)] for one in found), other)]
print(file.rpartition("/")[2], len(G), G.size(), *(f"{x:.4f}" for part in parts for x in part), sep=",")
PYTHON
done
