#!/bin/bash
# Runs every command of docs/tutorial.md: tutorial.sh SOURCE_DIR FOLDER   (FOLDER: where the program is)
# MPI's settings are those of build/env.sh, which the page sources.
set -eu
source=$(realpath "$1")
folder=$(realpath "$2") modules=$(realpath "$2")/python
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
for name in $(compgen -e OMPI_) OMP_NUM_THREADS; do unset "$name"; done
mkdir build
"$source/cmake/env.sh" "$folder" >build/env.sh
# shellcheck source=/dev/null
. build/env.sh
ln -s "$source/examples" examples
# shellcheck disable=SC2016
awk '/^```sh$/ {inside = 1; next} /^```$/ {inside = 0} inside' "$source/docs/tutorial.md" >commands
[ "$(wc -l <commands)" -ge 15 ] || { echo "docs/tutorial.md has lost its commands"; exit 1; }
while read -r command; do
  echo "\$ $command"
  bash -c "$command" </dev/null >out 2>&1 || { cat out; echo "FAILED: $command"; exit 1; }
  [ -s out ] || case $command in *">"*) ;; *) echo "FAILED: prints nothing: $command"; exit 1 ;; esac
done <commands
awk '/^```python$/ {inside = 1; next} /^```$/ {inside = 0} inside' "$source/docs/tutorial.md" >search.py
for python in python3 /usr/bin/python3 ""; do
  [ -n "$python" ] && PYTHONPATH=$modules "$python" -c 'import gridblas, scipy.sparse' 2>/dev/null && break
done
if [ -n "$python" ]; then
  for processes in 1 4; do
    echo "\$ mpirun -n $processes python3 search.py"
    PYTHONPATH=$modules PYTHONDONTWRITEBYTECODE=1 "${MPIEXEC:-mpirun}" -n $processes "$python" search.py >out
    grep -q "reached, on $processes processes" out || { cat out; exit 1; }
  done
else
  echo "left out: search.py (no package here, or no scipy)"
fi
grep -q '"traceEvents"' trace.json
grep -q 'GrB_vxm' burble.txt
[ "$(wc -l <rank.txt)" -eq 1589 ]
