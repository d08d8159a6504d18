#!/bin/sh
# The environment variables that the sources read are those of docs/settings.md, 18 at most; each field that its table of tuning shows
# exists and has the default shown. Usage: settings.sh SOURCE_DIR
set -u
cd "${1:?usage: settings.sh SOURCE_DIR}" || exit 2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bad=0
grep -rhoE '"GRIDBLAS_[A-Z0-9_]+"' semiring spmat dist algos bench python/gridblas --include='*.[ch]' --include='*.cu' --include='*.cuh' --include='*.py' |
  tr -d '"' | sort -u | grep -v '_H$' >"$tmp/read"
sed -n 's/^| `\(GRIDBLAS_[A-Z0-9_]*\)=.*/\1/p' docs/settings.md | sort -u >"$tmp/told"
diff "$tmp/read" "$tmp/told" >"$tmp/diff" || { echo "variables read (<) and in docs/settings.md (>):"; cat "$tmp/diff"; bad=1; }
sed -n '/^static const char .*settings\[\]/,/;$/p' dist/library/environment.c | grep -oE '"[A-Z_]+"' | tr -d '"' | sed 's/^/GRIDBLAS_/' | diff - "$tmp/told" ||
  { echo "names in dist/library/environment.c (<) and in docs/settings.md (>)"; bad=1; }
[ "$(wc -l <"$tmp/read")" -le 18 ] || { echo "more than 18 environment variables"; bad=1; }
sed -n '/^## Tuning/,$s/^| `\([a-z0-9_]*\)` | \([a-z0-9]*\) |.*/\1 \2/p' docs/settings.md >"$tmp/fields"
[ -s "$tmp/fields" ] || { echo "docs/settings.md has no table of tuning"; bad=1; }
while read -r name standard; do
  case $standard in on) standard=true ;; off) standard=false ;; esac
  value=$(sed -n "s/^ *FIELD([a-z0-9_]*, $name, \([^,]*\),.*/\1/p" semiring/support/tuning.h)
  # shellcheck disable=SC2004 # an expression
  case $value in *'<<'*) value=$(($value)) ;; esac
  [ "$value" = "$standard" ] || { echo "$name: \"$standard\" in docs/settings.md, \"$value\" in tuning.h"; bad=1; }
done <"$tmp/fields"
methods() { tr -c 'a-z-' '\n' | grep . | sort; }
for table in mxv mxm; do
  grep -rhoE '\.name = "[a-z-]+"' "dist/product/$table" | sed 's/.*"\(.*\)"/\1/' | sort >"$tmp/methods"
  sed -n "s/^ *{\"$table\", \"\(.*\)\"},/\1/p" semiring/support/tuning.c | methods | diff "$tmp/methods" - || { echo "$table: methods (<) and names in tuning.c (>)"; bad=1; }
  sed -n "s/^| \`mxv\`, \`mxm\` .* $table: \([^;.]*\)[;.].*/\1/p" docs/settings.md | methods | diff "$tmp/methods" - || { echo "$table: methods (<) and names in docs/settings.md (>)"; bad=1; }
done
exit $bad
