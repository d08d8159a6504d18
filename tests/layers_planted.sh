#!/bin/sh
# tests/layers.sh is seen to fail: small trees with the rooms' names, each with one planted fault, and one without.
# Usage: layers_planted.sh LAYERS_SH C_COMPILER
set -eu
layers=$1 cc=$2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# plant FILE TEXT: a file of the tree; a .c file is compiled, too.
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

# A sound tree.
begin() {
  rm -rf "$tmp/tree" "$tmp/gridblas.dir" "$tmp/objects"
  plant include/gridblas.h 'int grid_GrB_call(void);'
  plant spmat/matrix/local_matrix.h 'int grid_local_matrix(void);'
  plant spmat/matrix/local_matrix.c '#include "spmat/matrix/local_matrix.h"
    int grid_local_matrix(void) { return 1; }'
  plant dist/grid/process_grid.h 'int grid_agree(void);'
  plant dist/grid/process_grid.c '#include "dist/grid/process_grid.h"
    int grid_agree(void) { return 2; }'
  plant dist/product/mxv/mxv.c '#include "dist/grid/process_grid.h"
    #include "spmat/matrix/local_matrix.h"
    int grid_hidden(void) { return 3; }
    int grid_GrB_call(void) { return grid_agree() + grid_local_matrix(); }'
  plant algos/bfs.c '#include "gridblas.h"
    int grid_GrB_bfs(void) { return grid_GrB_call(); }'
}

# expect OUTCOME TEXT: what layers.sh must say of the tree.
expect() {
  code=0
  "$layers" "$tmp/tree" "$tmp/objects" >"$tmp/said" || code=$?
  [ "$code" -eq "$1" ] && grep -q "$2" "$tmp/said" && { echo "seen: $2"; return; }
  echo "wanted outcome $1 and \"$2\", got $code and:"
  cat "$tmp/said"
  exit 1
}

begin
expect 0 'layers: clean, 8 arrows'

begin
plant spmat/matrix/up.c '#include "dist/grid/process_grid.h"'
expect 1 'an arrow up: spmat/matrix/up.c -> dist/grid/process_grid.h: includes it'

begin
plant dist/grid/up.c 'int grid_hidden(void);
  int grid_up(void) { return grid_hidden(); }'
expect 1 'an arrow up: dist/grid/up.c -> dist/product/mxv/mxv.c: takes grid_hidden'

begin
plant dist/matrix/matrix.h '#include "dist/grid/process_grid.h"'
plant dist/grid/up.c '#include "dist/matrix/matrix.h"'
expect 1 'a circle of rooms: dist/grid dist/matrix'

begin
plant algos/deep.c 'int grid_hidden(void);
  int grid_GrB_deep(void) { return grid_hidden(); }'
expect 1 'not public: algos/deep.c -> dist/product/mxv/mxv.c: takes grid_hidden'

begin
plant dist/corner/new.c '#include "dist/grid/process_grid.h"'
expect 1 'no module of the table: dist/corner'
