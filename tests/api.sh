#!/bin/sh
# Compares docs/api.md with the output of docs/make_api.sh, and reports functions of the standard that the library lacks.
# Usage: api.sh SOURCE_DIR OBJECTS TWIN_OBJECTS
set -eu
. "$(dirname "$0")/built.sh"
while read -r object; do [ -z "$object" ] || built gridblas "$object"; done <"$2"
while read -r object; do [ -z "$object" ] || built twin_gridblas "$object"; done <"$3"
tmp=$(mktemp)
trap 'rm -f "$tmp"' EXIT
status=0
"$1/docs/make_api.sh" "$@" >"$tmp" || echo "the library lacks functions of the standard"
diff "$1/docs/api.md" "$tmp" || { echo "docs/api.md is not up to date: docs/make_api.sh $* >docs/api.md"; status=1; }
exit $status
