#!/bin/bash
# Tests of the program `gridblas`: tests/program.sh PROGRAM (see program_run.sh).
# Prints a line for each failure and a count at the end; the exit status is 0 when nothing failed.
set -u
. "$(dirname "$0")/program_run.sh"

# ---- generated graphs -------------------------------------------------------------------------------------------------
cat >square.mtx <<'MTX'
%%MatrixMarket matrix coordinate pattern symmetric
% a square 1 - 2 - 3 - 4 - 1, a tail 4 - 5, and 6 alone
6 6 5
2 1
3 2
4 3
4 1
5 4
MTX
cat >directed.mtx <<'MTX'
%%MatrixMarket matrix coordinate real general
4 4 4
1 2 0.5
2 3 1.5
3 1 2.5
4 1 0
MTX
printf '# ids with gaps\n1000000000000 7\n7\t42\n42,99999\n5 5\n' >names.txt
gzip -c names.txt >names.txt.gz
: >empty.txt
printf '# nothing but a comment\n' >comment.txt
printf '%%%%MatrixMarket matrix coordinate pattern general\n0 0 0\n' >zero.mtx
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 4 1\n1 2\n' >oblong.mtx
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 4\n1 2\n2 3\n' >truncated.mtx
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 x\n' >malformed.mtx
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 4\n' >range.mtx
printf '%%%%MatrixMarket matrix coordinate complex general\n3 3 1\n1 2 1 1\n' >complex.mtx
printf '%%%%MatrixMarket matrix coordinate pattern general\n99999999999999999999999999 3 1\n1 2\n' >gigantic.mtx
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 1\n' >noentries.mtx
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 0\n' >noedges.mtx
printf '%%%%MatrixMarket matrix coordinate pattern general\n1000000000000 1000000000000 3\n7 2\n7 999999999999\n5 7\n' >huge.mtx
head -c 4096 /dev/urandom >garbage.txt
printf '1 2\n2 three\n' >words.txt
printf 'source,target\n1,2\n' >header.csv
printf '1 2 {}\n2 3 {}\n' >networkx.txt
printf '3 3 1\n1 2 1\n' | tee banner.mtx banner.pages >banner.npz
printf '1;2\n2;3\n' >semicolons.csv
head -c 30 names.txt.gz >cut.txt.gz

# ---- usage --------------------------------------------------------------------------------------------------------------
good 0 --help
holds "--help names the commands" grep -q graph500 out
for c in bfs pagerank graph500 info plan balance convert order; do
  good 0 $c --help
  holds "$c --help names --threads" grep -q -- --threads out
  holds "$c --help has no line of blanks" is "$(grep -c ' $' out)" 0
