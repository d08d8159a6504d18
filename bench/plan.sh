#!/bin/bash
# Compares the predictions of gridblas plan with counts and measurements, on every grid: bench/plan.sh GRIDBLAS GRAPH "P..." [OPTION...]
# Inspected entries of a pull on several columns, a constant of the model: bench/plan.sh GRIDBLAS columns SCALE [SOURCE...]
#
# For each number of processes `gridblas plan GRAPH`, on P x 1, predicts the bytes, inspected entries, calls and time of a search and of a product over
# all entries on each grid of P processes; then each grid is run, counted and timed (--check). One line for each, errors in per cent, and last the time of the
# chosen layout over the fastest one. Times are meaningful if each process has a core. OPTIONs are passed to each run (--source V).
# "columns" counts the matrix entries that pulls of searches inspect if 2 to 32 processes share each row, over those of one process (means over the sources):
# the R-MAT graph is made directed by an additional edge, so that C x 1 has C processes for each row. Processes may share cores: counts, not times.
set -eu
[ $# -ge 3 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$1 graph=$2 counts=$3
shift 3
if [ "$graph" = columns ]; then export OMPI_MCA_mpi_yield_when_idle=1; fi
. "$(dirname "$0")/mpi.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ "$graph" = columns ]; then
  [ $# -gt 0 ] || set -- 3 5 7 11 12345 22223 40001 77777
  "$program" convert "rmat:$counts" "$work/once.txt" --undirected --no-loops >"$work/out"
  awk '{ print $1, $2; print $2, $1 } END { print $1, "4294967295" }' "$work/once.txt" >"$work/graph.txt" # one edge without its reverse: not symmetric
  for C in 1 2 4 8 16 32; do
    for source in "$@"; do # a source without edges is skipped
      mpirun -n $C "$program" bfs "$work/graph.txt" --directed --grid ${C}x1 --source "$source" --delegates off --verbose --json "$work/$C.$source" >"$work/out" 2>&1 || true
    done
  done
  python3 - "$work" "$@" <<'PYTHON'
import json, os, sys
work, sources = sys.argv[1], sys.argv[2:]
def pulls(C, source): return sum(l["inspected"] for l in json.load(open(os.path.join(work, f"{C}.{source}")))["products"] if l["direction"] == "pull")
sources = [s for s in sources if os.path.exists(os.path.join(work, f"1.{s}"))]
print("| columns | looks, mean | least | most |\n| --- | --- | --- | --- |")
for C in (2, 4, 8, 16, 32):
    ratio = [pulls(C, s) / pulls(1, s) for s in sources if pulls(1, s)]
    print(f"| {C} | {sum(ratio) / len(ratio):.2f} | {min(ratio):.2f} | {max(ratio):.2f} |")
PYTHON
  exit
fi
for P in $counts; do
  for ((C = 1; C * C <= P && C <= 32; C++)); do
    [ $((P % C)) = 0 ] || continue
    ${LAUNCH:-mpirun -n $P} "$program" plan "$graph" --grid "$((P / C))x$C" --check --json "$work/$P.$C" "$@" >"$work/out" 2>&1 || grep '^gridblas: .* were ' "$work/out" >&2 ||
      { cat "$work/out" >&2; exit 1; }
  done
done
python3 - "$work" "$counts" <<'PYTHON'
import json, os, sys
work, counts = sys.argv[1], sys.argv[2].split()
columns = (("KB a process", "KB", "KB_counted", "{:.1f}"), ("entries", "inspected", "inspected_counted", "{:.0f}"),
           ("calls", "calls", "calls_counted", "{:.0f}"), ("ms", "ms", "ms_measured", "{:.3g}"))
print("| layout | " + " | ".join(f"{c[0]}: predicted | counted | error" for c in columns) + " |")
print("| --- |" + " --- | --- | --- |" * len(columns))
for P in counts:
    runs = {int(name.split(".")[1]): json.load(open(os.path.join(work, name))) for name in os.listdir(work) if name.startswith(P + ".")}
    predicted = runs[1]
    names = [key[:-3] for key in predicted if key.endswith("_KB")]
    for product in (False, True):
        took = {}
        for name in names:
            if name.endswith("_product") != product: continue
            counted = runs[int(name.split("x")[1].split("_")[0])]
            if name + "_KB_counted" not in counted: continue
            took[name] = counted[name + "_ms_measured"]
            line = f"| {name} |"
            for _, of, by, form in columns:
                a, b = predicted[f"{name}_{of}"], counted[f"{name}_{by}"]
                line += f" {form.format(a)} | {form.format(b)} | {100 * (a / b - 1) if b else 0:+.0f} % |"
            print(line)
        chosen = predicted["chosen_product"] + "_product" if product else predicted["chosen"]
        best = min(took, key=took.get)
        print(f"\n{P} processes, {'a product' if product else 'a search'}: chosen {chosen}, {took[chosen]:.3g} ms; the quickest is {best}, {took[best]:.3g} ms: {100 * (took[chosen] / took[best] - 1):+.0f} %"
              f" ({predicted['latency_us']:.3g} us, {predicted['MB_per_second']:.0f} MB/s, {predicted['million_inspected_per_second']:.0f} M looks/s)\n")
PYTHON
