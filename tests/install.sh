#!/bin/sh
# Installs a build into a temporary prefix and compiles and runs examples/ against it, both ways: the CMake package and pkg-config.
# Usage: install.sh SOURCE_DIR BUILD_DIR
set -eu
source=$1 build=$2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cc=$(sed -n 's/^CMAKE_C_COMPILER:[^=]*=//p' "$build/CMakeCache.txt")

# README shows examples/bfs.c as it is.
awk '/^```$/ { on = 0 } on { print } /^```c$/ { on = 1 }' "$source/README.md" | cmp -s - "$source/examples/bfs.c" ||
  { echo "the program in README.md is not examples/bfs.c"; exit 1; }

cmake --install "$build" --prefix "$tmp/prefix" >"$tmp/log"
[ -x "$tmp/prefix/bin/gridblas" ] || { echo "the program was not installed"; exit 1; }

echo "== find_package(gridblas)"
cmake -G Ninja -S "$source/examples" -B "$tmp/examples" -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$tmp/prefix" >"$tmp/log" 2>&1 ||
  { cat "$tmp/log"; exit 1; }
cmake --build "$tmp/examples" >"$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
one=$("$tmp/examples/bfs")
echo "$one"
four=$("${MPIEXEC:-mpirun}" -n 4 "$tmp/examples/bfs")
[ "$one" = "$four" ] || { echo "4 processes say: $four"; exit 1; }
"$tmp/examples/components"

echo "== pkg-config gridblas"
command -v pkg-config >/dev/null || { echo "skipped: no pkg-config"; exit 77; }
PKG_CONFIG_PATH=$(dirname "$(find "$tmp/prefix" -name gridblas.pc)")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046  (flags are words)
"$cc" "$source/examples/bfs.c" -o "$tmp/bfs" $(pkg-config --cflags --libs gridblas)
[ "$("$tmp/bfs")" = "$one" ] || { echo "built with pkg-config it says something else"; exit 1; }
echo "install: both ways agree"
