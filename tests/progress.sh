#!/bin/bash
# The program's output while it runs, and the files that it leaves when it is stopped: tests/progress.sh PROGRAM (see program_run.sh).
set -u
. "$(dirname "$0")/program_run.sh"

# ---- progress -----------------------------------------------------------------------------------------------------------
for n in 0 3; do
  good $n graph500 --scale 8 --roots 4 --progress 0
  holds "searches in percent ($n)" is "$(grep -o '^search .*%' err | tr '\n' ';')" 'search 1 of 4, 0 %;search 2 of 4, 25 %;search 3 of 4, 50 %;search 4 of 4, 75 %;'
  holds "what comes before them ($n)" is "$(grep -o '^reading rmat:8\|^building the matrix' err | uniq | tr '\n' ';')" 'reading rmat:8;building the matrix;'
  good $n betweenness mesh:4x5 --samples 2 --progress 0
  holds "one run is not counted ($n)" is "$(grep -c '^betweenness, 0 s$' err) $(grep -c 'run 1 of 1' err)" '1 0'
  good $n betweenness mesh:4x5 --samples 2 --repeat 2 --progress 0
  holds "two are ($n)" grep -q '^betweenness, run 2 of 2, 50 %' err
  good $n bfs mesh:4x5
  holds "no terminal, no progress ($n)" test ! -s err
  good $n bfs mesh:4x5 --progress off
done
bad 'progress some: auto, off or a number of seconds' 0 bfs mesh:4x5 --progress some

# On a terminal, by script(1). The run would take minutes: it is stopped once percentages appear.
printf -v long '%q ' "$program" betweenness path:200000 --samples 64
for start in "" "$mpirun -n 2 "; do
  script -qfec "exec $start$long" typescript >out 2>&1 </dev/null & terminal=$!
  for ((k = 0; k < 600; k++)); do grep -q 'betweenness, [0-9]* %' typescript 2>err && break; sleep 0.05; done
  holds "percents on a terminal (${start:-one process})" grep -q 'betweenness, [0-9]* %, [0-9]* s' typescript
  kill $terminal 2>err
  wait $terminal 2>err
  rm -f typescript
done

# ---- a run that is stopped leaves no incomplete file -------------------------------------------------------------------
# stopped NAME SIGNAL COMMAND...: the command gets the signal once a file whose name begins with NAME exists.
stopped() {
  local name=$1 signal=$2 pid
  shift 2
  mkdir stopped
  env --default-signal=INT "$@" >out 2>err </dev/null & pid=$!
  for ((k = 0; k < 600; k++)); do [ -n "$(ls stopped | grep "^$name\.")" ] && break; sleep 0.05; done
  kill -s $signal $pid
  wait $pid 2>"more"
  status=$?
  holds "$name: it was stopped, with status $status ($*)" test $status -ne 0 -a ! -e stopped/$name
  for ((k = 0; k < 100; k++)); do [ -z "$(ls -A stopped)" ] && break; sleep 0.05; done # mpirun does not wait for all
  holds "$name: nothing is left ($*)" is "$(ls -A stopped)" ''
  rm -r stopped
}
for signal in TERM INT HUP; do
  stopped between $signal "$program" betweenness path:200000 --samples 64 --out stopped/between --json stopped/between.json
done
stopped graph.pages TERM "$program" convert rmat:19 stopped/graph.pages --memory 1M
for signal in TERM INT; do
  stopped graph.pages $signal "$mpirun" -n 2 "$program" convert rmat:19 stopped/graph.pages --memory 1M
done
# A signal that is ignored, as by nohup, ends nothing.
(trap '' HUP; exec "$program" bfs path:30000 --source 0 --out ignored) >out 2>err & pid=$!
for ((k = 0; k < 600; k++)); do [ -n "$(ls | grep '^ignored')" ] && break; sleep 0.05; done
kill -s HUP $pid 2>"more"
wait $pid
holds "an ignored signal ends nothing" is "$? $(wc -l <ignored)" "0 30000"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
