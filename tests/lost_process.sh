#!/bin/bash
# A process that is suspended ends the job with a message that names it; one that continues in time does not, nor a job that was suspended as a
# whole: tests/lost_process.sh PROGRAM [more] (see program_run.sh); more: processes that are not lost. Sleeps are as long as the time-outs that they test.
set -u
. "$(dirname "$0")/program_run.sh"

# begin NAME TIMEOUT: an iteration without end (or $call), in the background, on 4 processes; waits until all watch each other.
begin() {
  # shellcheck disable=SC2086
  GRIDBLAS_TIMEOUT=$2 $mpirun -n 4 "$program" ${call:-pagerank rmat:9 --tolerance 0 --iterations 1000000000} --json "$work/$1.json" >out 2>err </dev/null &
  job=$!
  for _ in $(seq 600); do
    pids=$(pgrep -f -- "^$program .*$1.json")
    [ "$(echo "$pids" | wc -l)" -eq 4 ] && [ "$(watching)" -eq "${3:-4}" ] && break
    sleep 0.1
  done
  sleep 1
  one=$(echo "$pids" | sed -n 3p)
}
watching() { for p in $pids; do cat "/proc/$p/task/"*/comm 2>/dev/null; done | grep -c '^grid-heartbeat$'; }
# The job is over, or ended by this test.
end() {
  kill -9 $pids 2>/dev/null
  wait "$job" 2>/dev/null
}
runs() { sleep 1 && [ "$(ps -o stat= -p "$one" | cut -c1)" != T ] && kill -0 "$job"; }
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

lost() {
  begin suspended 3
  holds "processes watch each other" test "$(watching)" -eq 4
  kill -STOP "$one"
  holds "a suspended process ends the job" within 60 ended
  holds "... with a message that names it" grep -q "^gridblas: process [0-3] (pid $one on $(hostname), rank [0-3] of MPI_COMM_WORLD) has not run for 3 s" err
  holds "... once" test "$(grep -c 'has not run for' err)" -eq 1
  end
  holds "... and none is left" within 20 eval "! pgrep -f -- '$program.*suspended.json' >/dev/null"

  call="closeness mesh:300x300 --grid 2x2" # levels of searches in shared memory
  begin levels 3
  kill -STOP "$one"
  holds "a suspended process ends searches in shared memory" within 60 ended
  end
  unset call

  export GRIDBLAS_TUNE=processes_per_host=1 # four machines
  begin machine 3
  kill -STOP "$one"
  holds "a suspended process ends the job on other machines" within 60 ended
  holds "... with a message that names it" grep -q "^gridblas: process [0-3] (pid $one on $(hostname), rank [0-3] of MPI_COMM_WORLD) has not been heard from for 3 s" err
  holds "... once" test "$(grep -c 'been heard from' err)" -eq 1
  end
  unset GRIDBLAS_TUNE

  for value in ten -1 3x 99999999999; do
    GRIDBLAS_TIMEOUT=$value run 2 info rmat:4
    holds "$value is refused" test $status -eq 2
    holds "... with a reason" grep -q "^gridblas: Grid_init: GRIDBLAS_TIMEOUT is no number of seconds" err
  done
}

not_lost() {
  begin continued 4
  for _ in 1 2 3; do
    kill -STOP "$one"
    sleep 2
    kill -CONT "$one"
    sleep 1
  done
  holds "a process that continues in time does not" runs
  end

  begin together 3
  kill -STOP $pids
  sleep 5
  kill -CONT $pids
  sleep 2
  holds "nor does a job that was suspended as a whole" runs
  end

  export GRIDBLAS_TUNE=processes_per_host=1
  begin machines 3
  kill -STOP $pids
  sleep 5
  kill -CONT $pids
  sleep 5
  holds "... on several machines" runs
  end
  unset GRIDBLAS_TUNE

  begin never 0 0
  holds "with 0 processes do not watch each other" test "$(watching)" -eq 0
  holds "... and run" runs
  end
}

if [ "${2:-}" = more ]; then not_lost; else lost; fi

echo "lost_process.sh: $passed passed, $failed failed"
[ $failed -eq 0 ]
