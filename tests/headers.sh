#!/bin/sh
# headers.sh SOURCE: each public header compiles alone, and all together, without warnings as C99 to C23 and C++11 to C++23, by gcc and by clang.
set -eu
source=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
headers="GraphBLAS gridblas gridblas_algos gridblas_rmat gridblas_table"
for name in $headers; do
  printf '#include <%s.h>\nextern int here;\n' "$name" >"$tmp/$name"
  echo "#include <$name.h>"
done >"$tmp/all"
# try COMPILER LANGUAGE STANDARD...: one by one in the oldest standard, all together in each
try() {
  compiler=$1 language=$2
  shift 2
  command -v "$compiler" >/dev/null || return 0
  check() { "$compiler" -std="$1" -Wall -Wextra -pedantic -Werror -I"$source/include" -x "$language" -fsyntax-only "$tmp/$2" || { echo "$2 as $1 by $compiler"; exit 1; }; }
  for name in $headers; do check "$1" "$name"; done
  for standard in "$@"; do check "$standard" all; done
  echo "headers: $* by $compiler"
}
try gcc c c99 c11 c17 c2x
try clang c c99 c11 c17 c2x
echo '#include <gridblas.hpp>' >>"$tmp/all"
try g++ c++ c++11 c++14 c++17 c++20 c++2b
try clang++ c++ c++11 c++14 c++17 c++20 c++2b
