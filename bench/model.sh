#!/bin/bash
# The modelled time of a search on each grid, for processes that need not exist: bench/model.sh GRIDBLAS ["P..." "SCALE..."]
# The best grids alone, also of a product over all entries with FP64 values, as of PageRank: bench/model.sh GRIDBLAS best ["P..." "SCALE..."]
# The model against counts, on processes that may share cores: bench/model.sh GRIDBLAS check "P..." SCALE [SOURCE...]
#
# Both predict from the expected degrees of R-MAT graphs (`gridblas plan --from-degrees`). LATENCY (5e-6): seconds of a step of a call, which takes
# log2 P of them; BANDWIDTH (3.125e9, 25 Gbit/s): bytes a second of a process; RATE (4e9): entries a second that a process, all its cores, inspects.
# C x R sends what R x C does, since the pattern is symmetric, and so has no line. "check" counts a search from each source on P x 1, two columns and the
# squarest grid, without delegates and with, and prints modelled over counted means.
set -eu
[ $# -ge 1 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$1
shift
# shellcheck source=bench/openmpi.sh
. "$(dirname "$0")/openmpi.sh"
export OMPI_MCA_mpi_yield_when_idle=1 OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ "${1:-}" = check ]; then
  counts=$2 scale=$3
  shift 3
  [ $# -gt 0 ] || set -- 3 7 12345 22222 40001
  for P in $counts; do
    square=1
    for ((C = 1; C * C <= P; C++)); do [ $((P % C)) != 0 ] || square=$C; done
    # calls that cost nothing, as for a threshold that a program sets
    mpirun -n "$P" "$program" plan "rmat:$scale" --from-degrees --network 1e-9,1e3,1e9 --json "$work/$P.model" >"$work/out"
    for C in 1 2 $square; do
      for source in "$@"; do # status 1: more than 30 % off for this source
        mpirun -n "$P" "$program" plan "rmat:$scale" --grid "$((P / C))x$C" --source "$source" --check --json "$work/$P.count.$C.$source" >"$work/out" 2>&1 || true
      done
    done
  done
  python3 - "$work" "$counts" <<'PYTHON'
import glob, json, os, sys
work, counts = sys.argv[1], sys.argv[2].split()
print("| layout | KB a process: modelled | counted | ratio | calls: modelled | counted | ratio | entries: modelled | counted | ratio |\n|" + " --- |" * 10)
for P in counts:
    model = json.load(open(f"{work}/{P}.model"))
    runs = [json.load(open(f)) for f in glob.glob(f"{work}/{P}.count.*")]
    for name in [k[:-3] for k in model if k.endswith("_KB") and "product" not in k]:
        line = f"| {name} |"
        for what, form in ("KB", ".1f"), ("calls", ".0f"), ("inspected", ".0f"):
            values = [r[f"{name}_{what}_counted"] for r in runs if f"{name}_{what}_counted" in r and r["levels"] > 2]
            if not values: break
            counted = sum(values) / len(values)
            line += f" {model[f'{name}_{what}']:{form}} | {counted:{form}} | {model[f'{name}_{what}'] / counted:.2f} |"
        else:
            print(line)
PYTHON
  exit
fi
best=
[ "${1:-}" != best ] || { best=best; shift; }
for scale in ${2:-30 33 36}; do
  for P in ${1:-64 1024 4096}; do
    latency=$(awk -v P="$P" -v s="${LATENCY:-5e-6}" 'BEGIN { print s * log(P) / log(2) }')
    "$program" plan "rmat:$scale" --from-degrees --processes "$P" --network "$latency,${BANDWIDTH:-3.125e9},${RATE:-4e9}" --json "$work/$scale.$P" >"$work/out"
  done
done
python3 - "$work" "${2:-30 33 36}" "${1:-64 1024 4096}" "$best" <<'PYTHON'
import json, sys
work, scales, counts, best_alone = sys.argv[1], sys.argv[2].split(), sys.argv[3].split(), sys.argv[4]
# Of a process: the matrix, and the parents of its vertices.
def gigabytes(m, name, P): return m[name + "_matrix_MB"] / 1e3 + 8 * m["vertices"] / int(P) / 1e9
if best_alone:
    print("| scale | processes | search | ms | MB a process | GB of memory | product | ms | GB of memory |\n|" + " --- |" * 9)
else:
    print("| scale | layout | MB a process | calls | ms | over the best |\n|" + " --- |" * 6)
for scale in scales:
    for P in counts:
        m = json.load(open(f"{work}/{scale}.{P}"))
        names = [k[:-3] for k in m if k.endswith("_KB") and "product" not in k]
        best = min(names, key=lambda n: m[n + "_ms"])
        if best_alone:
            names = [n for n in names if m[n + "_matrix_MB"]] # null: blocks have too many rows or columns
            if not names:
                print(f"| {scale} | {P} | none |" + " |" * 6)
                continue
            best = min(names, key=lambda n: m[n + "_ms"])
            product = min((n for n in names if n + "_product_ms" in m), key=lambda n: m[n + "_product_ms"])
            print(f"| {scale} | {P} | {best} | {m[best + '_ms']:.4g} | {m[best + '_KB'] / 1e3:.4g} | {gigabytes(m, best, P):.3g} |"
                  f" {product} | {m[product + '_product_ms']:.4g} | {gigabytes(m, product, P):.3g} |")
            continue
        for n in names:
            star = "**" if n == best else ""
            print(f"| {scale} | {star}{n}{star} | {m[n + '_KB'] / 1e3:.1f} | {m[n + '_calls']:.0f} | {m[n + '_ms']:.4g} | {m[n + '_ms'] / m[best + '_ms']:.2f} |")
PYTHON
