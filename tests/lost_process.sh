#!/bin/bash
# A process that is stopped ends the job with a message that names it; one that continues in time does not, nor a job that was stopped as a
# whole: tests/lost_process.sh PROGRAM (see program_run.sh). Sleeps are as long as the time-outs that they test.
set -u
. "$(dirname "$0")/program_run.sh"

long="pagerank rmat:9 --tolerance 0 --iterations 1000000000"
short="pagerank rmat:9 --tolerance 0 --iterations 3000"

# begin NAME TIMEOUT ARGUMENTS...: in the background, on 4 processes; waits until all have begun to compute.
begin() {
  local name=$1 timeout=$2
  shift 2
  GRIDBLAS_TIMEOUT=$timeout $mpirun -n 4 $program "$@" --json "$work/$name.json" >out 2>err </dev/null &
  job=$!
  for _ in $(seq 600); do
    [ "$(pgrep -f -- "$program.*$name.json" | wc -l)" -ge 5 ] && break # and mpirun
    sleep 0.1
  done
  sleep 1
  # mpirun has the arguments, too
  pids=$(pgrep -f -- "^$program .*$name.json")
  one=$(echo "$pids" | sed -n 3p)
}
ended() { ! kill -0 "$job" 2>/dev/null; }
# within SECONDS COMMAND...
within() {
  local left=$(($1 * 10))
  shift
  while [ $left -gt 0 ]; do
    "$@" && return 0
    left=$((left - 1))
    sleep 0.1
  done
  return 1
}

begin stopped 2 $long
kill -STOP "$one"
holds "a stopped process ends the job" within 60 ended
wait "$job"
holds "... with an error" test $? -ne 0
holds "... that names the process" grep -q "^gridblas: process [0-3] (pid $one on $(hostname)) has not run for 2 s" err
holds "... once" test "$(grep -c 'has not run for' err)" -eq 1
holds "... and none is left" within 20 eval "! pgrep -f -- '$program.*stopped.json' >/dev/null"

begin continued 60 $short
kill -STOP "$one"
sleep 1
kill -CONT "$one"
holds "a process that continues in time does not" wait "$job"

begin together 1 $short
kill -STOP $pids
sleep 3
kill -CONT $pids
holds "nor does a job that was stopped as a whole" wait "$job"

begin never 0 $long
kill -STOP "$one"
sleep 3
holds "with 0 processes wait for ever" kill -0 "$job"
kill -9 $pids
wait "$job" 2>/dev/null

for value in ten -1 3x 99999999999; do
  GRIDBLAS_TIMEOUT=$value run 2 info rmat:4
  holds "$value is refused" test $status -eq 2
  holds "... with a reason" grep -q "^gridblas: Grid_init: GRIDBLAS_TIMEOUT is no number of seconds" err
done

echo "lost_process.sh: $passed passed, $failed failed"
[ $failed -eq 0 ]
