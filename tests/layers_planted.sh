#!/bin/sh
# Tests tests/layers.sh: small trees with the modules' names, each with one planted error, and one without.
# Usage: layers_planted.sh LAYERS_SH C_COMPILER
set -eu
layers=$1 cc=$2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# plant FILE TEXT: writes a file of the tree; a .c file is also compiled.
plant() {
  mkdir -p "$tmp/tree/$(dirname "$1")"
  printf '%s\n' "$2" >"$tmp/tree/$1"
  case $1 in
    *.c)
      mkdir -p "$tmp/gridblas.dir/$(dirname "$1")"
      "$cc" -w -I"$tmp/tree" -I"$tmp/tree/include" -c "$tmp/tree/$1" -o "$tmp/gridblas.dir/$1.o"
      echo "$tmp/gridblas.dir/$1.o" >>"$tmp/objects"
      ;;
  esac
}

# A correct tree.
begin() {
  rm -rf "$tmp/tree" "$tmp/gridblas.dir" "$tmp/objects"
  plant include/gridblas.h 'int GrB_call(void);'
  plant spmat/matrix/local_matrix.h 'int grid_local_matrix(void);'
  plant spmat/matrix/local_matrix.c '#include "spmat/matrix/local_matrix.h"
    int grid_local_matrix(void) { return 1; }'
  plant dist/grid/process_grid.h 'int grid_agree(void);'
  plant dist/grid/process_grid.c '#include "dist/grid/process_grid.h"
    int grid_agree(void) { return 2; }'
  plant dist/product/mxv/mxv.c '#include "dist/grid/process_grid.h"
    #include "spmat/matrix/local_matrix.h"
    int grid_hidden(void) { return 3; }
    int GrB_call(void) { return grid_agree() + grid_local_matrix(); }'
  plant algos/bfs.c '#include "gridblas.h"
    int GrB_bfs(void) { return GrB_call(); }'
}

# expect STATUS TEXT: the exit status and a line of layers.sh for the tree.
expect() {
  code=0
  "$layers" "$tmp/tree" "$tmp/objects" >"$tmp/out" || code=$?
  [ "$code" -eq "$1" ] && grep -q "$2" "$tmp/out" && { echo "reported: $2"; return; }
  echo "expected status $1 and \"$2\", got $code and:"
  cat "$tmp/out"
  exit 1
}

begin
expect 0 'layers: clean, 8 dependencies'

begin
plant spmat/matrix/up.c '#include "dist/grid/process_grid.h"'
expect 1 'an upward dependency: spmat/matrix/up.c -> dist/grid/process_grid.h: includes it'

begin
plant dist/grid/up.c 'int grid_hidden(void);
  int grid_up(void) { return grid_hidden(); }'
expect 1 'an upward dependency: dist/grid/up.c -> dist/product/mxv/mxv.c: uses grid_hidden'

begin
plant dist/matrix/matrix.h '#include "dist/grid/process_grid.h"'
plant dist/grid/up.c '#include "dist/matrix/matrix.h"'
expect 1 'a cycle of modules: dist/grid dist/matrix'

begin
plant algos/deep.c 'int grid_hidden(void);
  int GrB_deep(void) { return grid_hidden(); }'
expect 1 'not public: algos/deep.c -> dist/product/mxv/mxv.c: uses grid_hidden'

begin
plant dist/corner/new.c '#include "dist/grid/process_grid.h"'
expect 1 'no module of the table: dist/corner'

begin
plant spmat/matrix/one.c 'int grid_two(void);
  int grid_one(void) { return grid_two(); }'
plant spmat/matrix/two.c 'int grid_three(void);
  int grid_two(void) { return grid_three(); }'
plant spmat/matrix/three.c 'int grid_one(void);
  int grid_three(void) { return grid_one(); }'
expect 1 'spmat/matrix/three.c -> spmat/matrix/one.c: grid_one'