done
# Options that say how a matrix is built or multiplied are those of the commands that do so (option_effects reads the sources for the others).
for words in "convert grid" "convert device" "convert direction" "order delegates" "order grid" "info direction" "plan balance" "balance balance" "graph500 memory"; do
  good 0 ${words% *} --help
  holds "$words is not an option" test "$(grep -c -- "--${words#* }[= ]" out)" -eq 0
  bad "unknown option --${words#* }" 0 ${words% *} square.mtx --${words#* }=1
done
for words in "help bfs" "--help bfs"; do
  good 0 $words
  holds "$words has the options of bfs" grep -q '^Usage: gridblas bfs ' out
done
bad "unknown command 'bsf': did you mean bfs\?" 0 help bsf
good 0 --version
holds "--version asks a library that has started" is "$(grep -c 'GraphBLAS 0\.0' out)" 0
good 2 --help
holds "--help is printed once" is "$(grep -c '^Usage: gridblas COMMAND' out)" 1
bad 'a command is missing \(see gridblas --help\)$' 0
bad "unknown command 'bsf': did you mean bfs\?" 0 bsf square.mtx
bad "unknown command 'pagerang': did you mean pagerank\?" 3 pagerang square.mtx
bad "unknown command 'dance' \(see gridblas --help\)$" 0 dance square.mtx
bad 'unknown option --foo \(see gridblas --help\)$' 0 --foo
bad 'unknown option --fast \(see' 0 bfs square.mtx --fast
bad 'unknown option --chekc: did you mean --check\?' 0 bfs square.mtx --chekc
bad 'unknown option --thraeds=2: did you mean --threads\?' 0 bfs square.mtx --thraeds=2
bad 'no such format: did you mean matrix-market\?' 0 info square.mtx --from matrix_market
bad 'needs a value' 0 bfs square.mtx --source
bad 'needs a graph' 0 bfs
bad 'needs a graph and the file to write' 0 convert square.mtx
bad 'one graph' 0 convert square.mtx a.txt b.txt
bad "there is no such format \\(see" 0 convert square.mtx a.txt --to tape
bad 'no format has this ending; name one' 0 convert square.mtx a.tape
bad 'square.mtx:3: the first line promises 6 vertices' 0 info square.mtx --from metis
bad 'one graph' 0 bfs square.mtx names.txt
bad '--source one' 0 bfs square.mtx --source one
bad '--threads 0' 0 bfs square.mtx --threads 0
bad '--delegates some' 0 bfs square.mtx --delegates some
bad '--direction up' 0 bfs square.mtx --direction up
bad '--device gpu' 0 bfs square.mtx --device gpu
bad '--device cuda:x: cpu, cuda, or cuda:1 with' 0 bfs square.mtx --device cuda:x
bad 'needs --scale' 0 graph500
bad '--scale 0' 0 graph500 --scale 0
bad '--edgefactor 0' 0 graph500 --scale 5 --edgefactor 0
bad 'rmat:SCALE' 0 bfs rmat:
bad 'rmat:SCALE' 0 bfs rmat:99
bad 'is generated' 0 bfs rmat:5 --from metis
bad '--grid 2by2' 0 bfs square.mtx --grid 2by2
bad 'grid 2x2 .* is 1' 0 bfs square.mtx --grid 2x2
bad 'grid 3x2 .* are 4' 4 bfs square.mtx --grid 3x2
bad 'unknown option' 4 bfs square.mtx --fast

# ---- bad input ------------------------------------------------------------------------------------------------------------
for n in 0 3; do
  bad 'nofile' $n bfs nofile.mtx
  bad 'empty.txt' $n bfs empty.txt
  bad 'comment.txt' $n bfs comment.txt
  bad 'zero.mtx' $n bfs zero.mtx
  bad 'oblong.mtx.*3 x 4' $n bfs oblong.mtx
  bad 'truncated.mtx' $n bfs truncated.mtx
  bad 'malformed.mtx:4' $n bfs malformed.mtx
  bad 'range.mtx:4' $n bfs range.mtx
  bad 'complex' $n bfs complex.mtx
  bad 'gigantic.mtx:2' $n bfs gigantic.mtx
  bad 'noentries.mtx' $n bfs noentries.mtx
  bad 'garbage.txt' $n bfs garbage.txt
  bad "words.txt:2: expected a vertex id, found 'three'$" $n bfs words.txt
  bad "header.csv:1: .* found 'source,target'; .*: put '#' in front of a header line" $n bfs header.csv
  bad 'networkx.txt:1: .*data=False' $n bfs networkx.txt
  bad 'banner.mtx:1: expected .*MatrixMarket' $n bfs banner.mtx
  bad 'banner.pages: it is not a page file' $n bfs banner.pages
  bad 'banner.npz: .*of a zip archive' $n bfs banner.npz
  bad "semicolons.csv:1: .*; fields are separated by .*: replace ';'" $n bfs semicolons.csv
  bad 'cut.txt.gz' $n bfs cut.txt.gz
  bad 'no vertex 7' $n bfs square.mtx --source 7
  bad 'no vertex 0' $n bfs square.mtx --source 0
  bad 'no vertex 8' $n bfs names.txt --source 8
  bad 'missing/levels' $n bfs square.mtx --out missing/levels
  bad 'missing/report' $n bfs square.mtx --json missing/report
  bad 'directory' $n bfs square.mtx --out "$work"
done
if [ -e /dev/full ]; then
  for n in 0 3; do
    for option in --out --json; do
      bad "/dev/full: cannot write: No space left" $n bfs square.mtx $option /dev/full
    done
    bad "/dev/full: cannot write: No space left" $n graph500 --scale 6 --roots 64 --json /dev/full
    bad '/dev/full: cannot write: No space left' $n convert square.mtx /dev/full --to edges
  done
  for arguments in 'bfs square.mtx' 'bfs square.mtx --out -' 'info square.mtx --json -'; do
    "$program" $arguments >/dev/full 2>err
    holds "status 2 where standard output is full ($arguments)" is "$? $(grep -c "^gridblas: standard output: cannot write: No space left" err)" "2 1"
  done
fi

# Where files may not exceed 8 KiB the error names the reason, and no partial file remains.
mkdir limited
ulimit -S -f 8
bad 'limited/path.txt: cannot write.*too large' 0 convert path:5000 limited/path.txt
bad 'limited/path.pages: cannot write.*too large' 0 convert path:5000 limited/path.pages
bad "limited/ranks: cannot write.*too large" 0 pagerank path:5000 --iterations 1 --out limited/ranks
ulimit -S -f unlimited
holds "nothing is left of them" is "$(ls -A limited)" ''

# Vertices without edges are sources, too, and there may be more processes than vertices.
for n in 0 4; do
  for c in bfs sssp bellman-ford; do
    good $n $c noedges.mtx --source 2 --check --out -
    holds "$c from a vertex without edges, $n processes" grep -qE '^2 0 (2|-1)$' out
  done
  good $n bfs noedges.mtx --check
  good $n bfs-many noedges.mtx --samples 2 --check --out -
  holds "bfs-many in a graph without edges, $n processes" grep -qx '1 1 0' out
done
good 7 bfs square.mtx --check

# A file that exists on process 0 only.
mkdir -p has hasnot && cp square.mtx has/only.mtx
cat >apart.sh <<'SH'
#!/bin/sh
if [ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}" = 0 ]; then cd has; else cd hasnot; fi
exec "$@"
SH
chmod +x apart.sh
timeout -k 5 60 "$mpirun" -n 3 ./apart.sh "$program" bfs only.mtx >out 2>err
status=$?
holds "a file that one process can't read: status $status" test $status -eq 2
holds "... and one line" is "$(grep -c '^gridblas: ' err)" 1

# A failed run leaves the output file unchanged, and no temporary file.
mkdir clean && echo old >clean/levels
bad 'no vertex 7' 0 bfs square.mtx --source 7 --out clean/levels --json clean/report
holds "the old output stays" is "$(cat clean/levels)" old
holds "nothing is left behind" is "$(ls clean)" levels

# A file that is replaced keeps its permissions.
cp square.mtx clean/copy.mtx && chmod 640 clean/levels clean/copy.mtx
good 0 bfs square.mtx --out clean/levels
good 2 convert square.mtx clean/copy.mtx
holds "the new files have the old ones' permissions" is "$(stat -c %a clean/levels clean/copy.mtx | tr '\n' ' ')" "640 640 "

# ---- limits of the system ---------------------------------------------------------------------------------------------------
# The stacks of 300 threads take 2.4 GB. A program with sanitizers does not start with so little memory.
limit=1000000
if (ulimit -v $limit && "$program" components rmat:8 --threads 1) >/dev/null 2>&1; then
  (ulimit -v $limit && OMP_NUM_THREADS=300 "$program" components rmat:8 --check --json report) >out 2>err </dev/null
  holds "fewer threads where memory is limited" test $? -eq 0
  holds "... but several" test "$(sed -n 's/.*"threads": \([0-9]*\).*/\1/p' report)" -gt 1
  holds "... and not all" test "$(sed -n 's/.*"threads": \([0-9]*\).*/\1/p' report)" -lt 300
fi

# ---- the device ---------------------------------------------------------------------------------------------------------
# Without CUDA or without a GPU there is an error; else the result is the same.
for n in 0 3; do
  run $n bfs square.mtx --source 1 --device cuda --check --out levels
  if [ $status -eq 0 ]; then
    holds "it says which GPU ($n)" grep -q '^gpu: *[A-Z]' out
    holds "levels of the square on the GPU ($n)" is "$(cut -d' ' -f1,2 levels | tr '\n' ';')" '1 0;2 1;3 2;4 1;5 2;'
  else
    why='has no CUDA backend|no GPU is to be had|has no GPU [0-9]*, there'
    bad "$why" $n bfs square.mtx --device cuda
    bad "$why" $n graph500 --scale 5 --device cuda
    bad "$why" $n info square.mtx --device cuda
    GRIDBLAS_DEVICE=cuda bad "$why" $n bfs square.mtx
    GRIDBLAS_DEVICE=cuda good $n bfs square.mtx --device cpu
  fi
  good $n info --device cuda --json report
  holds "the GPU or why there is none ($n)" grep -Eq '^gpu(_of_process_0)?: *[a-zA-Z]' out
  holds "what scale 26 needs ($n)" grep -Eq '^ *26 +67108864 ' out
  holds "the same as JSON ($n)" grep -q '"search_bytes":' report
done
GRIDBLAS_DEVICE=gpu bad 'GRIDBLAS_DEVICE' 0 bfs square.mtx
GRIDBLAS_DEVICE=cuda:-1 bad 'GRIDBLAS_DEVICE is "cuda:-1", not cpu, cuda, or cuda:1 with' 0 bfs square.mtx
for name in GIRD CHCK MEMROY PAGES_FOLDER DEVICE_MEMORYY TUNA; do
  eval "GRIDBLAS_$name=1 GRIDBLAS_ROOT=/ GRIDBLAS_THREADS=2 good 2 info square.mtx"
  holds "GRIDBLAS_$name is reported once, and nothing else" is "$(grep -o '^gridblas: GRIDBLAS_[A-Z_]* in the environment is no setting' err)" "gridblas: GRIDBLAS_$name in the environment is no setting"
done
holds "... with the setting that was meant" grep -q 'did you mean GRIDBLAS_TUNE?' err
for n in 0 3; do GRIDBLAS_SHARE_GPU=windows bad 'GRIDBLAS_SHARE_GPU is "windows"' $n bfs square.mtx --device cuda; done

# ---- answers ----------------------------------------------------------------------------------------------------------------
for n in 0 1 4; do
  good $n bfs square.mtx --source 1 --out levels --check --verbose
  holds "reached 5 ($n)" is "$(value reached)" 5
  holds "levels of the square ($n)" is "$(cut -d' ' -f1,2 levels | tr '\n' ';')" '1 0;2 1;3 2;4 1;5 2;'
  holds "the source is its own parent ($n)" grep -qx '1 0 1' levels
  holds "a table of levels ($n)" grep -Eq '^ +1 (push|pull)' out
  good $n bfs square.mtx --source 1 --depth 1 --out - --check
  holds "no deeper than 1 ($n)" is "$(cut -d' ' -f1,2 out | tr '\n' ';')" '1 0;2 1;4 1;'
  good $n bfs directed.mtx --directed --source 1 --out - --check
  holds "edges one way ($n)" is "$(tr '\n' ';' <out)" '1 0 1;2 1 1;3 2 2;'
  good $n bfs directed.mtx --source 1 --out - --check
  holds "edges both ways ($n)" is "$(cut -d' ' -f2 out | tr '\n' ';')" '0;1;1;1;'
  for f in names.txt names.txt.gz; do
    good $n bfs $f --source 7 --out - --check
    holds "names with gaps, $f ($n)" is "$(tr '\n' ';' <out)" '7 0 7;42 1 7;99999 2 42;1000000000000 1 7;'
  done
  good $n bfs huge.mtx --out -
  holds "the busiest of 10^12 vertices is the source ($n)" is "$(tr '\n' ';' <out)" '2 1 7;5 1 7;7 0 7;999999999999 1 7;'
  good $n info huge.mtx
  holds "the highest degree of 10^12 vertices ($n)" is "$(value degree_max)" 3
  good $n info square.mtx --json report
  holds "info counts edges ($n)" is "$(value edges)" 5
  holds "info counts isolated vertices ($n)" is "$(value isolated_vertices)" 1
  holds "info writes JSON ($n)" grep -q '"edges": 5' report
done

# The messages and inspected entries of a search are predicted for each layout; --check counts them. On one process, for other numbers of processes, too.
GRIDBLAS_TUNE=processes_per_host=1 good 4 plan rmat:13 --grid 2x2 --check
for at in "0 1x1" "4 4x1" "4 2x2" "16 16x1"; do
  n=${at% *} grid=${at#* }
  good $n plan rmat:13 --grid $grid --check --json report
  holds "what is sent was counted ($grid)" grep -q "\"${grid}_KB_counted\":" report
  holds "of a product, too ($grid)" grep -q "\"${grid}_product_KB_counted\":" report
done
holds "requests were counted" grep -q '"16x1_requests_KB_counted":' report
counted=$(value 16x1_requests_KB_counted) counted_all=$(value 16x1_KB_counted)
good 0 plan --verbose rmat:13 --processes 16 --network 1e-9,1e3 --json report
holds "16 processes seen from one" is "$(awk -v a="$counted" -v b="$(value 16x1_requests_KB)" 'BEGIN { print (a > 0 && b > 0.7 * a && b < 1.3 * a) }')" 1
good 0 plan --verbose rmat:13 --processes 4 --network 1e-9,1e3 --json report
holds "where bytes count, requests are chosen" is "$(value chosen)" 4x1_requests
good 0 plan --verbose rmat:13 --processes 16 --network 1,1e12 --json report
holds "where calls count, they are not" is "$(value chosen)" 16x1
# Messages of a pull ring are no work of the processes: where calls and bytes cost nothing, the time follows from the rate.
good 4 plan --verbose rmat:13 --grid 2x2 --network 1e-12,1e18,1e3 --json report
slow=$(value 2x2_ms)
good 4 plan --verbose rmat:13 --grid 2x2 --network 1e-12,1e18,1e9 --json report
holds "a process's own work is in proportion to the rate" is "$(awk -v a="$slow" -v b="$(value 2x2_ms)" 'BEGIN { print (a > 0 && b > 0.8e-6 * a && b < 1.2e-6 * a) }')" 1
# From degrees alone, near the count, without the graph; on slow networks delegates pay, on one process never; several GPUs pay in large graphs.
good 16 plan --verbose rmat:13 --from-degrees --network 1e-9,1e3,1e9 --json report
holds "bytes predicted from degrees" is "$(awk -v a="$counted_all" -v b="$(value 16x1_KB)" 'BEGIN { print (a > 0 && b > 0.6 * a && b < 1.6 * a) }')" 1
good 4 graph500 --scale 12 --roots 1 --skip-validation --grid 2x2 --delegates off --json report
stored=$(awk -v e="$(value entries)" -v b="$(value bytes_per_entry)" 'BEGIN { print e * b / 4e6 }')
good 0 plan --verbose rmat:12 --from-degrees --processes 4 --network 1e-5,1e9 --json report
holds "memory predicted from degrees" is "$(awk -v a="$stored" -v b="$(value 2x2_matrix_MB)" 'BEGIN { print (a > 0 && b > 0.9 * a && b < 1.1 * a) }')" 1
good 0 plan --verbose rmat:38 --from-degrees --processes 64 --network 6e-5,3e9,4e9 --json report
holds "... has no number where a block has too many rows" grep -q '"8x8_matrix_MB": null' report
good 0 plan --verbose rmat:36 --from-degrees --processes 4096 --network 6e-5,3e9,4e9 --json report
holds "a grid of 4096 processes has columns" is "$(value chosen)" 64x64
good 0 plan --verbose rmat:24 --from-degrees --processes 16 --network 1e-6,1e7,1e9 --json report
holds "an index pays after some searches" grep -q '"delegates_pay_after_searches": [1-9]' report
good 0 plan --verbose rmat:24 --from-degrees --processes 1 --json report
holds "a split of one process never pays" is "$(value delegates_pay)" never
good 0 plan rmat:24 --from-degrees --device cuda --json report
holds "two GPUs pay from 2^25 vertices on" grep -q '"gpus_2_pay_from_scale": 25' report
holds "a table of GPUs" is "$(awk '$1 ~ /^[1248]$/ && NF >= 5 { print $1, NF }' out | tr '\n' ';')" "1 5;2 7;4 7;8 7;"
good 0 plan rmat:13 --processes 16 --network 1e-9,1e3 # a table, the fastest search first
holds "a table of layouts fits a screen" test "$(wc -l <out)" -le 24
holds "... sorted by time" is "$(awk '/^[0-9]+x[0-9]+/ { print $2 }' out)" "$(awk '/^[0-9]+x[0-9]+/ { print $2 }' out | sort -g)"
holds "... with six numbers and units of bytes" is "$(awk '/^[0-9]+x[0-9]+/ { print NF, $4, $7, $9 }' out | tr -d KMG | sort -u)" "9 B B B"
bad '--from-degrees takes rmat:SCALE' 0 plan path:100 --from-degrees
for net in 2e-5,1e9 2e-5,1e7; do # a call is worth 20 KB: no requests; 200 bytes
  GRIDBLAS_NETWORK=$net good 4 plan rmat:13 --network $net --check
done

# Partitions by work, and partitions that change during PageRank.
good 3 balance rmat-plain:10 --repeat 1 --iterations 4 --json report
holds "a row's cost was found" grep -q '"round_row_of_many_ns":' report
bad 'on 2 to 64 processes' 0 balance square.mtx
good 4 bfs rmat-plain:10 --balance searches --check
good 4 pagerank rmat-plain:10 --balance rounds --tolerance 0 --iterations 30 --check
good 0 plan directed.mtx --directed --processes 3
good 0 plan directed.mtx --directed --json report --verbose
holds "one process plans for 16" is "$(value processes)" 16
# ... and the model chooses the grid: an algorithm that reads all entries gets a square where bytes cost, a search gets one column.
chosen() {
  local network=$1
  shift
  GRIDBLAS_GRID='' GRIDBLAS_NETWORK=$network good 4 "$@" --grid auto --json report
}
chosen 1e-9,1e3 pagerank rmat:12
holds "a product's grid where bytes cost" is "$(value grid)" 2x2
chosen 1,1e12 pagerank rmat:12
holds "a product's grid where calls cost" is "$(value grid)" 4x1
chosen 1e-9,1e3 components rmat:12
holds "... of every command that sees all entries" is "$(value grid)" 2x2
chosen 1e-9,1e3 bfs rmat:16
holds "a search's grid" is "$(value grid)" 4x1
bad 'seconds, bytes and entries a second' 0 plan square.mtx --network 5
bad 'from 1 to 1048576' 0 plan square.mtx --processes 0

# Graphs with a known answer.
for n in 0 3; do
  good $n bfs path:300 --source 0 --out levels --check
  holds "levels of a path ($n)" is "$(sort -n levels | awk '$1 != $2' | wc -l)" 0
  holds "all of the path ($n)" is "$(value reached)" 300
  good $n bfs mesh:7x5 --source 0 --repeat 3 --out levels --check
  holds "levels of a mesh ($n)" is "$(awk '$2 != int($1 / 5) + $1 % 5' levels | wc -l)" 0
  holds "all of the mesh ($n)" is "$(value reached)" 35
  holds "the median time ($n)" grep -q '^run_ms_fastest: ' out
  good $n graph500 --scale 9 --roots 3 --levels --check
done
bad 'path:N' 0 bfs path:0
bad 'path:N' 0 bfs path:2x3
bad 'mesh:ROWSxCOLUMNS' 0 bfs mesh:5
bad 'web:SCALE' 0 bfs web:0
bad 'web:SCALE' 0 bfs web:41
bad 'EDGEFACTOR' 0 bfs web:4:0
for n in 0 3; do # pages and links: the same on any number of processes
  good $n convert web:9:4:7 "links.$n.txt"
  good $n bfs web:11 --source 0 --check
  holds "a web has many levels ($n)" test "$(value levels)" -gt 60
done
holds "... and the same links" cmp <(sort links.0.txt) <(sort links.3.txt)
good 0 convert web:9:4:8 other.txt
holds "another seed gives others" eval "! cmp -s links.0.txt other.txt"
bad 'mesh:ROWSxCOLUMNS' 0 bfs mesh:1099511627776x2
bad 'rmat:SCALE' 0 bfs rmat:5:6:7:8
bad '--repeat 0' 0 bfs path:5 --repeat 0

# The same levels for any number of processes, any grid, any threshold, either direction.
levels_of() {
  run "$@"
  [ $status -eq 0 ] || say_failed "status $status from $*"
  cut -d' ' -f1,2 out | sort -n | cksum
}
# A path whose names 5 .. 305 look like indices of other vertices: every name must come from its own vertex, on every number of processes.
for i in $(seq 5 304); do echo "$i $((i + 1))"; done >named.txt
for i in $(seq 5 305); do echo "$i $((i - 5)) $((i > 5 ? i - 1 : 5))"; done >named.expected
for n in 0 2 3 4 7; do
  good $n bfs named.txt --source 5 --out named.out
  holds "names that look like numbers ($n)" cmp -s named.out named.expected
done

# A reader that ends early, such as head, is no error to report.
"$program" bfs path:100000 --source 0 --out - 2>err </dev/null | head -n 1 >out
holds "head ends a result quietly" is "$(cat out err)" '0 0 0'

# Names above 2^63 are parents, components and the source as they are vertices.
printf '18446744073709551615 7\n9223372036854775808 18446744073709551615\n' >high.txt
for n in 0 3; do
  good $n bfs high.txt --out high.out --json high.json
  holds "parents above 2^63 ($n)" is "$(sort high.out | tr '\n' ';')" \
    '18446744073709551615 0 18446744073709551615;7 1 18446744073709551615;9223372036854775808 1 18446744073709551615;'
  holds "the source above 2^63 ($n)" is "$(value source)" 18446744073709551615
  holds "... in JSON ($n)" grep -q '"source": "18446744073709551615"' high.json
done

expected=$(levels_of 0 bfs rmat:11:8:3 --out - --check)
for n in 1 2 3 4 6 7 9; do
  holds "the same levels on $n processes" is "$(levels_of $n bfs rmat:11:8:3 --out - --check)" "$expected"
done
for shape in 1x6 6x1 2x3 3x2; do
  holds "the same levels on $shape" is "$(levels_of 6 bfs rmat:11:8:3 --out - --grid $shape)" "$expected"
done
for n in 0 4; do
  for th in off auto 0 40 2000000000; do
    holds "the same levels with delegates $th ($n)" is "$(levels_of $n bfs rmat:11:8:3 --out - --check --delegates $th)" "$expected"
  done
  for way in push pull; do
    holds "the same levels by $way ($n)" is "$(levels_of $n bfs rmat:11:8:3 --out - --direction $way)" "$expected"
    holds "the same levels by $way with delegates ($n)" \
      is "$(levels_of $n bfs rmat:11:8:3 --out - --direction $way --delegates 20)" "$expected"
  done
done
holds "the same levels with 2 threads" is "$(levels_of 0 bfs rmat:11:8:3 --out - --threads 2)" "$expected"

# ---- Graph500 -------------------------------------------------------------------------------------------------------------
for n in 0 4; do
  good $n graph500 --scale 10 --roots 8 --check --json report
  for key in SCALE edgefactor NBFS graph_generation num_mpi_processes construction_time min_time firstquartile_time median_time \
    thirdquartile_time max_time mean_time stddev_time min_nedge mean_nedge stddev_nedge min_TEPS firstquartile_TEPS median_TEPS \
    thirdquartile_TEPS max_TEPS harmonic_mean_TEPS harmonic_stddev_TEPS min_validate mean_validate stddev_validate; do
    holds "graph500 prints $key ($n)" grep -q "^$key: *[0-9]" out
  done
  holds "NBFS ($n)" is "$(value NBFS)" 8
  keys=$(tr -d ' \n' <report | grep -o '"search_keys":\[[0-9,]*\]')
  [ "$n" -eq 0 ] && one=$keys
done
holds "the same search keys on 4 processes" is "$keys" "$one"
for n in 0 4; do
  good $n graph500 --scale 10 --roots 6 --sssp --check --json report
  for key in SCALE NBFS construction_time 'sssp min_time' 'sssp stddev_time' 'sssp mean_nedge' 'sssp median_TEPS' \
    'sssp harmonic_mean_TEPS' 'sssp harmonic_stddev_TEPS' 'sssp min_validate'; do
    holds "graph500 --sssp prints $key ($n)" grep -q "^$key: *[0-9]" out
  done
  paths=$(tr -d ' \n' <report | grep -o '"search_keys":\[[0-9]*,[0-9]*')
  holds "kernel 3 has kernel 2's keys ($n)" is "$paths" "$(echo "$keys" | grep -o '"search_keys":\[[0-9]*,[0-9]*')"
done
good 2 graph500 --scale 9 --roots 2 --sssp --delta 0.1 --skip-validation --verbose
bad 'sssp and --levels' 0 graph500 --scale 5 --sssp --levels
bad 'delta is for --sssp' 0 graph500 --scale 5 --delta 2
good 0 graph500 --scale 2 --edgefactor 2 --roots 64
good 0 graph500 --scale 8 --seed 5 --roots 2 --skip-validation
good 3 graph500 --scale 9 --roots 2 --delegates 8 --verbose

# ---- real graphs ----------------------------------------------------------------------------------------------------------
for f in "$script_folder"/../examples/data/*.txt "$script_folder"/../examples/data/*.mtx "$data"/*.txt "$data"/*.mtx "$data"/*.csv; do
  [ -e "$f" ] || continue
  for n in 0 4; do
    good $n bfs "$f" --check
    good $n bfs "$f" --check --directed --delegates 16
  done
  good 0 info "$f"
done
if [ -e "$data/chesapeake.mtx" ]; then
  # Distances from vertex 1, computed by independent code.
  awk '!/^%/ && !header { header = 1; next }
       !/^%/ { edge[$1 " " $2]; edge[$2 " " $1] }
       END { level[1] = 0
             for (d = 0; d < 39; d++)
               for (e in edge) { split(e, v, " "); if ((v[1] in level) && level[v[1]] == d && !(v[2] in level)) level[v[2]] = d + 1 }
             for (u in level) print u, level[u] }' "$data/chesapeake.mtx" | sort -n >want
  good 4 bfs "$data/chesapeake.mtx" --source 1 --out levels --check
  cut -d' ' -f1,2 levels | sort -n >got
  holds "levels of chesapeake" cmp -s want got
fi

# ---- formats: written and read back, on one process and several, by all commands --------------------------------------
n=4
good 4 convert rmat:7 simple.mtx --undirected --no-loops
good 0 bfs simple.mtx --source 1 --out want
for ending in txt.gz gr.zst metis g500 g500p grb npz h5 pages; do
  n=$((4 - n)) # 4 and 0 in turn
  run $n convert simple.mtx simple.$ending
  if grep -q 'was built without' err; then echo "skipped: $ending ($(cat err))"; continue; fi
  holds "convert to $ending" is $status 0
  good $((4 - n)) bfs simple.$ending --source "$(case $ending in g500*|grb|npz|h5|pages) echo 0 ;; *) echo 1 ;; esac)" --out got
  holds "levels by simple.$ending" is "$(cut -d' ' -f2 got | sort | uniq -c)" "$(cut -d' ' -f2 want | sort | uniq -c)"
done
for command in bfs pagerank components; do # on disk
  n=$((4 - n))
  good $n $command simple.pages --memory 1K --check
  holds "$command read pages" grep -q '^pages_read_bytes: *[1-9]' out
  holds "$command says that vectors took more" grep -q '^memory_note: .* vectors' out
done
edges=$(grep -v '^%' simple.mtx | sed -n '1s/.* //p')
for pages in simple.pages "simple.pages --memory 1K"; do # read to memory, and not
  good 0 info $pages
  holds "info counts what $pages has" is "$(value tuples) $(value loops) $(value edges) $(value duplicates)" "$((2 * edges)) 0 $edges "
done
good 4 convert names.txt names.pages --by-degree
good 0 bfs names.txt --directed --out want
for n in 0 4; do # vertices in another order, by the same names
  good $n bfs names.pages --directed --memory 1K --source "$(awk '$2 == 0 {print $1}' want)" --out got
  holds "levels by names.pages" is "$(cut -d' ' -f1,2 got | sort)" "$(cut -d' ' -f1,2 want | sort)"
done
good 0 convert simple.mtx degree.pages --by-degree
good 4 bfs degree.pages --memory 1K --balance entries --source 1 --check
run 0 convert simple.mtx simple.g500 --by-degree
holds "another format by degree" grep -q 'by-degree is for files of pages' err
printf '1 2 3\n1 2 4\n2 1 5\n' >twice.txt
for op in min=3 max=5 plus=12 times=60; do
  good 4 convert twice.txt twice.pages --undirected --duplicates ${op%=*}
  holds "duplicates by ${op%=*}" is "$(value duplicates) $(value storage_in_file)" "4 symmetric"
  good 0 convert twice.pages twice.mtx
  holds "the weight by ${op%=*}" is "$(tail -n 1 twice.mtx)" "2 1 ${op#*=}"
done
printf '%%%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 5\n' >skew.mtx
good 4 convert skew.mtx skew.pages
bad 'skew.pages: the weights of a skew-symmetric matrix change sign' 0 sssp skew.pages --source 0
run 0 convert twice.txt twice.mtx --duplicates plus
holds "duplicates in another format" grep -q 'duplicates is for files of pages' err
good 0 triangles simple.pages --memory 1K --check
good 4 lcc simple.pages --memory 1K --check
good 4 sssp simple.pages --source 1 --weights hash --memory 1K --check
bad 'memory 99999999999T: a size as' 0 bfs simple.pages --memory 99999999999T
run 0 bfs simple.pages --memory 4X
holds "no size" grep -q 'memory 4X: a size as 500M or 4G' err
printf '%%%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n2 1 5\n3 1 4\n' >skew.mtx
good 0 convert skew.mtx skew.pages --pattern
good 4 bfs skew.pages --source 0 --directed --check
holds "both ways of a skew-symmetric pattern" grep -q '^reached: *3$' out
good 0 convert names.txt again.txt
holds "an edge list with its names" is "$(sort again.txt)" "$(grep -v '#' names.txt | tr ',\t' '  ' | sort)"
bad 'names.graph: METIS has no loops' 0 convert names.txt names.graph --undirected
bad 'directed.g500: the format has no weights' 0 convert directed.mtx directed.g500
good 4 convert directed.mtx directed.g500 --pattern
good 4 convert oblong.mtx oblong.grb
bad 'oblong.grb: the matrix is 3 x 4' 0 info oblong.grb
head -c 200 simple.grb >cut.grb
bad 'cut.grb: ' 4 info cut.grb
bad 'none/x.mtx: cannot write' 4 convert square.mtx none/x.mtx

# ---- order: the same graph in other numbers, which the file of numbers maps back ---------------------------------------
good 0 bfs simple.mtx --source 1 --out want
n=4
declare -A cut_by
for method in metis rcm degree random; do
  n=$((4 - n))
  run $n order simple.mtx ordered.mtx --method $method --parts 4
  if grep -q 'was built without METIS (Debian: libmetis-dev)' err; then echo "skipped: $method ($(cat err))"; continue; fi
  holds "order by $method" is $status 0
  holds "... reports its method" is "$(value order) $(value parts)" "$method 4"
  # Matrix Market's numbers begin at 1.
  good $((4 - n)) bfs ordered.mtx --source $(($(awk '$1 == 1 {print $2}' ordered.mtx.numbers) + 1)) --out got
  holds "levels in order $method" cmp -s <(awk 'NR == FNR {name[$2 + 1] = $1; next} {print name[$1], $2}' ordered.mtx.numbers got | sort) \
    <(cut -d' ' -f1,2 want | sort)
  good $n order web:14 cut.txt --method $method --parts 8 --numbers cut.numbers
  cut_by[$method]=$(value entries_cut)
done
for n in 0 3 4; do # within a run: the names stay, and checks agree
  good $n bfs names.txt --directed --source 1000000000000 --order degree --out got --check
  holds "levels in an order" is "$(cut -d' ' -f1,2 got | sort)" "$(printf '1000000000000 0\n42 2\n7 1\n99999 3')"
  good $n sssp directed.mtx --directed --source 1 --order random --out got --check
  holds "distances in an order" is "$(cut -d' ' -f1,2 got | sort)" "$(printf '1 0\n2 0.5\n3 2')"
  run $n pagerank web:10 --directed --order metis --check
  grep -q 'was built without METIS' err || holds "ranks in an order ($n)" is "$status $(value order)" "0 metis"
done
bad 'not for page files' 0 bfs simple.pages --order degree
bad 'of ratings: it is no graph' 0 factors oblong.mtx --order degree
bad "checkpoint and --order exclude each other" 0 pagerank square.mtx --order degree --checkpoint folder
holds "METIS cuts few edges" test "${cut_by[metis]:-0}" -lt $((cut_by[random] / 5))
awk 'BEGIN { for (i = 1; i <= 2000; i++) print 0, i }' >star.txt # its centre is work for 39 of the parts
run 0 order star.txt - --parts 1000
holds "METIS writes nothing into the graph" is "$(grep -v '^#' out | grep -c '[a-z]')" 0
bad "drawn ones depend on vertices' numbers" 0 sssp path:4 --order degree
good 0 bfs names.txt --directed --out want
source=$(awk '$2 == 0 {print $1}' want)
for n in 0 4; do # a page file stores the names, an edge list has the numbers
  good $n order names.txt ordered.pages --method random --seed $n --numbers numbers
  good $n bfs ordered.pages --directed --source "$source" --out got
  holds "levels by ordered.pages" is "$(cut -d' ' -f1,2 got | sort)" "$(cut -d' ' -f1,2 want | sort)"
  good $n order names.txt - --method degree
  holds "an ordered edge list" is "$(grep -v '^#' out | tr ' ' '\n' | sort -u | tr '\n' ' ')" '0 1 2 3 4 '
done
good 0 order skew.mtx ordered.mtx --method random --seed 3
holds "signs of a skew-symmetric matrix" is \
  "$(awk 'NR == FNR {name[$2 + 1] = $1; next}
    FNR > 2 {a = name[$1]; b = name[$2]; print (a > b ? a " " b " " $3 : b " " a " " -$3)}' ordered.mtx.numbers ordered.mtx | sort)" "$(printf '2 1 5\n3 1 4')"
bad 'not square' 4 order oblong.mtx a.mtx
bad 'no vertices' 0 order zero.mtx a.mtx
bad 'metis, rcm, degree or random' 0 order square.mtx a.mtx --method best
bad 'a number from 1 to' 0 order square.mtx a.mtx --parts 0
bad "OUT and --numbers cannot both go to a.mtx" 0 order square.mtx a.mtx --numbers a.mtx
bad "--numbers and --json cannot both go to a.json" 0 order square.mtx a.mtx --numbers a.json --json a.json
bad "the numbers and --json cannot both go to a.mtx.numbers" 0 order square.mtx a.mtx --json a.mtx.numbers
bad "none/x: cannot write" 4 order square.mtx a.mtx --method degree --numbers none/x
holds "a failed order leaves no graph" test ! -e a.mtx

# - is standard output: no file has that name, and the report goes to standard error.
for n in 0 4; do
  good $n convert square.mtx - --to matrix-market
  holds "a matrix on standard output ($n)" is "$(sed 1,2d out | sort | tr '\n' ';')" "$(sed 1,3d square.mtx | sort | tr '\n' ';')"
  holds "its report on standard error ($n)" grep -q '^tuples: *5$' err
  good $n convert rmat:12 -
  cp out streamed
  good $n convert rmat:12 filed.txt
  holds "the same edges as in a file ($n)" cmp -s streamed filed.txt
  bad 'standard output takes text' $n convert square.mtx - --to npz
  bad 'standard output takes text' $n convert square.mtx - --to pages
  mkfifo pipe
  cat pipe >piped & reader=$!
  good $n convert directed.mtx pipe
  wait $reader && rm pipe
  holds "edges in a pipe ($n)" is "$(grep -v '^#' piped | sort | head -n 1)" '1 2 0.5'
done
good 0 bfs square.mtx --source 1 --out report --json -
holds "JSON on standard output" grep -q '"reached": 5' out
bad 'OUT and --json cannot both go to -' 0 convert square.mtx - --json -
holds "no file is called -" test ! -e ./-

echo "program.sh: $passed passed, $failed failed"
[ $failed -eq 0 ]
