#!/bin/bash
# gridblas report: tests/report.sh PROGRAM FOLDER (see program_run.sh). A page of all kinds of results, its plots, and wrong arguments. The page remains in
# FOLDER for report_browser.sh.
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
  holds "plot $plot is in the page's folder" test -s page-$plot.svg -a -s page-$plot-narrow.svg -a -s page-$plot.png
done
holds "plots are what was drawn" is "$(ls page-*.png | wc -l) $(grep -c '<figure>' page.html)" "9 9"

# A result that has values of edges, one with a column for each source, directed edges with their weights, and a value of each step.
printf '0 1 1\n1 2 2\n2 0 9\n2 3 4\n' >weights.txt
good 2 msf weights.txt --json forest.json
printf '0 1\n0 2\n0 3\n1 2\n1 3\n2 3\n3 4\n' >clique.txt
good 2 ktruss clique.txt --k 4 --json truss.json
good 0 ktruss clique.txt --k 5 --json empty.json
good 2 bfs-many clique.txt --sources 4,0 --json sources.json
printf '0 1 2.5\n1 0 -1\n1 2 -3\n' >signs.txt
good 0 bellman-ford signs.txt --directed --source 0 --json signs.json
good 2 factors weights.txt --factors 2 --iterations 5 --json errors.json
good 0 report forest.json truss.json empty.json sources.json signs.json errors.json -o kinds.html
thick() { grep -c 'stroke-width: 2.5"' kinds-graph$1.svg; }
holds "edges of the forest, of the truss, and of none" is "$(thick 1) $(thick 2) $(thick 3)" "3 12 0"
holds "each weight of the forest has a colour" is "$(grep -o '>weight [0-9]*<' kinds-graph1.svg | tr -d '><\n')" "weight 1weight 2weight 4"
holds "weights are beside undirected edges" grep -q '>9</text>' kinds-graph1.svg
holds "a picture for each source" is "$(grep -o '>from [0-9]*<' kinds-graph4.svg | tr -d '><\n')" "from 4from 0"
holds "levels of both searches share colours" is "$(grep -o '>level [0-9]*<' kinds-graph4.svg | tr -d '><\n')" "level 0level 1level 2"
holds "weights are beside directed edges" is "$(grep -o '>\(2.5\|-1\|-3\)</text>' kinds-graph5.svg | sort -u | wc -l)" 3
holds "directed edges have arrowheads" is "$(grep -c 'stroke: #888888; stroke-width: 0.7; stroke-linecap: round' kinds-graph5.svg) $(grep -c 'fill: #888888; stroke: #888888' kinds-graph5.svg)" "6 3"
holds "six errors are a line of six points" is "$(python3 -c 'import json; print(len(json.load(open("errors.json"))["series"]["values"]))') $(grep -c '>root mean square error</text>' kinds-series6.svg)" "6 1"

