#!/bin/bash
# Settings of Open MPI for scripts that read this file: mpirun as root, with more processes than cores, each on any core. P: their number.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}
[ "${P:-1}" -le "$(nproc)" ] || export OMPI_MCA_mpi_yield_when_idle=1
