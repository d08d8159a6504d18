#!/bin/sh
# examples/petsc.c, compiled with PETSc and the shared library, on 1, 3 and 4 processes. Usage: petsc.sh SOURCE LIBRARY
set -eu
source=$1 library=$2
pkg-config --exists PETSc 2>/dev/null || { echo "skipped: no PETSc (Debian: petsc-dev)"; exit 77; }
command -v mpicc >/dev/null || { echo "skipped: no mpicc"; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
folder=$(dirname "$library")
# shellcheck disable=SC2046 # flags are words
mpicc -Wall "$source/examples/petsc.c" -I"$source/include" $(pkg-config --cflags --libs PETSc) "$library" -Wl,-rpath,"$folder" -lm -o "$tmp/petsc"
for processes in 1 3 4; do
  "${MPIEXEC:-mpirun}" -n $processes "$tmp/petsc"
done
