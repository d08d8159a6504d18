#!/bin/bash
# Triangles with and without hubs as bits (GRIDBLAS_TUNE=mxm=...), in turn: bench/hub_bits.sh GRIDBLAS GRAPH...
#
# Each of ROUNDS (3) runs "local" (without), the library's own choice, and "hub-bits" (with). Printed are the least times of the masked product, which
# is the first of GrB_mxm after the graph is oriented, and of the whole algorithm, and the speed relative to "local". COMMAND: triangles, ktruss, lcc.
# LAUNCH: a launcher, such as "chrt -r 1" on a machine with other work.
set -eu
[ $# -ge 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-2}
echo "| graph | method | product, ms | whole, ms | product, against local | whole, against local |"
echo "| --- | --- | --- | --- | --- | --- |"
for graph in "$@"; do
  for round in $(seq "${ROUNDS:-3}"); do
    for method in local default hub-bits; do
      tune=
      [ $method = default ] || tune=mxm=$method
      # shellcheck disable=SC2086
      GRIDBLAS_TUNE=$tune GRIDBLAS_BURBLE=1 ${LAUNCH:-} "$program" "${COMMAND:-triangles}" "$graph" >"$work/out" 2>&1 ||
        { tail -n 3 "$work/out" >&2; exit 1; }
      awk -v method="$method" '/GrB_mxm: / && / mask: / { sub(/.*GrB_mxm: /, ""); if ($1 > most) most = $1 }
        $1 == "run_ms:" { whole = $2 } END { print method, most, whole }' "$work/out" >>"$work/times"
    done
  done
  awk -v graph="$graph" '!(($1) in p) || $2 < p[$1] { p[$1] = $2 } !(($1) in w) || $3 < w[$1] { w[$1] = $3 }
    END { split("local default hub-bits", m); for (k = 1; k <= 3; k++)
      printf "| %s | %s | %.1f | %.1f | %.2f | %.2f |\n", graph, m[k], p[m[k]], w[m[k]], p["local"] / p[m[k]], w["local"] / w[m[k]] }' "$work/times"
  rm "$work/times"
done
