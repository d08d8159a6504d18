#!/bin/bash
# For scripts that read this file: the settings of openmpi.sh, one thread a process, and waiting that leaves the cores to others. P: the number of processes.
# shellcheck source=bench/openmpi.sh
. "$(dirname "$0")/openmpi.sh"
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}
[ "${P:-1}" -le "$(nproc)" ] || export OMPI_MCA_mpi_yield_when_idle=1
