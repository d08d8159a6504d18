#!/bin/sh
# One twin run of gridblas, compared with the reference's output.
# Usage: run.sh PROCESSES TWIN COMPARE REFERENCE OUTPUT FIRST_SEED SEEDS STEPS   (PROCESSES 0: without mpirun)
processes=$1 twin=$2 compare=$3 reference=$4 output=$5
shift 5
if [ "$processes" -gt 0 ]; then
  "${MPIEXEC:-mpirun}" -n "$processes" "$twin" "$output" "$@"
else
  "$twin" "$output" "$@"
fi
status=$?
[ $status -ne 77 ] || exit 77 # there is no GPU
"$compare" "$reference" "$output" && [ $status -eq 0 ]
