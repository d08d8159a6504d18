#!/bin/bash
# Builds the pages as a site in BUILD_DIR/site with mkdocs, for which a broken link is an error, and checks that pages, pictures and functions are there.
# mkdocs-material is installed from PyPI into a virtual environment in BUILD_DIR, unless a Python here has it. Usage: site.sh SOURCE_DIR BUILD_DIR
set -eu
source=$(realpath "$1") build=$(realpath "$2")
export NO_MKDOCS_2_WARNING=1 PYTHONDONTWRITEBYTECODE=1
wanted="mkdocs-material>=9.5,<10"
for python in python3 /usr/bin/python3 "$build/site_venv/bin/python" ""; do
  [ -n "$python" ] && "$python" -c 'import mkdocs, pymdownx, importlib.metadata as m; assert m.version("mkdocs-material") >= "9.5"' 2>/dev/null && break
done
if [ -z "$python" ]; then
  python=$build/site_venv/bin/python
  python3 -m venv "$build/site_venv" || { echo "skipped: no virtual environment (Debian: python3-venv)"; exit 77; }
  timeout 200 "$python" -m pip install -q --disable-pip-version-check --timeout 20 --retries 1 "$wanted" || { echo "skipped: PyPI does not give $wanted"; exit 77; }
fi
site=$build/site
cd "$source"
"$python" -m mkdocs build --strict -q -d "$site"
has() { grep -q -- "$2" "$site/$1" || { echo "$1 has no $2"; exit 1; }; }
has index.html 'pictures/bfs.svg'
has index.html 'source/examples/bfs.c.html'
has tutorial.html '<h1 id="ten-minutes"'
has algorithms.html 'href="algorithms/centrality.html#pagerank"'
has algorithms/centrality.html 'src="../pictures/pagerank.svg"'
has how/product.html 'src="../pictures/how/push_pull.svg"'
for function in operations/GrB_mxm data/GrB_Matrix_build_T operations/GrB_transpose context/Grid_init algorithms/Grid_pagerank; do
  has "reference/${function%/*}.html" "<h3 id=\"[a-z0-9_-]*$(echo "${function#*/}" | tr '[:upper:]' '[:lower:]')"
done
has reference/index.html 'href="operations.html"'
has reference/python.html 'id="gridblasalgorithmsbfs"'
[ "$(find "$site/pictures" -name '*.svg' | wc -l)" -ge 10 ]
# A broken link must be an error.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r mkdocs.yml docs include README.md LICENSE examples python "$copy"
echo '[nowhere](nowhere.md), [no heading](grid.md#none)' >>"$copy/docs/limits.md"
(cd "$copy" && mkdir algos && cp "$source"/algos/*.c algos && ! "$python" -m mkdocs build --strict -d "$copy/out" >log 2>&1) || { echo "broken links are accepted"; exit 1; }
grep -q 'nowhere.md' "$copy/log" && grep -q 'grid.md#none' "$copy/log" || { cat "$copy/log"; exit 1; }
echo "$(find "$site" -name '*.html' | wc -l) pages: $site/index.html"
