#!/bin/bash
# Builds the pages as a site in BUILD_DIR/site with mkdocs, for which a broken link is an error, and checks that pages, pictures and functions are there.
# mkdocs-material is installed from PyPI into a virtual environment in BUILD_DIR, unless a Python here has it. Usage: site.sh SOURCE_DIR BUILD_DIR
set -eu
mkdir -p "$2"
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
"$python" -m mkdocs build --strict -d "$site" >"$build/site.log" 2>&1 || { grep -E "WARNING|ERROR|Aborted" "$build/site.log"; exit 1; }
has() { grep -q -- "$2" "$site/$1" || { echo "$1 has no $2"; exit 1; }; }
referred() { grep -qr -- "$1" "$site/reference" || { echo "the reference has no $1"; exit 1; }; }
has index.html 'pictures/bfs.svg'
has index.html 'source/examples/bfs.c.html'
has tutorials/command_line.html '<h1 id="ten-minutes-on-the-command-line"'
has architecture.html '<h1'
has contributing.html 'href="adding.html"'
has changes.html '<h1'
has algorithms.html 'href="algorithms/centrality.html#pagerank"'
has algorithms/centrality.html 'src="../pictures/pagerank.svg"'
has how/product.html 'src="../pictures/how/push_pull.svg"'
for function in grb_mxm grb_matrix_build_t grb_transpose grid_init grid_pagerank; do referred "<h[23] id=\"[a-z0-9_-]*$function"; done
has reference/python.html 'id="gridblasalgorithmsbfs"'
[ "$(find "$site/pictures" -name '*.svg' | wc -l)" -ge 20 ]
grep -q delegate "$site/search/search_index.json" && [ -s "$site/search/search_index.js" ] || { echo "the search has no index"; exit 1; }
# Pages load nothing from other sites.
! grep -rlE '<(script|link|img)[^>]*(src|href)="(https?:)?//' "$site" --include='*.html' || { echo "these pages load something from another site"; exit 1; }
# A broken link must be an error, in a folder too.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
tar --exclude=./build --exclude=./.git --exclude=./shared -cf - . | tar -C "$copy" -xf -
echo '[nowhere](nowhere.md), [no heading](grid.md#none)' >>"$copy/docs/limits.md"
echo '[nowhere](../none.md)' >>"$copy/docs/how/errors.md"
(cd "$copy" && ! "$python" -m mkdocs build --strict -d "$copy/out" >log 2>&1) || { echo "broken links are accepted"; exit 1; }
for link in nowhere.md grid.md#none none.md; do grep -q "$link" "$copy/log" || { cat "$copy/log"; exit 1; }; done
echo "$(find "$site" -name '*.html' | wc -l) pages: $site/index.html"
