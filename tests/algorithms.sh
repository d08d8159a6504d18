#!/bin/bash
# Tests of the program's algorithm commands: tests/algorithms.sh PROGRAM [PROCESSES...] (see program_run.sh). Every command runs on these numbers of
# processes (default: 2 4 6 9): a path of 24 vertices on 4 and more, a graph of 4 vertices on up to 4. 0: without mpirun; help, errors, and graphs of
# no edge and of one vertex, too.
# Prints a line for each failure and a count at the end; the exit status is 0 when nothing failed.
set -u
. "$(dirname "$0")/program_run.sh"
shift
[ $# -gt 0 ] || set -- 0 2 4 6 9

# ---- graphs ---------------------------------------------------------------------------------------------------------------
printf '1 2\n2 3\n3 1\n4 1\n' >links.txt
printf '%%%%MatrixMarket matrix coordinate pattern general\n4 4 0\n' >noedges.mtx
printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n1 1 1\n1 1\n' >one.mtx

for graph in path links.txt one.mtx noedges.mtx; do # lines `vertex label` and `vertex number` for every vertex
  case $graph in path) vertices=$(seq 0 23) ;; one.mtx) vertices=1 ;; *) vertices='1 2 3 4' ;; esac
  for v in $vertices; do echo "$v $((10 * (v % 3)))"; done >$graph.labels
  for v in $vertices; do echo "$v $v.5e-1"; done >$graph.values
done

# Numbers with nine digits; those that are 0 but for rounding are 0.
columns_of() {
  sort -n "$1" | awk '{ for (k = 1; k <= NF; k++) printf "%s ", $k + 0 != $k || $k !~ /[.e]/ ? $k : $k * $k < 1e-24 ? 0 : sprintf("%.9g", $k); print "" }'
}

# ---- every command: its help, its errors, the same checked result on any number of processes ------------------------------------
# The commands are found in the program's help: all that accept --check and --repeat. `commands` has rows NAME OPTIONS... for those that are tried with
# several options, or need some that make the result unique or the run short; GRAPH there is the graph's name. A command without a row gets the options of its line in the help.
commands='components
components --strong
cdlp --iterations 10
mis --seed 3
msf
msf --weights hash
pagerank
pagerank --gap-variant --tolerance 0 --iterations 7
pagerank --sources 3,5 --damping 0.5
sssp --weights hash --source 3
sssp --delta 40 --source 3
bellman-ford --source 3
betweenness --sources 3,2,3
edge-betweenness --sources 3,2,3
closeness --sources 3,2,3
bfs-many --sources 3,1 --depth 5
neighbor-sample --samples 3 --fanouts 2,1
random-walks --length 12
random-walks --length 9 --p 4 --q 0.25 --weights hash
louvain --weights hash
leiden --weights hash
markov-clustering
markov-clustering --weights hash
katz
katz --weights hash
eigenvector
eigenvector --weights hash
hits
hits --weights hash
modularity --communities GRAPH.labels
modularity --communities GRAPH.labels --weights hash --resolution 0.5
assortativity
assortativity --labels GRAPH.labels
assortativity --values GRAPH.values
conjugate-gradient --laplacian 0.5 --right GRAPH.values --weights hash --tolerance 1e-12
eigenvalues --k 2 --tolerance 0
singular-values --weights hash --tolerance 0
spectral-embedding --k 2 --tolerance 0
power-iteration --weights hash --tolerance 0 --iterations 9
factors --factors 3 --iterations 4
als --factors 3 --iterations 4
heat --sources 3,1 --iterations 12
neural --sources 3 --rate 0.003 --iterations 9
circuit --sources 3,1 --weights hash'

echo "$commands" | while read -r name options; do echo "$name"; done | sort -u >names
while read -r name options; do
  help=$("$program" "$name" --help)
  case $help in *--check*--repeat* | *--repeat*--check*) ;; *) continue ;; esac
  grep -qx -- "$name" names || commands+=$'\n'"$name $options"
done < <("$program" --help | sed -nE 's/^  gridblas ([a-z0-9-]+) (GRAPH|RATINGS)( --[a-z]+ [A-Z,]+)? .*/\1\3/p' | sed 's/ V,V/ 3,1/; s/ [KN]$/ 3/')
echo "$commands" | while read -r name options; do echo "$name"; done | sort -u >names
if [ "$1" = 0 ]; then
  number=0
  for name in $(cat names); do
    n=$((number++ % 8 == 0 ? 3 : 0)) # all commands read and write by the same functions
    good 0 $name --help
    holds "$name --help names --check" grep -q -- --check out
    bad 'needs a graph' 0 $name
    bad 'unknown option --fast' 0 $name links.txt --fast
    bad 'nofile|needs --' $n $name nofile.mtx
    bad 'missing/report|needs --' $n $name links.txt --out missing/report
  done
  while read -r name options; do
    case "$options" in *source*) continue ;; esac
    for graph in one.mtx noedges.mtx; do good 0 $name $graph ${options//GRAPH/$graph} --check; done
  done <<<"$commands"
  shift
fi
takes_directed=$(for name in $(cat names); do "$program" $name --help | grep -q -- --directed && echo "$name"; done)
while read -r name options; do
  for graph in path:24 links.txt; do
    case "$options" in *source*) [ $graph = links.txt ] && continue ;; esac
    sizes=$(for n in "$@"; do if [ $graph = links.txt ]; then [ $n -le 4 ]; else [ $n -ge 4 ]; fi && echo $n; done)
    [ -n "$sizes" ] || continue
    for directed in '' --directed; do
      [ -z "$directed" ] || grep -qx -- "$name" <<<"$takes_directed" || continue
      arguments="${options//GRAPH/${graph%%:*}} $directed"
      good 0 $name $graph $arguments --check --out expected --json report
      holds "$name prints that it was checked" grep -q '^check: ' out
      holds "... in JSON too" grep -q '"check"' report
      columns_of expected >expected.columns
      for n in $sizes; do
        good $n $name $graph $arguments --check --out answer --verbose
        columns_of answer >answer.columns
        holds "$name $arguments has the same result for $graph on $n processes" cmp -s expected.columns answer.columns
      done
    done
  done
done <<<"$commands"

echo "algorithms.sh: $passed passed, $failed failed"
[ $failed -eq 0 ]
