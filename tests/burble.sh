#!/bin/bash
# GRIDBLAS_BURBLE: lines and traces of whole runs, on one process and on a 2 x 2 grid: tests/burble.sh PROGRAM (see program_run.sh).
set -u
. "$(dirname "$0")/program_run.sh"
command -v python3 >/dev/null || { echo "skipped: no python3 to read the traces"; exit 77; }

# Lines: on standard error only, the same on four processes except for times and bytes.
search=(bfs rmat:9 --source 3)
untimed() { sed -E -n 's/: [0-9.]+ ms in all/: in all/; s/: [0-9.]+ ms, [0-9]+ bytes in [0-9]+ calls/:/; s/ (rows|columns|rows and columns|list|bitmap|full)( iso)?([,;]|$)/\3/g; s/, [a-z-]+( \(not [^)]*\))?;/;/; /^gridblas: /p'; }
good 0 "${search[@]}" --out silent
holds "silent by default" is "$(grep -c '^gridblas: ' err)" 0
GRIDBLAS_BURBLE=1 good 0 "${search[@]}" --out traced
holds "the output is the same" cmp -s silent traced
GRIDBLAS_BURBLE=1 good 0 "${search[@]}"
untimed <err >one
holds "a product has a line" grep -q '^gridblas: GrB_vxm:' one
holds "an algorithm has one" grep -q "^gridblas: Grid_bfs: in all" one
GRIDBLAS_BURBLE=1 GRIDBLAS_GRID=2x2 good 4 "${search[@]}"
untimed <err >four
holds "four processes print what one prints" diff one four

# Traces: checked by burble.py, and against each other.
for p in 0 4; do
  GRIDBLAS_BURBLE=trace:$PWD/trace$p.json GRIDBLAS_GRID=$([ $p = 4 ] && echo 2x2) good $p pagerank rmat:9
  holds "the trace of $p is valid" python3 "$script_folder/burble.py" trace$p.json $((p > 0 ? p : 1))
done
holds "only the traces remain" is "$(echo ./*.json)" "./trace0.json ./trace4.json"
# A symbolic link in place of the trace: its target stays unchanged. A device file is written to.
echo precious >target
ln -s target trace.json
GRIDBLAS_BURBLE=trace:trace.json good 0 pagerank rmat:9
holds "a link's target stays unchanged" is "$(cat target)" precious
holds "the trace replaces the link" python3 "$script_folder/burble.py" trace.json 1
GRIDBLAS_BURBLE=trace:/dev/null good 0 bfs path:10
holds "a device file stays one" test -c /dev/null
GRIDBLAS_BURBLE=trace:. bad '. cannot be written: Is a directory' 0 bfs path:10

GRIDBLAS_BURBLE=loud bad 'GRIDBLAS_BURBLE is "loud", neither 1 nor trace:FILE' 0 bfs path:10
GRIDBLAS_BURBLE=trace: bad 'GRIDBLAS_BURBLE is "trace:", neither 1 nor trace:FILE' 0 bfs path:10
GRIDBLAS_BURBLE=trace:/nowhere/x bad '/nowhere/x cannot be written: No such file' 4 bfs path:10

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
