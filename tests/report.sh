#!/bin/bash
# gridblas report: tests/report.sh PROGRAM FOLDER (see program_run.sh). A page of all kinds of results, its plots beside it, and what is refused. The page is
# left in FOLDER for report_browser.sh.
set -u
kept=$(realpath -m "$2")
. "$(dirname "$0")/program_run.sh"
for python in python3 /usr/bin/python3 ""; do
  [ -n "$python" ] && "$python" -c 'import matplotlib' 2>err && break
done
[ -n "$python" ] || { echo "skipped: no matplotlib (Debian: python3-matplotlib)"; exit 77; }

good 0 bfs mesh:4x5 --verbose --json one.json
good 2 bfs mesh:4x5 --verbose --json two.json
good 0 components rmat:5:1 --json parts.json
good 0 info rmat:9 --json info.json
holds "degrees add up" python3 -c 'import json; d = json.load(open("info.json")); assert sum(d["degree_histogram"]) == 512 and d["degree_histogram"][0] == d["isolated_vertices"]'
cat >ops.json <<'JSON'
[{"row": "limit.copy", "entries": 1000000, "bytes": 16000000, "peer_ms": null, "ms": {"limit": 1.6}},
{"row": "mxv.plus_times", "entries": 1000000, "bytes": 20000000, "peer_ms": 4, "ms": {"1": 3}}]
JSON
good 2 report one.json two.json parts.json info.json ops.json -o page.html
for plot in runs1 scaling levels1 levels2 graph1 graph2 graph3 degrees4 roofline5; do
  holds "plot $plot is in the page's folder" test -s page-$plot.svg -a -s page-$plot.png
done
holds "plots are what was drawn" is "$(ls page-*.svg | wc -l) $(grep -c '<figure>' page.html)" "9 9"

bad 'needs results' 0 report
bad 'no-such.json: No such file' 0 report no-such.json
printf '{"graph": "x", "products": [{"level": 1}]}' >damaged.json
bad 'damaged: the result has a part that is not' 0 report damaged.json
printf '{"graph": ' >cut.json
bad 'cut.json: this is no JSON' 2 report one.json cut.json
printf '[1, 2]' >other.json
bad 'other.json: this is no result' 0 report other.json
bad "can't write the report" 0 report one.json -o /nowhere/page.html
holds "no page but the first" is "$(echo *.html*)" page.html
printf '#!/bin/sh\nexit 77\n' >bare && chmod +x bare
GRIDBLAS_PYTHON=$PWD/bare bad 'drawn by matplotlib, which no Python here has' 2 report one.json
GRIDBLAS_PYTHON=/nowhere/python bad 'there is no /nowhere/python' 0 report one.json
mkdir -p "$kept" && cp page.html "$kept"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
