#!/bin/bash
# GRIDBLAS_CHECK=calls: when processes make different calls, all of them return an error that names both calls; a correct program is unaffected.
# GRIDBLAS_CHECK=messages: the program ends when the library's messages differ.
# tests/mismatched_calls.sh MISMATCHED_CALLS PROGRAM (see program_run.sh).
set -u
target=mismatched_calls
. "$(dirname "$0")/program_run.sh"
whole=$(realpath "$2")
export GRIDBLAS_CHECK=calls
export LIMIT=60

# the number of processes whose error names both calls
errors() { grep -c "^process [0-9]* gets: process 0 calls $1, process 1 $2: every process must make every call" err; }

for p in 2 4; do
  good $p alone
  holds "all $p report GrB_Vector_nvals and GrB_finalize" is "$(errors GrB_Vector_nvals GrB_finalize)" $((p + 1)) # process 0 tried twice
  holds "one of those that finalize prints it" is "$(grep -c '^gridblas: process 0 calls GrB_Vector_nvals' err)" 1
  good $p element
  holds "all $p report GrB_Vector_setElement and GrB_finalize" is "$(errors GrB_Vector_setElement GrB_finalize)" $((p + 1))
  run $p exit # MPI then ends the other processes
  # with more processes, MPI may end the first of those that exit before it prints
  [ $p -gt 2 ] || holds "the process that exits prints it" grep -q '^gridblas: process 0 calls GrB_Vector_nvals, process 1 exit, without GrB_finalize: ' err
  holds "it did not hang" test $status -ne 124
  run $p leave
  holds "exiting on all processes is no error" is "$(grep -c '^gridblas: ' err)" 0
  GRIDBLAS_CHECK=calls:1 good $p late
  holds "one line for the late process" is "$(grep -c '^gridblas: process 0 has waited .* s in GrB_Vector_nvals for process 1, still in GrB_Vector_setElement' err)" 1
  holds "and no other" is "$(grep -c '^gridblas: ' err)" 1
done

for p in 2 4; do
  GRIDBLAS_CHECK=messages run $p sizes
  holds "differing messages are reported" grep -qE '^gridblas: GRIDBLAS_CHECK=messages: process [0-9], set 2, message [0-9]+: allreduce \(([12]), 0\) on this process, but rank [0-9] of the set has message [0-9]+, allreduce \([12], 0\)$' err
  holds "and no process continues" is "$status$(grep -c '^process . gets' err)" 10
done

# A correct program has the same result, and prints nothing more.
program=$whole
for p in 2 4; do
  good $p pagerank rmat:9 --out with
  holds "nothing is printed" is "$(grep -c '^gridblas: ' err)" 0
  GRIDBLAS_CHECK='' good $p pagerank rmat:9 --out without
  GRIDBLAS_CHECK=messages good $p pagerank rmat:9 --out without
  holds "the result is the same" cmp -s with without
done
for value in loud calls: calls:0 calls:1x calls:nan; do
  GRIDBLAS_CHECK=$value bad "GRIDBLAS_CHECK is \"$value\", not calls, calls:SECONDS or messages" 2 bfs path:10
done

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
