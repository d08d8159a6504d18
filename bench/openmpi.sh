# shellcheck shell=bash
# Settings of Open MPI for scripts that read this file: mpirun as root, with more processes than cores, each on any core.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
# the same for Open MPI 5
export PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none

# For containers, where processes may not read each other's memory: Open MPI 4's name of that, and 5's.
copy_through_shared_memory() {
  export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_smsc=^cma
}