# Numbers on an axis have all their digits; positions in the picture have two decimals.
cat >small.json <<'JSON'
{"graph": "x", "source": 4252, "reached": 4252, "products": [{"level": 1, "frontier": 1, "found": 1, "inspected": 1, "direction": "push", "local_ms": 0.0123}]}
JSON
printf '0 1\n1 2\n3 3\n4 4\n' >lone.txt
good 0 components lone.txt --json lone.json
good 0 report small.json lone.json -o small.html
holds "lone vertices have no colour" is "$(grep -c '>component [0-9]*</text>' small-graph2.svg)" 1
holds "ticks differ" is "$(grep -o '>0\.[0-9]*</text>' small-levels1.svg | sort | uniq -d | wc -l) $(grep -c '>0\.0125*</text>' small-levels1.svg)" "0 1"
holds "a vertex's name has no separators, a count has" is "$(grep -o '<td>4[^<]*252</td>' small.html | tr '\n' ' ')" $'<td>4252</td> <td>4\u202f252</td> '
# Vertices on a line have circles that are not cut off, and long names stand below them.
printf '18446744073709551615 7\n9223372036854775808 18446744073709551615\n' >line.txt
good 0 bfs line.txt --json line.json
good 0 report line.json -o line.html
holds "a line has a height" "$python" -c 'import re; assert all(float(h) > 20 for h in re.findall(r"<rect [^>]*height=\"([0-9.]+)\"", open("line-graph1.svg").read()))'
holds "long names are grey" is "$(grep -c 'fill: #888888.*>\(9223372036854775808\|18446744073709551615\)</text>' line-graph1.svg)" 2
good 0 report small.json --out -
holds "the page on standard output" is "$(grep -c '^<h1>gridblas: small</h1>' out)" 1
holds "no file is called -" test ! -e ./-
# A mesh is drawn flat: no two edges cross, and the edges have about equal lengths.
good 0 heat mesh:6x9 --sources 0 --iterations 5 --json mesh.json
module=$(dirname "$program")/python
PYTHONPATH=$module "$python" -B - mesh.json >flat <<'PY'
import json, sys
import numpy as np
from gridblas_report.layout import positions
d = json.load(open(sys.argv[1]))["drawing"]
e = np.array(d["edges"])
at = positions(len(d["names"]), e)
def side(p, q, r): return np.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]))
def cross(a, b):
    if set(a) & set(b): return False
    p, q, r, s = at[a[0]], at[a[1]], at[b[0]], at[b[1]]
    return side(p, q, r) != side(p, q, s) and side(r, s, p) != side(r, s, q)
crossings = sum(cross(a, b) for k, a in enumerate(e) for b in e[:k])
length = np.linalg.norm(at[e[:, 0]] - at[e[:, 1]], axis=1)
print(crossings, bool(length.max() < 2 * length.min()))
alone = positions(5, np.array([[0, 1]]))
print(len(np.unique(alone.round(3), axis=0)))
PY
holds "a mesh lies flat, vertices apart" is "$(tr '\n' ' ' <flat)" "0 True 5 "

bad 'needs results' 0 report
bad 'no-such.json: No such file' 0 report no-such.json
printf '{"graph": "x", "products": [{"level": 1}]}' >damaged.json
bad 'damaged: the result has a part that is not' 0 report damaged.json
printf '{"graph": ' >cut.json
bad 'cut.json: this is no JSON' 2 report one.json cut.json
printf '[1, 2]' >other.json
bad 'other.json: this is no result' 0 report other.json
bad "can't write the report" 0 report one.json -o /nowhere/page.html
holds "no page but those" is "$(echo *.html*)" "kinds.html line.html page.html small.html"
printf '#!/bin/sh\nexit 77\n' >bare && chmod +x bare
GRIDBLAS_PYTHON=$PWD/bare bad 'drawn by matplotlib, which no Python here has' 2 report one.json
GRIDBLAS_PYTHON=/nowhere/python bad 'there is no /nowhere/python .Debian: python3-matplotlib' 0 report one.json
# A Python that other users could replace is not run: the file, its folder, a link's folder, or a folder above is writable.
mkdir -p open/inner private && chmod 1777 open && cp bare open/python && cp bare open/inner/python && cp bare private/own && ln -s ../open/python private/link
GRIDBLAS_PYTHON=$PWD/open/python bad 'is not run: other users may write to .*/open$' 2 report one.json
GRIDBLAS_PYTHON=open/python bad 'is not run: other users may write to .*/open$' 0 report one.json
GRIDBLAS_PYTHON=$PWD/private/link bad 'is not run: other users may write to .*/open$' 0 report one.json
GRIDBLAS_PYTHON=$PWD/open/inner/python bad 'drawn by matplotlib' 0 report one.json # the folder above is sticky
chmod 0777 private/own
GRIDBLAS_PYTHON=$PWD/private/own bad 'is not run: other users may write to .*/private/own$' 0 report one.json
chmod 0777 open
GRIDBLAS_PYTHON=$PWD/open/inner/python bad 'is not run: other users may write to .*/open$' 0 report one.json
mkdir -p "$kept" && cp page.html "$kept"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
