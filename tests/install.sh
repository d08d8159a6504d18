#!/bin/sh
# Installs a build into a temporary prefix, and compiles and runs examples/ against it: with the CMake package and either kind of library,
# and with pkg-config. Installed programs find their library.
# Usage: install.sh SOURCE_DIR BUILD_DIR
set -eu
source=$1 build=$2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
. "$(dirname "$0")/built.sh"
setting() { sed -n "s/^$1:[^=]*=//p" "$build/CMakeCache.txt"; }
cc=$(setting CMAKE_C_COMPILER)

# The C program of README and of the site's first page is a part of examples/bfs.c, except for its indentation.
for page in README.md docs/index.md; do
  sed 's/^ *//' "$source/$page" | awk '/^```$/ { on = 0 } on { print } /^```c$/ { on = 1 }' >"$tmp/shown"
  [ -s "$tmp/shown" ] || { echo "$page has no C program"; exit 1; }
  sed 's/^ *//' "$source/examples/bfs.c" | awk 'NR == FNR { shown[++n] = $0; next } { line[++m] = $0 }
    END { for (s = 0; s + n <= m; s++) { for (k = 1; k <= n && line[s + k] == shown[k]; k++); if (k > n) exit 0 }; exit 1 }' "$tmp/shown" - ||
    { echo "the program in $page is not a part of examples/bfs.c"; exit 1; }
done

install_build all "$build" --prefix "$tmp/prefix"
[ -x "$tmp/prefix/bin/gridblas" ] || { echo "the program was not installed"; exit 1; }
"$tmp/prefix/bin/gridblas" --version
static=$(find "$tmp/prefix" -name libgridblas.a) shared=$(find "$tmp/prefix" -name libgridblas.so)
[ -n "$static$shared" ] || { echo "no library was installed"; exit 1; }
if [ -x "$build/shared/gridblas" ]; then
  echo "== the program with the shared library, moved after it was installed"
  install_build all "$build" --prefix "$tmp/other"
  rm "$tmp/other/bin/gridblas" # written in the same second, it would count as up to date
  install_build gridblas_program_shared "$build" --prefix "$tmp/other" --component program_shared
  mv "$tmp/other" "$tmp/moved"
  readelf -d "$tmp/moved/bin/gridblas" | grep -q 'libgridblas_prefixed.so' || { echo "the program does not use the shared library"; exit 1; }
  "$tmp/moved/bin/gridblas" --version
fi

# examples KIND OPTIONS: builds the examples with the CMake package; prints the output of bfs.
examples() {
  kind=$1
  shift
  cmake -G Ninja -S "$source/examples" -B "$tmp/$kind" -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$tmp/prefix" "$@" >"$tmp/log" 2>&1 ||
    { cat "$tmp/log"; exit 1; }
  cmake --build "$tmp/$kind" >"$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
  "$tmp/$kind/bfs"
}

echo "== find_package(gridblas)"
one=$(examples default)
echo "$one"
programs="bfs conjugate_gradient pagerank reference triangles" # their output is the same on one process and on four
for program in $programs; do
  "$tmp/default/$program" >"$tmp/$program.one" || { echo "$program fails"; exit 1; }
  "${MPIEXEC:-mpirun}" -n 4 "$tmp/default/$program" >"$tmp/$program.four" || { echo "$program fails on 4 processes"; exit 1; }
  cmp "$tmp/$program.one" "$tmp/$program.four" || { echo "$program: 4 processes say:"; cat "$tmp/$program.four"; exit 1; }
  cat "$tmp/$program.one"
