#!/bin/sh
# From a fresh Debian 12 machine to a checked answer: installs what is missing, builds, and searches a generated and a real graph on 4 processes.
set -eu
cd "$(dirname "$0")/.."
cmake/packages.sh build
cmake --preset release
cmake --build --preset release

# Open MPI: allow root and more processes than cores; others ignore these.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-1}"

echo
echo "== Graph500 at scale 16 on 4 processes: every tree validated and compared with SuiteSparse:GraphBLAS"
mpirun -n 4 build/release/gridblas graph500 --scale 16 --roots 8 --check
echo
echo "== who wrote papers with whom (examples/data/ca-GrQc.txt), from author 2525, on 4 processes"
mpirun -n 4 build/release/gridblas bfs examples/data/ca-GrQc.txt --source 2525 --check --verbose
