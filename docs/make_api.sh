#!/bin/sh
# Makes docs/api.md: every public function, where it is defined, where it runs, whether the twin programs call it, who makes the call. Read from
# the object files, the list of the standard's functions and objects in tests/, and the tables below. Says on standard error what the standard
# has and the library lacks.
# Usage: make_api.sh SOURCE_DIR OBJECTS TWIN_OBJECTS >docs/api.md     (files that list object files, one a line, of the library and of twin_gridblas)
set -eu
source=$1 objects=$2 twins=$3
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
LC_ALL=C
export LC_ALL

# Public functions and objects: name, kind (T: function), file.
grep -v '^ *$' "$objects" | while read -r object; do
  file=${object##*gridblas.dir/} file=${file#./}
  nm --defined-only --extern-only --format=posix "$object" | awk -v file="${file%.o}" '$1 ~ /^(grid_G[rx]B_|Grid_)/ { sub(/^grid_/, "", $1); print $1, $2, file }'
done | sort >"$tmp/defined"
grep -v '^ *$' "$twins" | xargs nm --undefined-only --format=posix | awk '$1 ~ /^grid_GrB_/ { sub(/^grid_/, "", $1); print $1 }' | sort -u >"$tmp/twin"
# Names that the public headers show; others that look alike are the library's own.
printf '#include <gridblas.h>\n#include <gridblas_algos.h>\n' >"$tmp/all.c"
"${CC:-cc}" -E -P -I"$source/include" "$tmp/all.c" | grep -oE '\b(grid_G[rx]B_|Grid_)[A-Za-z0-9_]+' | sed 's/^grid_//' | sort -u >"$tmp/public"

cut -d' ' -f1 "$tmp/defined" >"$tmp/names"
sort "$source/tests/twin/functions.txt" | comm -23 - "$tmp/names" >"$tmp/lacking"
sed -n 's/^[A-Za-z]*(\(GrB_[A-Z0-9_a-z]*\))$/\1/p' "$source/tests/standard_objects.inc" | sort >"$tmp/objects"
printf 'GrB_ALL\nGrB_GLOBAL\n' | sort -u - "$tmp/objects" >"$tmp/all_objects"
comm -23 "$tmp/all_objects" "$tmp/names" >>"$tmp/lacking"
if [ -s "$tmp/lacking" ]; then
  echo "the library lacks: $(tr '\n' ' ' <"$tmp/lacking")" >&2
fi

cat <<E_HEAD
# The functions

Made by \`docs/make_api.sh\` from the object files; a test holds it to them. Of the GraphBLAS C API 2.1 the library has $(sort "$source/tests/twin/functions.txt" | comm -12 - "$tmp/names" | wc -l) of $(wc -l <"$source/tests/twin/functions.txt") functions
and $(comm -12 "$tmp/all_objects" "$tmp/names" | wc -l) of $(wc -l <"$tmp/all_objects") predefined objects. \`T\` stands for each of the 11 predefined types.

* *runs on*: GPU, where the device has kernels for it (with \`GRIDBLAS_DEVICE=cuda\`; what it lacks there is done on the CPU and reported); CPU, else; a dash: an object is made, asked or freed, and nothing is computed.
* *twin*: the twin programs (\`tests/twin\`) call it, and compare with SuiteSparse:GraphBLAS.
* *call*: collective, made by all processes of the grid with the same arguments; or local.

E_HEAD

join "$tmp/public" "$tmp/defined" | awk '$2 == "T"' >"$tmp/functions"
awk -v twin="$tmp/twin" '
  function place(file) {
    if (file ~ /^dist\/op\/(mxv|apply|select|ewise|reduce|matrix_reduce|degree)\.c$/) return "GPU"
    if (file ~ /^dist\/op\/matrix\/(apply|select|ewise)\.c$/) return "GPU on one process; else CPU"
    if (file == "dist/op/matrix/transpose.c") return "GPU on one process; else CPU"
    if (file == "dist/op/matrix/mxm.c") return "GPU on one process; else CPU"
    if (file == "dist/op/matrix/extract.c") return "GPU on one process, no column named twice; else CPU"
    if (file == "dist/op/matrix/assign.c") return "GPU on one process: a whole matrix, a value under a mask; else CPU"
    if (file == "dist/op/assign.c") return "GPU; lists of indices: CPU"
    if (file == "dist/object/matrix/matrix_build.c" || file == "dist/object/matrix/matrix_route.c") return "GPU; hypersparse blocks: CPU"
    if (file ~ /^dist\/read\/rmat/) return "GPU"
    if (file ~ /^algos\//) return "as its calls"
    if (file ~ /^(dist\/op\/(init)|dist\/grid|semiring|spmat)/) return "-"
    if (file ~ /^dist\/object\/(get_set|print|type_names|scalar|check|matrix|vector)\.c$/) return "-"
    return "CPU"
  }
  # What one process may call alone, by name.
  function call(name) {
    if (name ~ /_(error|type|type_name)$/ || name ~ /_get_[A-Za-z0-9]+$/) return "local"
    if (name ~ /^G[rx]B_(Type|UnaryOp|BinaryOp|IndexUnaryOp|Monoid|Semiring|Descriptor|Global)_/) return "local"
    if (name ~ /^GrB_(Matrix_(nrows|ncols|exportHint)|Vector_size|getVersion)$/) return "local"
    if (name ~ /^GrB_Scalar_(setElement|extractElement|clear|nvals|wait)/ || name == "GxB_Scalar_fprint") return "local"
    if (name ~ /^Grid_(rank|size|shape|threads|last_error|info_name|device|device_info|fallback|share|memory|traffic|Edges_free)$/) return "local"
    if (name ~ /^Grid_(Type|UnaryOp|BinaryOp|IndexUnaryOp)_new$/ || name ~ /^Grid_(Matrix|Vector)_extractLocal$/) return "local"
    return "collective"
  }
  # The family of a name: its type as T.
  function family(name) {
    if (name ~ /_(BOOL|INT8|INT16|INT32|INT64|UINT8|UINT16|UINT32|UINT64|FP32|FP64)$/ && name !~ /_[gs]et_INT32$/) sub(/_[A-Z]+[0-9]*$/, "_T", name)
    return name
  }
  BEGIN { while ((getline line <twin) > 0) called[line] = 1 }
  {
    f = family($1)
    if (!(f in file)) { order[++n] = f; file[f] = $3; where[f] = place($3); who[f] = call($1) }
    count[f]++
    twins[f] += $1 in called
  }
  END {
    title["GrB_"] = "The standard"; title["GxB_"] = "Beside the standard"; title["Grid_"] = "gridblas"
    for (p = 1; p <= 3; p++) {
      prefix = p == 1 ? "GrB_" : p == 2 ? "GxB_" : "Grid_"
      printf "## %s\n\n| function | file | runs on | twin | call |\n| --- | --- | --- | --- | --- |\n", title[prefix]
      for (k = 1; k <= n; k++) {
        f = order[k]
        if (index(f, prefix) != 1) continue
        seen = prefix != "GrB_" ? "" : twins[f] == count[f] ? "yes" : twins[f] ? twins[f] " of " count[f] : "no"
        printf "| `%s` | `%s` | %s | %s | %s |\n", f, file[f], where[f], seen, who[f]
      }
      print ""
    }
  }' "$tmp/functions" | sed '$d'
[ ! -s "$tmp/lacking" ]
