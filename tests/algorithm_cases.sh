#!/bin/bash
# Tests of the program's algorithm commands with known answers, bad input, checkpoints and real graphs: tests/algorithm_cases.sh PROGRAM
# (see program_run.sh). tests/algorithms.sh compares every command on several numbers of processes.
# Prints a line for each failure and a count at the end; the exit status is 0 when nothing failed.
set -u
. "$(dirname "$0")/program_run.sh"

# ---- graphs ---------------------------------------------------------------------------------------------------------------
printf '# ids with gaps, a weight each\n1000000000000 7 2\n7 42 1.5\n42 99999 0\n5 5 3\n7 42 0.25\n' >weighted.txt
printf '1 2 1\n2 3 -4\n3 1 2\n3 4 1\n' >cycle.txt
printf '1 2 3\n2 3 -1\n1 3 4\n3 4 1\n' >negative.txt
printf '2 3 1\n1 2 nan\n' >nan.txt
printf '0 1 inf\n1 2 1\n2 3 inf\n0 3 4\n' >infinite.txt
printf '0 1 1e308\n1 2 1e308\n2 3 1e308\n' >huge.txt
printf '1 2\n2 3\n3 1\n4 1\n' >links.txt
printf '%%%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n2 1 5\n' >skew.mtx

columns_of() { sort -n "$1" | awk '{ for (k = 1; k <= NF; k++) printf "%s ", ($k + 0 == $k && $k ~ /[.e]/) ? sprintf("%.9g", $k) : $k; print "" }'; }

# ---- checkpoints: all processes are killed, and another number of processes continues ------------------------------------------
# processes_of ID: that process and those that it started.
processes_of() {
  local child
  echo "$1"
  for child in $(pgrep -P "$1"); do processes_of "$child"; done
}
# kill_after FILES: once one of these is in the folder $kept, unless it ends before, all processes of the last command in the background.
kill_after() {
  local command=$!
  for _ in $(seq 400); do
    find "$kept" -name "$1" 2>/dev/null | grep -q . && break
    kill -0 "$command" 2>/dev/null || break
    sleep 0.05
  done
  # shellcheck disable=SC2046
  kill -9 $(processes_of "$command") 2>/dev/null
  wait "$command" 2>/dev/null
}
power="pagerank rmat:10 --tolerance 0 --iterations 2500"
good 0 $power --out expected
for processes in 4 0; do
  kept=$work/kept.$processes
  start=$program
  [ $processes -eq 0 ] || start="$mpirun -n $processes $program"
  $start $power --checkpoint "$kept" --every 7 >out 2>err </dev/null &
  kill_after 'step-???*.part*'
  for again in 2 0; do
    good $again $power --checkpoint "$kept" --every 1000 --out got --json report
    holds "a killed pagerank resumes ($processes, then $again)" test "$(grep -c '"iterations_resumed": 0' report)" -eq 0
    holds "... and has the same ranks" cmp <(columns_of expected) <(columns_of got)
  done
  bad 'of another computation' 0 $power --damping 0.5 --checkpoint "$kept"
  bad 'of another computation' 2 cdlp rmat:10 --checkpoint "$kept"
