#!/bin/bash
# Push or pull: what PUSH_COST_EARLY (one process) or GRID_LOOKS_TOLD (several) should be: bench/direction.sh GRIDBLAS SCALE [SOURCE...]
#
# Each search is done by pushes alone and by pulls alone (ARGS: options of bfs; LAUNCH: what starts it, none for one process), each level timed, the least of
# six. The library pulls where entries of a push times the constant are more than the looks that it expects of a pull (dist/product/direction.c). So for
# each constant the directions that it would take are known, and how much longer all levels would take than if each went the quicker way. Times mean
# something where each process has a core.
set -eu
[ $# -ge 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$1 scale=$2
shift 2
[ $# -gt 0 ] || set -- 3 5 7 11 777 12345 22222 40001 77777
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}
for source in "$@"; do # one without entries is left out
  for way in push pull; do
    ${LAUNCH:-} "$program" bfs "rmat:$scale" ${ARGS:-} --source "$source" --direction $way --repeat 6 --verbose --json "$work/$source.$way" >"$work/out" 2>&1 || true
  done
done
python3 - "$work" "$@" <<'PYTHON'
import json, os, sys
work, sources = sys.argv[1], sys.argv[2:]
def levels(source, way):
    run = json.load(open(os.path.join(work, f"{source}.{way}")))
    all, n = run["products"], run["levels"]
    return [(l, min(sum(m[k] for k in m if k.endswith("_ms")) for m in all[k::n])) for k, l in enumerate(all[:n])]
cases = []
for source in sources:
    if not os.path.exists(os.path.join(work, f"{source}.pull")): continue
    for (level, push), (_, pull) in zip(levels(source, "push"), levels(source, "pull")):
        if level["push_work"]: cases.append((level["pull_work"] / level["push_work"], push, pull))
best = sum(min(push, pull) for _, push, pull in cases)
print(f"{len(cases)} levels, {best:.2f} ms at best\n| constant | ms more |\n| --- | --- |")
for c in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64):
    print(f"| {c} | {sum(pull if c > critical else push for critical, push, pull in cases) - best:.2f} |")
PYTHON
