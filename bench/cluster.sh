#!/bin/bash
# An emulated cluster: hosts on this machine whose links have a given rate.
#
#   bench/cluster.sh [--per-host N] HOSTS RATE COMMAND [ARGUMENT...]
#
# Runs COMMAND by mpirun with N processes (1) on each of HOSTS hosts. A host is a network namespace; its link to the common bridge
# has RATE in each direction (in tc's notation: 100mbit, 1gbit). Messages go by TCP; processes of one host share memory. Hosts, links and bridge
# have unique names and are removed when the command ends, in any way. OMP_NUM_THREADS is the cores over the processes unless it is set.
# Exit status: the command's; 77 with a message where namespaces are not available (they need root, and Debian's iproute2).
set -eu
usage() { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
per_host=1
[ "${1:-}" != --per-host ] || { per_host=${2:-}; shift 2; }
[ $# -ge 3 ] || usage
hosts=$1 rate=$2
shift 2
case $hosts$per_host in *[!0-9]*) usage ;; esac
if [ "$hosts" -lt 1 ] || [ "$hosts" -gt 250 ]; then usage; fi

name=gb$$ net=198.18.0 # RFC 2544: addresses for benchmarks
work=$(mktemp -d)
skip() { echo "skipped: $*" >&2; exit 77; }
remove() {
  for ((k = 0; k < hosts; k++)); do
    ip link del "$name.$k" 2>>"$work/removed" || true # otherwise it would disappear some time after its namespace
    ip netns del "$name-$k" 2>>"$work/removed" || true
  done
  ip link del "$name" 2>>"$work/removed" || true
  rm -rf "$work"
}
for tool in ip tc unshare mpirun; do command -v $tool >"$work/there" || skip "no $tool"; done
trap remove EXIT
trap 'exit 130' INT TERM HUP
ip link add "$name" type bridge 2>"$work/why" || skip "no bridge: $(cat "$work/why")"
ip link set "$name" up

# Burst size: $BURST_US (100) us at the rate, or three frames; more would hide a slow link from short messages, less than 400 a part of its rate. Packets that wait longer than 200 ms are dropped.
bits=$(echo "$rate" | awk '{ n = $0; u = tolower($0); sub(/[a-z]+$/, "", n); sub(/^[0-9.]+/, "", u); e = index("kmgt", substr(u, 1, 1)); if (n + 0 > 0 && u ~ /^[kmgt]?bit$/) printf "%.0f", n * 1000 ^ e }')
[ -n "$bits" ] || usage
burst=$((bits / 8000000 * ${BURST_US:-100} > 5000 ? bits / 8000000 * ${BURST_US:-100} : 5000))
for ((k = 0; k < hosts; k++)); do
  ip netns add "$name-$k" 2>"$work/why" || skip "no network namespaces: $(cat "$work/why")"
  ip link add "$name.$k" type veth peer name eth0 netns "$name-$k"
  ip link set "$name.$k" master "$name" up
  for at in "tc" "ip netns exec $name-$k tc"; do
    dev=$name.$k
    [ "$at" = tc ] || dev=eth0
    $at qdisc add dev "$dev" root tbf rate "$rate" burst "$burst" latency 200ms 2>"$work/why" || skip "links cannot be shaped: $(cat "$work/why")"
  done
  ip netns exec "$name-$k" ip link set lo up
  ip netns exec "$name-$k" ip addr add "$net.$((k + 1))/24" dev eth0
  ip netns exec "$name-$k" ip link set eth0 up
  echo "$net.$((k + 1)) slots=$per_host" >>"$work/hosts"
done

# Replaces ssh: enters the namespace of the named host, under its own host name.
cat >"$work/agent" <<AGENT
#!/bin/bash
k=\$((\${1##*.} - 1))
shift
exec ip netns exec $name-\$k unshare --uts sh -c "hostname $name-\$k && \$*"
AGENT
chmod +x "$work/agent"

cores=$(nproc) all=$((hosts * per_host))
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-$((cores / all > 0 ? cores / all : 1))}
yield=
[ $((all * OMP_NUM_THREADS)) -le "$cores" ] || yield="--mca mpi_yield_when_idle 1"
# shellcheck disable=SC2086
ip netns exec "$name-0" unshare --uts sh -c 'hostname "$0" && exec "$@"' "$name-0" mpirun --allow-run-as-root --hostfile "$work/hosts" -n "$all" \
  --mca plm rsh --mca plm_rsh_agent "$work/agent" --mca plm_rsh_no_tree_spawn 1 --mca btl self,tcp --mca pml ob1 --mca btl_tcp_if_include "$net.0/24" \
  --mca oob_tcp_if_include "$net.0/24" --mca hwloc_base_binding_policy none --bind-to none $yield -x OMP_NUM_THREADS "$@"
