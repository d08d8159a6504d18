#!/bin/bash
# PageRank's products with all of x sent, and with the inputs alone that blocks name: bench/update_sets.sh GRIDBLAS P GRAPH...
#
# In turn, ROUNDS (3) times: never (update_set_share=0), by the library's rule, and always (2). Shared memory between processes is off, so that
# messages are those between machines; LAUNCH ("mpirun -n P") may be "bench/cluster.sh P 1gbit" instead. Printed are, of products from the fourth on,
# the bytes that all processes send in one (its counts included) and the least of each round's median times, and both relative to "never"; and the
# time of the product in which the set is made over the median without. GRID (P x 1), ITERATIONS (20) and OPTIONS (such as --fp32, --direction push)
# are those of the program. With more processes than cores the times mean nothing.
set -eu
[ $# -ge 3 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$1 P=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$(dirname "$0")/mpi.sh"
echo "| graph, P = $P | sent | KB a product | ms | bytes, against never | time, against never | making the set, in products |"
echo "| --- | --- | --- | --- | --- | --- | --- |"
for graph in "$@"; do
  for round in $(seq "${ROUNDS:-3}"); do
    for share in 0 default 2; do
      # shellcheck disable=SC2086
      GRIDBLAS_TUNE=shm_mailbox=off,update_set_share=$share GRIDBLAS_BURBLE=1 ${LAUNCH:-mpirun -n $P} "$program" pagerank "$graph" --grid "${GRID:-${P}x1}" \
        --iterations "${ITERATIONS:-20}" --tolerance 0 ${OPTIONS:-} >"$work/out" 2>&1 || { tail -n 3 "$work/out" >&2; exit 1; }
      # the second product makes the set
      awk -v share="$share" '/GrB_vxm: / { sub(/.*GrB_vxm: /, ""); if (++n == 2) made = $1; if (n > 3) { ms[n - 3] = $1; bytes = $3 } }
        END { m = n - 3; for (i = 1; i <= m; i++) for (j = i + 1; j <= m; j++) if (ms[j] < ms[i]) { t = ms[i]; ms[i] = ms[j]; ms[j] = t }
          print share, bytes, ms[int((m + 1) / 2)], made }' "$work/out" >>"$work/runs"
    done
  done
  awk -v graph="$graph" '{ bytes[$1] = $2 } !($1 in t) || $3 < t[$1] { t[$1] = $3 } !($1 in made) || $4 < made[$1] { made[$1] = $4 }
    END { split("0 default 2", s); split("never rule always", name); for (k = 1; k <= 3; k++)
      printf "| %s | %s | %.1f | %.2f | %.2f | %.2f | %.1f |\n", graph, name[k], bytes[s[k]] / 1000, t[s[k]], bytes[s[k]] / bytes[0], t[s[k]] / t[0], made[s[k]] / t[0] }' "$work/runs"
  rm "$work/runs"
done
