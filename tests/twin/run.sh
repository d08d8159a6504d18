#!/bin/bash
# Runs a gridblas twin and compares it with the reference output. If programs differ, the first is minimized and printed.
# Usage: run.sh PROCESSES TWIN COMPARE REFERENCE OUTPUT FIRST_SEED SEEDS STEPS|programs   (PROCESSES 0: without mpirun)
# TWIN_WITNESS: the program that wrote the reference.
processes=$1 twin=$2 compare=$3 reference=$4 output=$5
shift 5
if [ "$processes" -gt 0 ]; then
  "${MPIEXEC:-mpirun}" -n "$processes" "$twin" "$output" "$@"
else
  "$twin" "$output" "$@"
fi
status=$?
[ $status -ne 77 ] || exit 77 # there is no GPU
differences=$("$compare" "$reference" "$output" part)
compared=$?
echo "$differences"
[ $compared -ne 0 ] || [ $status -ne 0 ] || exit 0
if [ "$3" = programs ] && [ -n "${TWIN_WITNESS:-}" ]; then
  seed=$(echo "$differences" | sed -n 's/^== program //p' | head -n 1)
  [ -n "$seed" ] || seed=$(sed -n 's/^== program //p' "$output" | tail -n 1) # it ended there
  timeout 300 "$(dirname "$0")/shrink.sh" "$processes" "$twin" "$compare" "$TWIN_WITNESS" "$seed"
fi
exit 1
