#!/bin/sh
# Runs pytest on a number of processes; all but the first write to a file each, which is printed after a failure.
# Usage: run.sh PACKAGE_PATH PROCESSES PYTHON [pytest's arguments]. Exit status 77: numpy or pytest is missing.
set -u
tests=$(cd "$(dirname "$0")" && pwd)
package=$1 processes=$2 python=$3
shift 3
export PYTHONPATH="$package" PYTHONDONTWRITEBYTECODE=1
"$python" -c 'import numpy, pytest' || { echo "skipped: Python lacks numpy or pytest (Debian: python3-numpy python3-pytest)"; exit 77; }
cd "$tests" || exit 2
[ "$processes" -gt 0 ] || exec "$python" -m pytest -q -x -p no:cacheprovider "$@"
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
# shellcheck disable=SC2016 # the processes' shells expand it
${MPIEXEC:-mpirun} -n "$processes" sh -c '
  logs=$1; shift
  [ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}" -eq 0 ] || exec >"$logs/${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" 2>&1
  exec "$@"' sh "$logs" "$python" -m pytest -q -x -p no:cacheprovider "$@"
status=$?
[ $status -eq 0 ] || tail -n 40 "$logs"/*
exit $status