done
"$tmp/default/components"
"${MPIEXEC:-mpirun}" -n 4 "$tmp/default/files" "$source/examples/data/netscience.mtx" "$tmp/netscience.grb" >"$tmp/files.four"
"$tmp/default/files" "$tmp/netscience.grb" "$tmp/netscience.mtx" >"$tmp/files.one" # reads what four processes have written
[ "$(sed -n 's/.*: //p' "$tmp/files.four" | tail -n 1)" = "$(sed -n 's/.*: //p' "$tmp/files.one" | head -n 1)" ] || { echo "files reads another matrix than it wrote"; exit 1; }
GRIDBLAS_GRID=2 "$tmp/default/bfs" 2>&1 | grep -q 'GrB_init: GRIDBLAS_GRID is "2"' || { echo "bfs says no word of GrB_init's error"; exit 1; }
[ "$("${MPIEXEC:-mpirun}" -n 4 "$tmp/default/triangles" "$source/examples/data/ca-GrQc.txt")" = "47779 triangles" ] || { echo "triangles counts other triangles in a real graph"; exit 1; }
if [ -n "$shared" ]; then
  readelf -d "$tmp/default/bfs" | grep -q 'libgridblas.so' || { echo "bfs does not use the shared library"; exit 1; }
fi
echo "== find_package(GraphBLAS), GraphBLAS_ROOT"
mkdir "$tmp/client"
cp "$source/examples/bfs.c" "$tmp/client"
cat >"$tmp/client/CMakeLists.txt" <<'E_CMAKE'
cmake_minimum_required(VERSION 3.21)
project(client C)
find_package(GraphBLAS 2.1 REQUIRED)
find_package(gridblas REQUIRED)
add_executable(bfs bfs.c)
target_link_libraries(bfs GraphBLAS::GraphBLAS)
add_executable(as_suitesparse bfs.c)
target_link_libraries(as_suitesparse SuiteSparse::GraphBLAS)
add_executable(prefixed bfs.c)
target_link_libraries(prefixed gridblas::prefixed)
E_CMAKE
for kind in OFF ON; do
  cmake -G Ninja -S "$tmp/client" -B "$tmp/client/$kind" -DCMAKE_C_COMPILER="$cc" -DGraphBLAS_ROOT="$tmp/prefix" -Dgridblas_ROOT="$tmp/prefix" -Dgridblas_USE_STATIC_LIBS=$kind \
    >"$tmp/log" 2>&1 && cmake --build "$tmp/client/$kind" >"$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
  for program in bfs as_suitesparse prefixed; do
    [ "$("$tmp/client/$kind/$program")" = "$one" ] || { echo "$program says something else, static libraries $kind"; exit 1; }
  done
  nm "$tmp/client/$kind/bfs" | grep -q ' GrB_init' || { echo "bfs does not use the standard's names"; exit 1; }
  ! nm "$tmp/client/$kind/prefixed" | grep -q ' GrB_init' || { echo "the prefixed names are not prefixed"; exit 1; }
done

if [ -n "$static" ] && [ -n "$shared" ]; then
  echo "== find_package(gridblas), gridblas_USE_STATIC_LIBS"
  [ "$(examples static -Dgridblas_USE_STATIC_LIBS=ON)" = "$one" ] || { echo "with the static library it says something else"; exit 1; }
  ! readelf -d "$tmp/static/bfs" | grep -q 'libgridblas.so' || { echo "bfs uses the shared library"; exit 1; }
fi

if [ -n "$static" ] && command -v g++ >/dev/null; then
  echo "== find_package(gridblas) in a project of C++ alone, the static library"
  mkdir "$tmp/cxx"
  cat >"$tmp/cxx/CMakeLists.txt" <<E_CMAKE
cmake_minimum_required(VERSION 3.21)
project(client CXX)
find_package(gridblas REQUIRED)
add_executable(handles $source/tests/cpp_handles.cpp)
target_link_libraries(handles gridblas::gridblas)
E_CMAKE
  cmake -G Ninja -S "$tmp/cxx" -B "$tmp/cxx/build" -DCMAKE_CXX_COMPILER=g++ -DCMAKE_PREFIX_PATH="$tmp/prefix" -Dgridblas_USE_STATIC_LIBS=ON >"$tmp/log" 2>&1 &&
    cmake --build "$tmp/cxx/build" >"$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
  "$tmp/cxx/build/handles"
