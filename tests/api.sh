#!/bin/sh
# Is docs/api.md what docs/make_api.sh makes of the code? It says how many of the standard's functions and objects there are, so none gets lost.
# Usage: api.sh SOURCE_DIR OBJECTS TWIN_OBJECTS
set -eu
tmp=$(mktemp)
trap 'rm -f "$tmp"' EXIT
status=0
"$1/docs/make_api.sh" "$@" >"$tmp" || echo "not all of the standard is there"
diff "$1/docs/api.md" "$tmp" || { echo "docs/api.md is not up to date: docs/make_api.sh $* >docs/api.md"; status=1; }
exit $status
