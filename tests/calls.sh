#!/bin/bash
# GRIDBLAS_CHECK=calls: calls that only some processes make end the wait of all with a sentence that names both; what all make is left alone.
# GRIDBLAS_CHECK=messages: so do messages of the library that differ.
# tests/calls.sh CALLS_APART PROGRAM (see program_run.sh).
set -u
. "$(dirname "$0")/program_run.sh"
whole=$(realpath "$2")
export GRIDBLAS_CHECK=calls
export LIMIT=60

# how many processes were told both names
told() { grep -c "^process [0-9]* is told: process 0 calls $1, process 1 $2: every process must make every call" err; }

for p in 2 4; do
  good $p alone
  holds "all $p are told of a count and the end" is "$(told GrB_Vector_nvals GrB_finalize)" $((p + 1)) # process 0 tried twice
  holds "one of those that end says so" is "$(grep -c '^gridblas: process 0 calls GrB_Vector_nvals' err)" 1
  good $p element
  holds "all $p are told of an element and the end" is "$(told GrB_Vector_setElement GrB_finalize)" $((p + 1))
  run $p exit # which MPI answers by ending the others
  # of more, MPI may end the first of those that leave before it speaks
  [ $p -gt 2 ] || holds "who leaves says so" grep -q '^gridblas: process 0 calls GrB_Vector_nvals, process 1 exit, without GrB_finalize: ' err
  holds "it did not hang" test $status -ne 124
  run $p leave
  holds "all leaving at once is no difference" is "$(grep -c '^gridblas: ' err)" 0
  GRIDBLAS_CHECK=calls:1 good $p late
  holds "one line for who is late" is "$(grep -c '^gridblas: process 0 has waited .* s in GrB_Vector_nvals for process 1, still in GrB_Vector_setElement' err)" 1
  holds "and no other" is "$(grep -c '^gridblas: ' err)" 1
done

for p in 2 4; do
  GRIDBLAS_CHECK=messages run $p sizes
  holds "messages that differ are told of" grep -qE '^gridblas: GRIDBLAS_CHECK=messages: process [0-9], set 2, message [0-9]+: allreduce \(([12]), 0\) here, and with number [0-9] of the set number [0-9]+, allreduce \([12], 0\)$' err
  holds "and nobody goes on" is "$status$(grep -c '^process . is told' err)" 10
done

# A whole program does what it did, and says nothing more.
program=$whole
for p in 2 4; do
  good $p pagerank rmat:9 --out with
  holds "nothing is said" is "$(grep -c '^gridblas: ' err)" 0
  GRIDBLAS_CHECK='' good $p pagerank rmat:9 --out without
  GRIDBLAS_CHECK=messages good $p pagerank rmat:9 --out without
  holds "the answer is the same" cmp -s with without
done
for value in loud calls: calls:0 calls:1x calls:nan; do
  GRIDBLAS_CHECK=$value bad "GRIDBLAS_CHECK is \"$value\", not calls, calls:SECONDS or messages" 2 bfs path:10
done

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
