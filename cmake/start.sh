#!/bin/sh
# From a fresh Debian machine to a checked result: installs missing packages, builds the library and the program, and searches a generated and a
# real graph on 4 processes. The output of the steps is in build/start.log, whose end is printed when one fails.
# Usage: start.sh [--cuda] [--verbose] [--json]
#   --cuda     compile the GPU code even if no GPU is found
#   --verbose  print the searches' output
#   --json     print the results of the generated graph's searches as JSON; all else goes to standard error
set -eu
cd "$(dirname "$0")/.."
usage() { sed -n '/^# Usage/,/^set/s/^# //p' "$0" >&2; exit "$1"; }
cuda=OFF verbose='' json=''
if [ -e /dev/nvidia0 ] || nvidia-smi -L >/dev/null 2>&1; then cuda=AUTO; fi
for option; do
  case $option in
    --cuda) cuda=AUTO ;; --verbose) verbose=1 ;; --json) json=1 ;; --help) usage 0 ;;
    *) echo "start.sh: no such option: $option" >&2; usage 2 ;;
  esac
done
exec 3>&1
[ -z "$json" ] || exec 3>&2
mkdir -p build
log=build/start.log
: >"$log"

say() { echo "$*" >&3; }
# On a terminal, each second: how far the builder is, the last "[done/all]" of the log.
show_progress() {
  while sleep 1 && kill -0 $$ 2>/dev/null; do
    printf '\r%-10s%s ... %s ' "$name" "$text" "$(sed -n 's/^\(\[[ 0-9%/]*\]\).*/\1/p' "$log" | tail -n 1)" >&3
  done
}
# step NAME TEXT COMMAND...: runs it with output to the log, and prints its time; it must succeed.
step() {
  name=$1 text=$2 began=$(date +%s) status=0 shown=''
  shift 2
  printf '%-10s%s ... ' "$name" "$text" >&3
  if [ "$name" = build ] && [ -t 3 ]; then
    show_progress &
    shown=$!
  fi
  "$@" >>"$log" 2>&1 </dev/null || status=$?
  if [ -n "$shown" ]; then
    kill "$shown"
    wait "$shown" 2>/dev/null || true
    printf '\r\033[K%-10s%s ... ' "$name" "$text" >&3
  fi
  if [ $status -eq 0 ]; then
    say "$(($(date +%s) - began)) s"
  else
    say failed
    tail -n 20 "$log" >&3
    say "start.sh: $name failed; all of its output: $PWD/$log"
    exit 1
  fi
}

# ---- install: if that fails, the missing packages are named and the build continues without them ----
install_packages() { cmake/packages.sh build || touch build/start.refused; }
has_header() { # HEADER [COMPILER]   (from a file: Open MPI's mpicc has no folders for standard input)
  echo "#include <$1>" >build/start.c
  "${2:-gcc}" -c build/start.c -o build/start.o
}
need() { # PACKAGE COMMAND...: it is installed if the command succeeds
  package=$1
  shift
  "$@" >/dev/null 2>&1 || lacking="$lacking $package"
}
missing=$(cmake/packages.sh build --list)
rm -f build/start.refused
if [ -n "$missing" ]; then
  step install "$missing" install_packages
  if [ -e build/start.refused ]; then
    say "          not installed ($(tail -n 1 "$log")); going on without"
    rm -f build/start.refused
  fi
else
  say "install   nothing is missing"
fi
# The required ones.
lacking=''
need gcc command -v gcc
need libc6-dev has_header stdio.h
need cmake command -v cmake
generator=Ninja
if ! command -v ninja >/dev/null; then
  generator="Unix Makefiles"
  need ninja-build command -v make
fi
need libopenmpi-dev has_header mpi.h mpicc
need openmpi-bin command -v mpirun
need zlib1g-dev has_header zlib.h
need libjansson-dev has_header jansson.h
rm -f build/start.c build/start.o
if [ -n "$lacking" ]; then
  say "start.sh: cannot build without these Debian packages:$lacking"
  say "          as root: apt-get update && apt-get install --no-install-recommends$lacking"
  exit 1
fi

# ---- configure: a configured folder is left unchanged ----
configured() { # the value of a cache entry
  sed -n "s/^$1:[A-Z]*=//p" build/release/CMakeCache.txt 2>/dev/null
}
if [ -e build/release/build.ninja ] || [ -e build/release/Makefile ]; then
  if [ $cuda = AUTO ] && [ "$(configured GRIDBLAS_CUDA)" = OFF ]; then
    step configure "with the GPU code" cmake -DGRIDBLAS_CUDA=AUTO build/release
  else
    say "configure build/release is configured"
  fi
else
  set -- --preset release -G "$generator" -DGRIDBLAS_CUDA=$cuda -DGRIDBLAS_FORTRAN=OFF
  if command -v ccache >/dev/null; then set -- "$@" -DCMAKE_C_COMPILER_LAUNCHER=ccache; fi
  step configure "build/release" cmake "$@"
fi

# ---- build: the targets of `cmake --install` ----
targets="gridblas_program manual"
[ "$(configured GRIDBLAS_SHARED)" = OFF ] || targets="$targets gridblas_shared gridblas_prefixed_shared"
# shellcheck disable=SC2086
step build "the library and the program" cmake --build build/release -j "$(nproc)" --target $targets

cmake/env.sh build/release >build/env.sh
# shellcheck source=/dev/null
. build/env.sh

# ---- run ----
mkdir -p build/start
run() { # NAME COMMAND...: its output into build/start/NAME, too
  out=build/start/$1
  shift
  "$@" >"$out" || { cat "$out"; return 1; }
  cat "$out"
}
step run "Graph500, scale 16, 4 processes" \
  run graph500 mpirun -n 4 gridblas graph500 --scale 16 --roots 8 --check --json build/start/graph500.json
step run "examples/data/ca-GrQc.txt, 4 processes" run bfs mpirun -n 4 gridblas bfs examples/data/ca-GrQc.txt --source 2525 --check
[ -z "$verbose" ] || cat build/start/graph500 build/start/bfs >&3
[ -z "$json" ] || cat build/start/graph500.json

value() { sed -n "s/^$2: *//p" "build/start/$1"; } # FILE KEY
scale=$(value graph500 SCALE) edges=$(value graph500 edgefactor)
compared=", levels equal SuiteSparse:GraphBLAS's"
[ "$(configured SUITESPARSE_LIBRARY)" != SUITESPARSE_LIBRARY-NOTFOUND ] || compared=" (SuiteSparse:GraphBLAS, libgraphblas-dev, is not there to compare with)"
cat >&3 <<E_END

Generated graph: $((1 << scale)) vertices, $((edges << scale)) edges, searched from $(value graph500 NBFS) of them: $(value graph500 harmonic_mean_TEPS | awk '{ printf "%.0f", $1 / 1e6 }') million edges a second.
Who wrote papers with whom: $(value bfs vertices) authors, $(value bfs edges) pairs; author 2525 reaches $(value bfs reached) in $(value bfs levels) levels.
Checked: all trees hold Graph500's five rules$compared.

Next:
  . build/env.sh                 # the shell finds gridblas; Open MPI's settings
  gridblas bfs examples/data/ca-GrQc.txt --source 2525 --verbose
  mpirun -n 4 gridblas pagerank examples/data/netscience.mtx
  gridblas --help                # docs/tutorials/command_line.md continues from here
E_END
