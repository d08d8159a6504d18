#!/bin/bash
# Binds one of several processes on a machine to cores of its own: mpirun -n P bench/bind.sh COMMAND [ARGUMENT...]
#
# The available cores are divided by the process's number on the machine, in order. With fewer
# cores than processes, processes share one, always the same. Without binding, the system may run several processes on one
# core, because a process that waits for a message never sleeps. mpirun must not bind them itself (bench/ops.sh disables that).
set -eu
[ $# -ge 1 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
rank=${OMPI_COMM_WORLD_LOCAL_RANK:-${MPI_LOCALRANKID:-${PMI_LOCAL_RANK:-}}}
count=${OMPI_COMM_WORLD_LOCAL_SIZE:-${MPI_LOCALNRANKS:-${PMI_LOCAL_SIZE:-1}}}
[ -n "$rank" ] && command -v taskset >/dev/null || exec "$@"
cores=()
IFS=, read -ra stretches <<<"$(taskset -cp $$ | sed 's/.*: //')"
for s in "${stretches[@]}"; do
  for ((c = ${s%-*}; c <= ${s#*-}; c++)); do cores+=("$c"); done
done
each=$((${#cores[@]} / count))
if [ "$each" -eq 0 ]; then assigned=${cores[$((rank % ${#cores[@]}))]}; else
  assigned=$(IFS=,; echo "${cores[*]:$((rank * each)):$each}")
fi
export OMP_PROC_BIND=${OMP_PROC_BIND:-true}
exec taskset -c "$assigned" "$@"