done
good 0 cdlp path:64 --iterations 9 --out expected
good 2 cdlp path:64 --iterations 4 --checkpoint labels --every 2
good 0 cdlp path:64 --iterations 9 --checkpoint labels --every 2 --out got
holds "cdlp resumes after four iterations" is "$(value iterations_resumed)" 4
holds "... and are the same" cmp <(columns_of expected) <(columns_of got)
good 0 heat links.txt --sources 3,1 --iterations 12 --tolerance 0 --out expected
good 4 heat links.txt --sources 3,1 --iterations 5 --tolerance 0 --checkpoint warm --every 5
ln -s links.txt same.txt # another spelling of the same file
good 2 heat "$PWD/./same.txt" --sources 3,1 --iterations 12 --tolerance 0 --checkpoint warm --every 5 --out got
holds "heat resumes" is "$(value iterations_resumed)" 5
holds "... and has the same temperatures" cmp <(columns_of expected) <(columns_of got)
bad 'of another computation' 0 heat links.txt --sources 3,2 --iterations 12 --checkpoint warm
bad 'of another computation' 2 neural links.txt --sources 3,1 --iterations 12 --checkpoint warm
bad "exclude each other" 0 pagerank links.txt --checkpoint warm --repeat 2
bad "every needs --checkpoint DIR" 0 pagerank links.txt --every 3
bad "exclude each other" 0 components links.txt --checkpoint warm --directed --strong
touch file
bad 'Not a directory' 0 pagerank links.txt --checkpoint file
printf 'x' >warm/step-99.part-1-of-1
good 0 heat links.txt --sources 3,1 --iterations 12 --tolerance 0 --checkpoint warm --out got
holds "a damaged checkpoint is skipped" cmp <(columns_of expected) <(columns_of got)
awk 'BEGIN { srand(3); for (k = 0; k < 1500; k++) print int(rand() * 200), k % 200, rand() * 10 }' >reals.txt
for what in "components path:4000" "kcore rmat:9" "sssp rmat:9 --weights hash --source 5" "bellman-ford path:40 --weights hash --source 0" \
  "sssp reals.txt --source 5" "betweenness rmat:8 --samples 5" "triangles rmat:9" "lcc rmat:9" "lcc rmat:8 --directed" \
  "closeness rmat:9" "katz rmat:9 --tolerance 1e-12" "eigenvector rmat:9" "hits rmat:9 --directed" "peer-pressure rmat:9" \
  "louvain rmat:9" "leiden rmat:9" "ktruss rmat:9 --k 12" "markov-clustering rmat:8" "factors rmat:8 --iterations 20" \
  "transitive-closure rmat:10 --directed" "betweenness-sampled rmat:8 --epsilon 0.2" "edge-betweenness rmat:8 --directed" \
  "eccentricity mesh:20x20" "bfs-many path:300 --samples 5" "sssp-many rmat:9 --weights hash --samples 9" "sssp-many reals.txt --samples 9" \
  "all-pairs reals.txt --directed" "als rmat:8 --iterations 20" "power-iteration rmat:8 --tolerance 0 --iterations 9" "conjugate-gradient rmat:8 --laplacian 1 --tolerance 1e-12"; do
  kept=$work/kept.${what// /_}
  good 0 $what --out expected
  good 4 $what --checkpoint "$kept" --every 2 --out got
  good 0 $what --checkpoint "$kept" --every 2 --out got --json report
  holds "$what resumes" test "$(grep -c '"iterations_resumed": 0' report)" -eq 0
  holds "... with the same answer" cmp <(columns_of expected) <(columns_of got)
done
for what in "betweenness rmat:11 --samples 300" "closeness rmat:12"; do
  good 0 $what --out expected
  kept=$work/killed.${what%% *}
  $mpirun -n 4 $program $what --checkpoint "$kept" --every 5 >out 2>err </dev/null &
  kill_after 'step-??*.part*'
  good 2 $what --checkpoint "$kept" --every 1000 --out got --json report
  holds "a killed ${what%% *} resumes" test "$(grep -c '"iterations_resumed": 0' report)" -eq 0
  holds "... with the same answer" cmp <(columns_of expected) <(columns_of got)
done
for what in "markov-clustering rmat:11" "factors rmat:12 --iterations 100" "similarity rmat:13 --top 3" "ktruss rmat:14 --k 40" \
  "transitive-closure path:1000" "als rmat:10 --iterations 60" "edge-betweenness rmat:10" \
  "motif-counts rmat:14" "bfs-many path:3000 --samples 40" "sssp-many rmat:11 --samples 100" "all-pairs path:300"; do # of which a matrix is the state, or sums of panels of rows
  good 0 $what --out expected
  kept=$work/killed.${what%% *}
  $mpirun -n 4 $program $what --checkpoint "$kept" --every 1 --out got >out 2>err </dev/null &
  kill_after 'step-*[2-9]*.part*' # a step before is complete
  good 2 $what --checkpoint "$kept" --every 1000 --out got --json report
  holds "a killed ${what%% *} resumes" test "$(grep -c '"iterations_resumed": 0' report)" -eq 0
  holds "... with the same answer" cmp <(columns_of expected) <(columns_of got)
done

for what in "eigenvalue rmat:14" "singular-value rmat:13"; do # rounding decides about small parts of vectors
  good 0 ${what/ /s } --iterations 100 --tolerance 0
  expected=$(value "$(tr - _ <<<"${what%% *}")_3")
  kept=$work/killed.${what%% *}
  $mpirun -n 4 $program ${what/ /s } --iterations 100 --tolerance 0 --checkpoint "$kept" --every 10 >out 2>err </dev/null &
  kill_after 'step-??*.part*'
  good 2 ${what/ /s } --iterations 100 --tolerance 0 --checkpoint "$kept" --every 1000
  holds "a killed ${what%% *} resumes" test "$(value iterations_resumed)" -gt 0
  holds "... with the same value" is "$(value "$(tr - _ <<<"${what%% *}")_3")" "$expected"
done

# ---- components ---
good 3 components weighted.txt --out answer --check
holds "names of the file" is "$(sort -n answer | tr '\n' ';')" '5 5;7 7;42 7;99999 7;1000000000000 7;'
holds "two components" is "$(value components)" 2
good 2 components negative.txt --directed --check
good 4 components mesh:30x40 --check
holds "one component" is "$(value components)" 1

good 3 components cycle.txt --directed --strong --check --out answer
holds "vertices that reach each other" is "$(sort -n answer | tr '\n' ';')" '1 1;2 1;3 1;4 4;'
good 2 components cycle.txt --strong -o answer # --directed is implied
holds "... without --directed" is "$(sort -n answer | tr '\n' ';')" '1 1;2 1;3 1;4 4;'
good 4 components rmat:9 --directed --strong --check
good 4 components rmat-plain:9 --balance entries --check

if [ -e "$data/email-Eu-core.csv" ]; then # as published by SNAP
  good 4 components "$data/email-Eu-core.csv" --directed --strong --check
  holds "the largest strong component of email-Eu-core" is "$(value largest_component)" 803
fi

# ---- label propagation ---
printf '30 10\n10 30\n30 5\n40 30\n50 40\n' >votes.txt # derived in tests/unit_algos_cdlp.c
for n in 0 4; do
  good $n cdlp votes.txt --directed --iterations 1 --check --out answer
  holds "two opposite edges are two votes ($n)" is "$(sort -n answer | tr '\n' ';')" '5 30;10 30;30 10;40 30;50 40;'
  good $n cdlp votes.txt --iterations 1 --check --out answer
  holds "... and an undirected edge is one vote ($n)" is "$(sort -n answer | tr '\n' ';')" '5 30;10 30;30 5;40 30;50 40;'
done
good 4 cdlp rmat:9 --directed --iterations 10 --check

# ---- independent sets ---
for n in 0 3; do
  good $n mis weighted.txt --check --out answer
  holds "a vertex with a loop alone is a member ($n)" grep -q '^5 1$' answer
done
good 4 mis mesh:30x20 --seed 9 --check

# ---- spanning forests ---
for n in 0 3; do
  good $n msf weighted.txt --check --out answer
  holds "the lightest edges ($n)" is "$(sort -n answer | tr '\n' ';')" '7 1000000000000 2;7 42 0.25;42 99999 0;'
  holds "... and their weight ($n)" is "$(value weight)/$(value trees)" 2.25/2
  good $n msf cycle.txt --check --out answer
  holds "weights below 0 ($n)" is "$(sort -n answer | tr '\n' ';')" '1 2 1;2 3 -4;3 4 1;'
  bad 'nan.txt:2: the weight is not a number' $n msf nan.txt
  good $n convert nan.txt nan.pages
  bad 'nan.pages: Grid_msf: a weight is not a number' $n msf nan.pages
done
good 4 msf rmat:10 --check

# ---- shortest paths ---
for n in 0 3; do
  good $n sssp weighted.txt --source 7 --check --out -
  holds "distances by the file's weights ($n)" is "$(sort -n out | tr '\n' ';')" '7 0 7;42 0.25 7;99999 0.25 42;1000000000000 2 7;'
  good $n bellman-ford negative.txt --directed --source 1 --check --out answer
  holds "distances with an edge below 0 ($n)" is "$(sort -n answer | tr '\n' ';')" '1 0 1;2 3 1;3 2 2;4 3 3;'
  good $n bellman-ford cycle.txt --directed --source 1 --check --out answer
  holds "a negative cycle is reported ($n)" is "$(value negative_cycle)" yes
  holds "... and no result is written ($n)" is "$(wc -c <answer)" 0
  good $n bellman-ford negative.txt --source 4 --check
  holds "an undirected edge below 0 ($n)" is "$(value negative_cycle)" yes
  bad 'below 0: -4' $n sssp cycle.txt --directed --source 1
  bad 'nan.txt:2: the weight is not a number' $n sssp nan.txt --source 1
  good $n sssp nan.txt --source 1 --weights hash
  good $n convert nan.txt nan.npz
  bad 'nan.npz: the weight of the edge from 0 to 1 is not a number' $n sssp nan.npz
  bad 'nan.pages: Grid_shortest_paths: a weight is not a number' $n sssp nan.pages
  bad 'no weights' $n sssp links.txt --weights file --source 1
  bad 'skew' $n sssp skew.mtx --source 1
  bad 'no vertex 9' $n sssp links.txt --source 9
done
bad '--weights heavy' 0 sssp links.txt --weights heavy
bad '--delta -1' 0 sssp links.txt --delta -1
good 0 sssp rmat:10 --check
good 4 sssp mesh:30x20 --source 0 --check

# ---- many sources ---
good 0 betweenness path:40 --check --out answer
holds "the middle of a path" is "$(sed -n 's/^20 //p' answer)" 760
good 2 betweenness mesh:6x7 --check --samples 9
bad 'no vertex 9' 3 betweenness links.txt --sources 9
good 0 edge-betweenness path:40 --check --out answer
holds "the middle edge of a path" is "$(sed -n 's/^19 20 //p' answer)" 400
good 2 edge-betweenness mesh:6x7 --check --samples 9
bad 'needs --sources' 0 bfs-many links.txt
bad 'needs --sources' 0 sssp-many links.txt
good 4 sssp-many rmat:9 --weights hash --samples 5 --check
good 2 sssp-many infinite.txt --samples 3 --check --out answer
holds "an infinite distance is one" is "$(grep -c ' inf$' answer)" 6
good 2 all-pairs infinite.txt --directed --check
bad 'the sum of all, is infinite' 2 max-flow huge.txt --sources 0,3
for n in 0 3; do
  good $n bfs-many weighted.txt --sources 7,5 --check --out answer
  holds "levels from two sources ($n)" is "$(sort -k1,1n -k2,2n answer | tr '\n' ';')" '5 5 0;7 7 0;7 42 1;7 99999 2;7 1000000000000 1;'
done
good 4 bfs-many rmat:9 --samples 64 --check

# ---- similarity ---
printf '7 1000000000000\n99999,7\n7 99999\n7 99999\n' >pairs.txt
printf '7 42\n7 8\n' >strangers.txt
for n in 0 3; do
  good $n similarity weighted.txt --pairs pairs.txt --measure common --check --out answer
  holds "the pairs that have a common neighbor ($n)" is "$(sort -n answer | tr '\n' ';')" '7 99999 1;99999 7 1;'
  bad 'strangers.txt: there is no vertex 8 in' $n similarity weighted.txt --pairs strangers.txt
  bad 'nan.txt:1: expected two vertices, found ' $n similarity weighted.txt --pairs nan.txt
done
good 4 similarity rmat:8 --measure jaccard --top 3 --check

# ---- triangles ---
for n in 0 3; do
  good $n triangles links.txt --out - --check
  holds "the corners of a triangle ($n)" is "$(sort -n out | tr '\n' ';')" '1 1;2 1;3 1;4 0;'
done
good 4 triangles rmat:10 --check
good 3 lcc rmat:9 --check
good 4 square-clustering rmat:9 --check
good 4 clique-count rmat:8 --k 5 --check
good 4 motif-counts rmat:6 --check
good 4 rich-club rmat:10 --check
good 4 assortativity rmat:10 --check --directed
good 4 kcore rmat:10 --check
good 4 densest-subgraph rmat:10 --check
good 4 ktruss rmat:9 --check --k 12
bad '--k 2' 0 ktruss links.txt --k 2
bad '--k 2' 0 clique-count links.txt --k 2
bad '--k x' 3 ktruss links.txt --k x
good 3 ktruss links.txt --k 3 --out - --check
holds "the names of a truss" is "$(sort -k1,1n -k2,2n out | tr '\n' ';')" '1 2 1;1 3 1;2 1 1;2 3 1;3 1 1;3 2 1;'
good 3 kcore mesh:30x40 --check
holds "a mesh is its own core" is "$(value largest_core_number)/$(value vertices_in_that_core)" 2/1200
good 3 densest-subgraph mesh:30x40 --check
holds "a mesh is its own densest core" is "$(value vertices_in_subgraph)" 1200
good 2 triangles mesh:30x40
holds "a mesh has none" is "$(value triangles)" 0

# ---- factors ----
printf '%%%%MatrixMarket matrix coordinate integer general\n4 3 6\n1 1 5\n1 2 3\n2 1 4\n4 2 1\n2 3 2\n4 3 4\n' >ratings.mtx
for n in 0 3; do
  good $n factors ratings.mtx --factors 2 --iterations 60 --rate 0.05 --lambda 0 --check --out answer
  holds "two numbers for each row and column ($n)" is "$(cut -d' ' -f1,2 answer | sort | tr '\n' ';')$(awk '{ print NF }' answer | sort -u)" \
    'column 1;column 2;column 3;row 1;row 2;row 3;row 4;4'
  holds "six ratings have such factors ($n)" awk 'BEGIN { exit !('"$(value error_after_60)"' < 0.05) }'
  bad 'diverges' $n factors ratings.mtx --rate 9
  good $n als ratings.mtx --factors 2 --iterations 20 --lambda 0 --check --out answer
  holds "least squares: two numbers for each row and column ($n)" is "$(cut -d' ' -f1,2 answer | sort | tr '\n' ';')" \
    'column 1;column 2;column 3;row 1;row 2;row 3;row 4;'
  holds "... that have the ratings as products ($n)" awk 'BEGIN { exit !('"$(value error_after_20)"' < 1e-9) }'
done
bad 'not square' 0 square-clustering ratings.mtx
bad 'not square' 0 motif-counts ratings.mtx
bad 'not square' 0 rich-club ratings.mtx
bad 'not square' 0 assortativity ratings.mtx
bad 'not square' 0 kcore ratings.mtx
bad 'not square' 0 densest-subgraph ratings.mtx
bad '--factors 65' 0 factors ratings.mtx --factors 65
good 4 factors rmat:8 --iterations 6 --check

# ---- numbers and labels of vertices from a file ----
printf '# a triangle, and a vertex beside it\n1\t3\n2,3\n\n3 3\n4 18446744073709551615\n' >labels.txt
printf '7 -1.5\n42 0\n1000000000000 2e3\n99999 1\n' >values.txt
printf '1 2 3\n' >three.txt
printf '1 2\n2 2\n1 2\n3 2\n' >twice.txt
printf '1 2 1\n2 3 100\n3 4 1\n4 1 100\n' >heavy.txt
printf '1 2\n2 2\n3 2\n' >short.txt
for n in 0 3; do
  good $n modularity links.txt --communities labels.txt --check --out answer
  holds "labels of any size ($n)" is "$(cut -d' ' -f1 answer | tr '\n' ';')$(value communities)" '3;18446744073709551615;2'
  holds "one of four edges leaves the triangle ($n)" is "$(value modularity)/$(value largest_conductance)" '-0.03125/1'
  good $n louvain rmat:8 --out communities
  modularity=$(value modularity)
  good $n modularity rmat:8 --communities communities --check
  holds "the modularity of the communities that louvain found ($n)" is "$(value modularity)" "$modularity"
  good $n louvain heavy.txt --check --out answer
  holds "a heavy edge joins communities ($n)" is "$(sort -n answer | tr '\n' ';')" '1 1;2 2;3 2;4 1;'
  good $n leiden heavy.txt --weights ones --check
  good $n markov-clustering heavy.txt --check --out answer
  holds "a walk takes heavy edges ($n)" is "$(sort -n answer | tr '\n' ';')" '1 1;2 2;3 2;4 1;'
  good $n katz heavy.txt --check
  holds "half the inverse of the largest sum of weights ($n)" is "$(value alpha)" 0.00495049505
  good $n katz heavy.txt --weights ones --check
  holds "half the inverse of the most edges ($n)" is "$(value alpha)" 0.25
  bad 'below 0' $n louvain cycle.txt
  good $n assortativity weighted.txt --values values.txt --check --out -
  bad 'values.txt:1: expected a vertex and a label, both whole numbers, found ' $n assortativity weighted.txt --labels values.txt
  bad 'three.txt:1: expected a vertex and a number, found ' $n assortativity links.txt --values three.txt
  bad 'values.txt: there is no vertex 7 in' $n assortativity links.txt --values values.txt
  bad 'labels.txt: there is no vertex 1 in' $n assortativity weighted.txt --labels labels.txt
  bad 'twice.txt: a vertex has more than one line' $n assortativity links.txt --labels twice.txt
  bad 'short.txt: 1 of 4 vertices have no line' $n modularity links.txt --communities short.txt
  bad 'nofile: No such file' $n modularity links.txt --communities nofile
done
bad 'needs --communities' 0 modularity links.txt
printf '0 1\n' >arc.txt
printf '0 0\n1 1\n' >arc.labels
printf '%s 0\n' 0 1 2 3 >alike.labels
good 0 modularity arc.txt --directed --communities arc.labels --check --out answer --json report
holds "all edges leave the first community" is "$(tr '\n' ';' <answer)" '0 inf;1 0;'
holds "a number that is not finite is null" is "$(grep -c '_conductance": null' report)" 2
bad 'a weight, or the sum of all, is not finite' 0 modularity infinite.txt --communities alike.labels
bad "exclude each other" 0 assortativity links.txt --values short.txt --labels labels.txt

# ---- samples and walks ----
for n in 0 3; do
  good $n neighbor-sample weighted.txt --sources 7 --fanouts all,1 --check --out answer
  holds "all neighbors, and one of each ($n)" is "$(awk '{ print $1, $3 }' answer | sort -n | tr '\n' ';')" '7 1;7 1;42 2;1000000000000 2;'
  good $n random-walks links.txt --directed --length 4 --sources 4,2,4 --check --out answer
  holds "walks around a cycle ($n)" is "$(tr '\n' ';' <answer)" '4 1 2 3 1;2 3 1 2 3;4 1 2 3 1;'
  good $n random-walks path:3 --directed --length 70 --check --out answer
  holds "walks end ($n)" is "$(tr '\n' ';' <answer)" '0 1 2;1 2;2;'
  good $n random-walks weighted.txt --length 3 --sources 5,1000000000000 --check --out answer
  holds "names of the file ($n)" is "$(cut -d' ' -f1,2 answer | tr '\n' ';')" '5;1000000000000 7;'
done
bad 'needs --sources' 0 neighbor-sample links.txt
bad '--fanouts 3,,2' 0 neighbor-sample links.txt --sources 1 --fanouts 3,,2
bad '--fanouts -1' 0 neighbor-sample links.txt --sources 1 --fanouts -1
bad '--p 0' 0 random-walks links.txt --p 0
bad 'a weight is below 0' 3 random-walks cycle.txt
good 3 random-walks cycle.txt --weights ones --check
good 4 random-walks rmat:8 --p 0.25 --q 4 --check
good 4 neighbor-sample rmat:10 --samples 20 --directed --check

# ---- equations, eigenvalues ----
printf '%%%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 2\n2 2 3\n3 3 2\n2 1 -1\n3 2 -1\n' >chain.mtx # docs/algorithms/linear_algebra.md
printf '1 8\n' >right.txt
for n in 0 3; do
  good $n conjugate-gradient chain.mtx --right right.txt --tolerance 1e-12 --check --out answer
  holds "heat along a chain ($n)" is "$(columns_of answer | tr '\n' ';')" '1 5 ;2 2 ;3 1 ;'
  good $n conjugate-gradient path:3 --laplacian 1 --right right.txt --tolerance 1e-12 --check --out answer
  holds "... by the Laplacian of a graph ($n)" is "$(columns_of answer | tr '\n' ';')" '0 2 ;1 4 ;2 2 ;'
  bad 'diagonal that is not above 0' $n conjugate-gradient path:3
  good $n eigenvalues chain.mtx --k 9 --check
  holds "all eigenvalues ($n)" is "$(value eigenvalue_1)/$(value eigenvalue_2)/$(value eigenvalue_3)" 4/2/1
  good $n singular-values ratings.mtx --k 2 --check --out answer
  holds "the larger singular values ($n)" is "$(value singular_value_1)/$(value singular_value_2)" "7.05290633/4.16668047"
  holds "... and a vector for each row and column ($n)" is "$(cut -d' ' -f1,2 answer | sort | tr '\n' ';')" \
    'column 1;column 2;column 3;row 1;row 2;row 3;row 4;'
done
bad '--laplacian 0' 0 conjugate-gradient path:3 --laplacian 0
bad '--k 65' 0 eigenvalues path:3 --k 65
printf '1 1 2\n1 2 1\n2 2 -5\n' >triangular.txt
for n in 0 3; do
  good $n power-iteration triangular.txt --directed --tolerance 1e-12 --check
  holds "the eigenvalue of largest absolute value ($n)" is "$(value eigenvalue)" -5
  good $n spectral-embedding path:4 --k 2 --tolerance 1e-12 --check
  good $n spectral-embedding path:4 --k 3 --check # all; in a bipartite graph the last one is 2
  holds "the values of a path ($n)" is "$(value value_1)/$(value value_2)" 0.5/1.5
  bad '--k 65' $n spectral-embedding path:4 --k 65
done
bad 'below 0: -4' 0 spectral-embedding cycle.txt
bad 'not square' 0 power-iteration ratings.mtx
bad 'not square' 0 eigenvalues ratings.mtx
good 4 eigenvalues rmat:9 --check
good 4 singular-values rmat:9 --check
good 4 conjugate-gradient mesh:20x30 --laplacian 0.01 --iterations 500 --check
holds "it converges" is "$(value converged)" yes
good 3 convert chain.mtx chain.pages
for n in 0 3; do
  good $n eigenvalues chain.pages --check
  holds "a page file's diagonal counts ($n)" is "$(value eigenvalue_1)/$(value weights)" "4/from the file"
  good $n eigenvalues chain.pages --weights ones
  holds "... as ones ($n)" is "$(value eigenvalue_1)/$(value weights)" "2.41421356/"
done

# ---- simulations ----
printf '1 2 1\n2 3 1\n3 4 1\n4 1 1\n' >square.txt
for n in 0 3; do
  good $n circuit square.txt --sources 2,4 --check --out answer
  holds "opposite corners of a square ($n)" is "$(value resistance)/$(sort -n answer | tr '\n' ';')" '1/1 0.5;2 1;3 0.5;4 0;'
  good $n heat square.txt --sources 2 --check --iterations 1 --out answer
  holds "half of the heat stays ($n)" is "$(sort -n answer | tr '\n' ';')" '1 0.25;2 0.5;3 0.25;4 0;'
  bad 'needs --sources' $n heat square.txt
  bad 'below 0: -4' $n circuit cycle.txt --sources 1,4
done
bad '--tolerance -1' 0 neural square.txt --sources 1 --tolerance -1
good 4 neural rmat:9 --samples 30 --directed --check
good 4 heat mesh:20x30 --samples 1 --check

# ---- pagerank --------------------------------------------------------------------------------------------------------------
for n in 0 3; do
  for what in "pagerank largest_rank" "degree largest_degree" "betweenness largest_centrality" "hits largest_authority"; do
    good $n ${what% *} votes.txt
    holds "${what% *}: vertex 30 has the largest value ($n)" is "$(value "${what#* }_vertex")" 30
  done
done
bad '--damping 2' 0 pagerank links.txt --damping 2
bad '--damping x' 0 pagerank links.txt --damping x
bad '--tolerance -1' 0 pagerank links.txt --tolerance -1
bad '--sources 1,,2' 0 pagerank links.txt --sources 1,,2
bad '--sources 1,' 0 pagerank links.txt --sources 1,
bad '--sources and --samples' 0 pagerank links.txt --sources 1 --samples 2
bad 'no vertex 9' 3 pagerank links.txt --sources 1,9
good 3 pagerank links.txt --samples 2 --seed 4 --check
holds "two samples" is "$(value sources)" 2
good 2 pagerank weighted.txt --sources 7 --check --fp32 --out -
holds "names of the file" grep -Eq '^1000000000000 0\.[0-9]+$' out
for what in katz eigenvector hits; do
  good 0 $what rmat:8 --directed --check --out expected
  good 0 $what rmat:8 --directed --check --out answer --fp32
  holds "$what --fp32 computes in another type" test "$(cmp -s expected answer; echo $?)" -eq 1
done

# ---- real graphs -------------------------------------------------------------------------------------------------------------
for f in "$script_folder"/../examples/data/*.txt "$script_folder"/../examples/data/*.mtx "$data"/Wiki-Vote.txt "$data"/email-Eu-core.csv; do
  [ -e "$f" ] || continue
  for n in 0 4; do
    good $n pagerank "$f" --check --directed
    good $n components "$f" --check
    good $n sssp "$f" --check --weights hash
    good $n betweenness "$f" --check --samples 5 --directed
    good $n triangles "$f" --check
    good $n lcc "$f" --check --directed
    good $n kcore "$f" --check
    good $n ktruss "$f" --check --k 4
    good $n msf "$f" --check --weights hash
  done
done
if [ -e "$data/ca-GrQc.txt" ]; then # Leskovec, Kleinberg, Faloutsos (2007), as published by SNAP
  good 2 components "$data/ca-GrQc.txt"
  holds "the largest component of ca-GrQc" is "$(value largest_component)" 4158
fi
if [ -e "$data/Wiki-Vote.txt" ]; then
  good 2 components "$data/Wiki-Vote.txt" --directed
  holds "the largest weak component of Wiki-Vote" is "$(value largest_component)" 7066
  good 2 components "$data/Wiki-Vote.txt" --directed --strong --check
  holds "... and the largest strong one" is "$(value largest_component)" 1300
fi
# Triangles and mean clustering coefficients as SNAP publishes them with these graphs (snap.stanford.edu/data: wiki-Vote, ego-Facebook, soc-Epinions1).
while read -r name triangles mean; do
  f=$data/$name.txt
  [ -e "$f" ] || continue
  good 2 triangles "$f"
  holds "the triangles of $name" is "$(value triangles)" "$triangles"
  good 2 lcc "$f"
  holds "the clustering of $name" is "$(printf %.4f "$(value mean_coefficient)")" "$mean"
done <<<'Wiki-Vote 608389 0.1409
facebook_combined 1612010 0.6055
soc-Epinions1 1624481 0.1378'

echo "algorithm_cases.sh: $passed passed, $failed failed"
[ $failed -eq 0 ]
