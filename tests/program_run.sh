#!/bin/bash
# Functions of the tests of the program; sourced, with the program as $1. mpirun comes from MPIEXEC (default mpirun), graphs from the
# repository's examples/data and, if it exists, GRIDBLAS_DATA (default: ../shared/data next to the repository). Tests run in a temporary folder.
set -u
. "$(dirname "$0")/built.sh"
built "${target:-gridblas_program}" "${1:?usage: $0 PROGRAM}"
program=$(realpath "$1")
mpirun=${MPIEXEC:-mpirun}
script_folder=$(realpath "$(dirname "$0")")
data=${GRIDBLAS_DATA:-$(realpath -m "$script_folder/../../shared/data")}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_pml=ob1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none OMPI_MCA_smsc=^cma # Open MPI 5
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1} ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0
failed=0

say_failed() {
  failed=$((failed + 1))
  echo "FAILED: $*"
  sed 's/^/    /' err | head -n 12
}

# run PROCESSES ARGUMENT...: PROCESSES 0: without mpirun. Writes out, err and status. A timeout is status 124.
run() {
  local n=$1
  shift
  if [ "$n" -eq 0 ]; then
    timeout -k 5 "${LIMIT:-60}" "$program" "$@" >out 2>err </dev/null
  else
    timeout -k 5 "${LIMIT:-120}" "$mpirun" -n "$n" "$program" "$@" >out 2>err </dev/null
  fi
  status=$?
}

# good PROCESSES ARGUMENT...: exit status 0.
good() {
  run "$@"
  if [ $status -eq 0 ]; then passed=$((passed + 1)); else say_failed "status $status from $*"; fi
}

# bad PATTERN PROCESSES ARGUMENT...: exit status 2, nothing on standard output, and one error line that matches.
bad() {
  local pattern=$1
  shift
  run "$@"
  if [ $status -eq 2 ] && [ ! -s out ] && [ "$(grep -c '^gridblas: ' err)" -eq 1 ] && grep -Eq "^gridblas: .*$pattern" err; then
    passed=$((passed + 1))
  else
    say_failed "status $status (2 expected, with '$pattern') from $*"
  fi
}

# holds DESCRIPTION COMMAND...: the command succeeds.
holds() {
  local what=$1
  shift
  if "$@"; then passed=$((passed + 1)); else say_failed "$what"; fi
}

value() { sed -n "s/^$1: *//p" out; }
is() { [ "$1" = "$2" ] || { echo "    $1 is not $2" >&2; return 1; }; }
