#!/bin/sh
# cpp.sh SOURCE LIBRARY: a C++ program with the public headers compiles without warnings as C++11 and C++20, and refers to the C names of the
# library (docs/tutorials/c_mpi.md).
set -eu
source=$1 library=$2
compiler=
for c in g++ clang++; do command -v $c >/dev/null && compiler=$c && break; done
[ -n "$compiler" ] || { echo "skipped: no C++ compiler"; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cat >"$tmp/program.cpp" <<'PROGRAM'
#include <GraphBLAS.h>
#include <gridblas.h>
#include <gridblas_algos.h>

extern "C" { static void add_one(void *z, const void *x) { *static_cast<double *>(z) = *static_cast<const double *>(x) + 1; } }

int main() {
  GrB_Vector v = nullptr;
  GrB_UnaryOp op = nullptr;
  double sum = 0;
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
  GrB_Vector_new(&v, GrB_FP64, 10);
  GrB_Vector_setElement_FP64(v, 1.5, 3);
  GrB_UnaryOp_new(&op, add_one, GrB_FP64, GrB_FP64);
  GrB_Vector_apply(v, nullptr, nullptr, op, v, nullptr);
  GrB_Vector_reduce_FP64(&sum, nullptr, GrB_PLUS_MONOID_FP64, v, nullptr);
  GrB_Vector_free(&v);
  GrB_UnaryOp_free(&op);
  return GrB_finalize() == GrB_SUCCESS && sum == 2.5 ? 0 : 1;
}
PROGRAM
for standard in 11 20; do
  $compiler -std=c++$standard -Wall -Wextra -Werror -I"$source/include" -c "$tmp/program.cpp" -o "$tmp/program$standard.o"
  # Each GraphBLAS name of the program is defined by the library.
  nm -u "$tmp/program$standard.o" | awk '/GrB_|Grid_/ {print $2}' | sort -u >"$tmp/wanted"
  nm "$library" 2>/dev/null | awk '$2 ~ /[TDRBV]/ {print $3}' | sort -u >"$tmp/had"
  missing=$(comm -23 "$tmp/wanted" "$tmp/had")
  [ -s "$tmp/wanted" ] && [ -z "$missing" ] || { echo "not in the library: $missing"; exit 1; }
done
echo "C++11 and C++20 by $compiler"
