#!/bin/bash
# Searches with delegates and without, in turn: bench/delegates.sh GRIDBLAS GRAPH [TH...]
#
# GRAPH is what `gridblas bfs` takes (rmat:20); TH are thresholds (default: 1023 255). Each round (ROUNDS, 3) runs every choice once from each of SOURCES,
# REPEAT (6) times. LAUNCH: the launcher, none for one process; ARGS: more options. Of every product the least time over rounds and repetitions counts, as
# on a machine with other work; the sum over a search's products is its time. Printed is the speed with delegates relative to that without.
set -eu
[ $# -ge 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$1 graph=$2
shift 2
[ $# -gt 0 ] || set -- 1023 255
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-2}
for round in $(seq "${ROUNDS:-3}"); do
  for source in ${SOURCES:-22222 777777 12345}; do
    for delegates in off "$@"; do
      # shellcheck disable=SC2086
      ${LAUNCH:-} "$program" bfs "$graph" --source "$source" --delegates "$delegates" --repeat "${REPEAT:-6}" ${ARGS:-} --verbose \
        --json "$work/$delegates.$source.$round" >"$work/out" 2>&1 || { tail -n 3 "$work/out" >&2; exit 1; }
    done
  done
done
python3 - "$work" "${REPEAT:-6}" off "$@" <<'PYTHON'
import glob, json, math, sys
work, repeat, choices = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
def search(choice, source):
    rounds = [json.load(open(f)) for f in glob.glob(f"{work}/{choice}.{source}.*")]
    runs = []
    for r in rounds:
        n = len(r["products"]) // repeat
        runs += [[sum(v for k, v in p.items() if k.endswith("_ms")) for p in r["products"][k * n:(k + 1) * n]] for k in range(repeat)]
    return sum(min(level) for level in zip(*runs))
sources = sorted({f.split(".")[-2] for f in glob.glob(f"{work}/off.*")})
off = [search("off", s) for s in sources]
print("| delegates | ms a search | against off |\n| --- | --- | --- |")
for c in choices:
    ms = [search(c, s) for s in sources]
    ratio = math.exp(sum(math.log(a / b) for a, b in zip(off, ms)) / len(ms))
    print(f"| {c} | {' '.join(f'{m:.2f}' for m in ms)} | {ratio:.2f} |")
PYTHON
