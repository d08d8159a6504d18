#!/bin/bash
# bench/cluster.sh: a search on three hosts is correct, a failure is passed on, a host that is cut off ends the others' processes, and nothing remains
# of the hosts. Usage: cluster.sh CLUSTER GRIDBLAS
set -u
cluster=$1 gridblas=$2
before=$(ip -o link 2>&1; ip netns 2>&1)
out=$("$cluster" 3 100mbit "$gridblas" graph500 --scale 10 --roots 4 2>&1)
rc=$?
[ $rc -ne 77 ] || { echo "$out"; exit 77; }
[ $rc -eq 0 ] && echo "$out" | grep -q '^median_TEPS:' || { echo "$out"; echo "a search on three hosts: exit status $rc"; exit 1; }
! "$cluster" 2 100mbit false >/dev/null 2>&1 || { echo "a command's failure was lost"; exit 1; }

# The launcher is not awaited: it waits for its daemon on the host that was cut off.
err=$(mktemp)
GRIDBLAS_TIMEOUT=3 "$cluster" --per-host 2 3 100mbit "$gridblas" pagerank rmat:9 --tolerance 0 --iterations 1000000000 >/dev/null 2>"$err" &
job=$!
watching() { for k in 0 1 2; do for p in $(ip netns pids "gb$job-$k" 2>/dev/null); do cat "/proc/$p/task/"*/comm 2>/dev/null; done; done | grep -c '^grid-heartbeat$'; }
# within SECONDS NUMBER: so many processes watch each other.
within() { for _ in $(seq $((10 * $1))); do [ "$(watching)" -ne "$2" ] || return 0; sleep 0.1; done; return 1; }
within 60 6 && sleep 1 && ip link set "gb$job.1" down && within 30 0 || { cat "$err"; echo "a host was cut off, and processes run on"; exit 1; }
grep -q "^gridblas: process [23] (pid [0-9]* on gb$job-1, rank [0-9]* of MPI_COMM_WORLD) has not been heard from for 3 s" "$err" || { cat "$err"; echo "the host that was cut off is not named"; exit 1; }
for k in 0 1 2; do ip netns pids "gb$job-$k"; done | xargs -r kill -9
wait "$job"
rm -f "$err"
after=$(ip -o link 2>&1; ip netns 2>&1)
[ "$before" = "$after" ] || { echo "left behind:"; diff <(echo "$before") <(echo "$after"); exit 1; }
echo "clean"
