#!/bin/bash
# Push or pull: measures the constants PUSH_COST_EARLY, PUSH_COST_ALL (one process) and GRID_PUSH_TARGET_COST (several): bench/direction.sh GRIDBLAS SCALE [SOURCE...]
#
# Runs each search by pushes only and by pulls only (ARGS: more options; LAUNCH: the launcher, none for one process), and times each product, the least
# of six. The library pulls if the entries of a push times the constant exceed the predicted inspected entries of a pull (dist/plan/push_pull.c). So for
# each constant the script computes the directions, and the total time relative to the faster direction of each product. COMMAND is
# bfs, whose pulls stop at a hit (PUSH_COST_EARLY), or betweenness or sssp, whose products read every entry (PUSH_COST_ALL). Times are meaningful if each
# process has a core.
set -eu
[ $# -ge 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$1 scale=$2 command=${COMMAND:-bfs} args=${ARGS:-} source_is=--source
shift 2
[ $# -gt 0 ] || set -- 3 5 7 11 777 12345 22222 40001 77777
case $command in
  bfs) ;;
  betweenness) source_is=--sources ;;
  sssp) args="$args --weights hash" ;;
  *) echo "COMMAND is bfs, betweenness or sssp, not $command" >&2; exit 2 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}
for source in "$@"; do # sources without entries are skipped
  for way in push pull; do
    ${LAUNCH:-} "$program" "$command" "rmat:$scale" $args $source_is "$source" --direction $way --repeat 6 --verbose --json "$work/$source.$way" >"$work/out" 2>&1 || true
  done
done
python3 - "$work" "$@" <<'PYTHON'
import json, os, sys
work, sources = sys.argv[1], sys.argv[2:]
def levels(source, way):
    all = json.load(open(os.path.join(work, f"{source}.{way}")))["products"]
    n = len(all) // 6
    return [(l, min(sum(m[k] for k in m if k.endswith("_ms")) for m in all[k::n])) for k, l in enumerate(all[:n])]
cases = []
for source in sources:
    if not os.path.exists(os.path.join(work, f"{source}.pull")): continue
    for (level, push), (_, pull) in zip(levels(source, "push"), levels(source, "pull")):
        if level["push_work"]: cases.append((level["pull_work"] / level["push_work"], push, pull))
best = sum(min(push, pull) for _, push, pull in cases)
print(f"{len(cases)} products, {best:.2f} ms at best\n| constant | ms more |\n| --- | --- |")
for c in (0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64):
    print(f"| {c} | {sum(pull if c > critical else push for critical, push, pull in cases) - best:.2f} |")
PYTHON
