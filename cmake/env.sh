#!/bin/sh
# Prints the settings of a shell that runs the program from a build folder, to be sourced: env.sh FOLDER >build/env.sh   (cmake/start.sh does)
set -eu
folder=$(cd "${1:?usage: $0 FOLDER}" && pwd)
cat <<'E_ENV'
# The program is in the path; Open MPI runs as root, with more processes than cores, and without binding.
# Other MPI libraries ignore these variables.
E_ENV
printf "PATH='%s':\$PATH\n" "$(printf %s "$folder" | sed "s/'/'\\\\''/g")"
cat <<'E_ENV'
export PATH OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
# the same for Open MPI 5
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none OMPI_MCA_smsc=^cma
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-1}"
E_ENV
