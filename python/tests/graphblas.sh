#!/bin/sh
# python-graphblas's own tests over gridblas, on a number of processes (0: one, without mpirun). Those that graphblas_known.txt lists must fail, all
# others must pass.
# Usage: graphblas.sh PACKAGE_PATH PROCESSES PYTHON [pytest's arguments]. An argument test_NAME.py is one of python-graphblas's files of tests; without
# one all of them run. Exit status 77: python-graphblas is missing.
set -u
tests=$(cd "$(dirname "$0")" && pwd)
package=$1 processes=$2 python=$3
shift 3
suite=$("$python" -c 'import graphblas, os, pytest; print(os.path.join(graphblas.__path__[0], "tests"))') ||
  { echo "skipped: no python-graphblas, or no pytest (pip: python-graphblas pytest)"; exit 77; }
files=
for argument; do
  shift
  case $argument in
    test_*.py) files=1; set -- "$@" "$suite/$argument" ;;
    *) set -- "$@" "$argument" ;;
  esac
done
[ -n "$files" ] || set -- "$@" "$suite"
export PYTHONHASHSEED=0
if [ "$processes" -gt 0 ]; then
  "$tests/run.sh" "$package:$tests" "$processes" "$python" -p graphblas_plugin "$@"
else
  export PYTHONPATH="$package:$tests" PYTHONDONTWRITEBYTECODE=1
  cd / && "$python" -m pytest -q -p no:cacheprovider -p graphblas_plugin --known "$tests/graphblas_known.txt" "$@"
fi