fi

echo "== add_subdirectory: the libraries alone"
mkdir "$tmp/parent"
cat >"$tmp/parent/CMakeLists.txt" <<E_CMAKE
cmake_minimum_required(VERSION 3.21)
project(parent C)
add_subdirectory($source gridblas)
add_executable(bfs $source/examples/bfs.c)
target_link_libraries(bfs gridblas::gridblas)
E_CMAKE
cmake -G Ninja -S "$tmp/parent" -B "$tmp/parent/build" -DCMAKE_C_COMPILER="$cc" -DGRIDBLAS_CUDA=OFF >"$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
cmake --build "$tmp/parent/build" --target help >"$tmp/targets"
grep -q '^gridblas:' "$tmp/targets" || { echo "the library is no target of the parent"; exit 1; }
! grep -E '^(unit_vector|gridblas_program|python_searches):' "$tmp/targets" || { echo "the parent would build these"; exit 1; }

echo "== pkg-config gridblas, gridblas_prefixed"
command -v pkg-config >"$tmp/log" || { echo "skipped: no pkg-config"; exit 77; }
PKG_CONFIG_PATH=$(dirname "$(find "$tmp/prefix" -name gridblas.pc)")
export PKG_CONFIG_PATH
case $(pkg-config --libs gridblas) in *//*) echo "a folder of pkg-config's has two slashes"; exit 1 ;; esac
# shellcheck disable=SC2046 # flags are words
"$cc" "$source/examples/bfs.c" -o "$tmp/prefixed" $(pkg-config --cflags --libs gridblas_prefixed) -lm
[ "$("$tmp/prefixed")" = "$one" ] || { echo "bfs, built with gridblas_prefixed, says something else"; exit 1; }
for program in $programs; do
  # shellcheck disable=SC2046 # flags are words
  "$cc" "$source/examples/$program.c" -o "$tmp/$program" $(pkg-config --cflags --libs gridblas) -lm
  for processes in 1 4; do
    "${MPIEXEC:-mpirun}" -n $processes "$tmp/$program" | cmp - "$tmp/$program.one" ||
      { echo "$program, built with pkg-config, says something else on $processes processes"; exit 1; }
  done
done

echo "== gridblas.hpp"
if command -v g++ >/dev/null; then
  # shellcheck disable=SC2046 # flags are words
  g++ -std=c++11 "$source/tests/cpp_handles.cpp" -o "$tmp/handles" $(pkg-config --cflags --libs gridblas)
  "$tmp/handles" && "${MPIEXEC:-mpirun}" -n 4 "$tmp/handles"
else
  echo "no g++ here"
fi

fortran=$(setting CMAKE_Fortran_COMPILER)
if [ -n "$(find "$tmp/prefix" -name gridblas_fortran.pc)" ]; then
  echo "== pkg-config gridblas_fortran"
  # shellcheck disable=SC2046 # flags are words
  "$fortran" -J"$tmp" "$source/examples/bfs.f90" -o "$tmp/fortran" $(pkg-config --cflags --libs gridblas_fortran)
  "$tmp/fortran" | cmp - "$tmp/bfs.one" || { echo "bfs in Fortran says something else"; exit 1; }
fi

if [ -n "$shared" ]; then
  echo "== plain -I and -l"
  "$cc" -I"$tmp/prefix/include/gridblas" "$source/examples/bfs.c" -o "$tmp/plain" -L"$(dirname "$shared")" -lgridblas -Wl,-rpath,"$(dirname "$shared")"
  [ "$("$tmp/plain")" = "$one" ] || { echo "built with plain options it says something else"; exit 1; }
  ls "$(dirname "$shared")" | grep -qE '^libgridblas\.so\.[0-9]+\.[0-9]+\.[0-9]+$' || { echo "no libgridblas.so.x.y.z"; exit 1; }
fi
echo "install: all ways agree"
