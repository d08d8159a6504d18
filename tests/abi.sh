#!/bin/sh
# The binary interface that the public headers describe, compared with the last release's: nothing that a compiled program relies on was removed or changed.
# What the headers declare is what the library exports (tests/symbols.sh); so a library of empty functions with these declarations stands for it.
# Usage: abi.sh SOURCE_DIR COMPILER [--write]: --write makes tests/abi/gridblas_1.abi.xz anew, at a release.
set -eu
source=$1 cc=$2
command -v abidiff >/dev/null || { echo "skipped: no abidiff (Debian: abigail-tools)"; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
printf '#include <gridblas.h>\n#include <gridblas_algos.h>\n' >"$tmp/headers.h"
{
  cat "$tmp/headers.h"
  "$cc" -E -P -I"$source/include" -x c "$tmp/headers.h" | grep -v "^#" | tr -s ' \t\n' ' ' | tr ';' '\n' | sed 's/^ *//; s/ *$//' |
    sed -nE '/^(typedef|struct|enum|static)/d
      s/^(extern )?([A-Za-z_][A-Za-z_0-9 *]*[ *](G[rx]B_|Grid_)[A-Za-z0-9_]+ ?\(.*\))$/\2 { __builtin_trap(); }/p; t
      s/^extern (.*[ *](G[rx]B_|Grid_)[A-Za-z0-9_]+)$/\1;/p'
} >"$tmp/headers.c"
"$cc" -std=c2x -g -O0 -w -shared -fPIC -I"$source/include" "$tmp/headers.c" -o "$tmp/libgridblas.so"
file=$source/tests/abi/gridblas_1.abi.xz
if [ "${3:-}" = --write ]; then
  abidw --no-corpus-path --no-comp-dir-path --no-show-locs "$tmp/libgridblas.so" | xz >"$file"
  echo "written: $file"
  exit 0
fi
xz -dc "$file" >"$tmp/release.abi"
status=0
abidiff --no-added-syms --no-show-locs "$tmp/release.abi" "$tmp/libgridblas.so" >"$tmp/report" || status=$?
if [ $status -ne 0 ]; then
  cat "$tmp/report"
  exit 1
fi
echo "$(nm -D --defined-only "$tmp/libgridblas.so" | grep -c ' [A-Z] [G]') names; none of the release's was removed or changed"
