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

# What the device has kernels for, as TABLE.ROW: the rows of the backend's tables that are not NULL.
# table NAME HEADER STRUCT SOURCE: the members of the struct, and the table of that type in the source, in their order or by name.
table() {
  awk -v s="struct $3 {" 'index($0, s) { on = 1; next } on && /^}/ { exit } on' "$source/$2" |
    grep -oE '\(\*[a-z_]+\)\(|\*[a-z_]+;' | tr -d '(*);' >"$tmp/members"
  grep -q "grid_cuda_$1\b" "$source/spmat/cuda/cuda_backend.c" || return 0 # the backend does not name it
  awk -v v="grid_cuda_$1 = {" 'index($0, v) { on = 1 } on { print } on && /};/ { exit }' "$source/$4" | tr -d '\n' |
    sed 's/.*= {//; s/};.*//' | tr ',' '\n' | awk -v table="$1" -v members="$tmp/members" '
      BEGIN { while ((getline line <members) > 0) member[++n] = line }
      { gsub(/ /, ""); k++; name = member[k] }
      /^\./ { split($0, part, "="); name = substr(part[1], 2); $0 = part[2] }
      $0 != "NULL" && name != "" { print table "." name }'
}
{
  table chunks spmat/vector/backend.h grid_device_chunks spmat/cuda/vector/vec_write.c
  table vectors spmat/vector/backend.h grid_device_vectors spmat/cuda/vector/vec_cuda.c
  table lists spmat/vector/backend.h grid_device_lists spmat/cuda/gather/gather_scatter.cu
  table lmat_ops spmat/lmat_ops.h grid_device_lmat_ops spmat/cuda/matrix/lmat_entrywise.c
  table builder spmat/matrix/device_build.h grid_builder spmat/cuda/build/lmat_build.cu
  table products spmat/local_product.h grid_device_products spmat/cuda/product/product_help.cu
} >"$tmp/rows"

# FILE or function | the rows that it asks for | where it runs if all are there (else: on the CPU)
cat >"$tmp/places" <<'E_PLACES'
dist/product/mxv/mxv.c | products.is_supported products.count | GPU
dist/op/vector_apply.c | vectors.apply vectors.apply_first vectors.apply_second vectors.apply_index | GPU
dist/op/vector_select.c | vectors.select | GPU
dist/op/vector_ewise.c | vectors.ewise | GPU
dist/op/vector_reduce.c | vectors.reduce | GPU
dist/op/vector_assign.c | chunks.write_plan chunks.write_run lists.scatter | GPU; lists on several processes: dealt out on the CPU
dist/op/vector_extract.c | chunks.write_plan chunks.write_run lists.gather | GPU; lists on several processes: dealt out on the CPU
dist/op/vector_gather.c | lists.gather lists.combine lists.sort lists.owners lists.gather_at lists.store_received | GPU
dist/op/matrix_reduce.c | products.count lmat_ops.sum | GPU
dist/op/matrix_degree.c | vectors.select products.count | GPU
dist/op/matrix/matrix_apply.c | lmat_ops.apply lmat_ops.apply_bound lmat_ops.apply_index lmat_ops.expand_hyper | GPU; very hypersparse blocks: CPU
dist/op/matrix/matrix_select.c | lmat_ops.select lmat_ops.expand_hyper | GPU; very hypersparse blocks: CPU
dist/op/matrix/matrix_ewise.c | lmat_ops.ewise_union lmat_ops.intersect lmat_ops.expand_hyper | GPU; very hypersparse blocks: CPU
dist/op/matrix/matrix_transpose.c | lmat_ops.transposed lmat_ops.bin_entries | GPU
dist/product/mxm/mxm.c | lmat_ops.multiply lmat_ops.ends lmat_ops.bin_entries | GPU
dist/op/matrix/matrix_extract.c | lmat_ops.extract lmat_ops.bin_entries | GPU
dist/op/matrix/matrix_assign.c | lmat_ops.spread lmat_ops.assign lmat_ops.allowed lmat_ops.full lmat_ops.bin_entries | GPU
dist/op/matrix/kronecker.c | lmat_ops.kron lmat_ops.extract lmat_ops.bin_entries | GPU
dist/op/matrix/matrix_row_col.c | lmat_ops.get_vector lmat_ops.diagonal lmat_ops.assign | GPU
dist/matrix/matrix_build.c | builder.build builder.pack | GPU; more than 2³² rows or columns: CPU
dist/matrix/matrix_element.c | lmat_ops.element lmat_ops.ewise_union | GPU; changes are noted on the CPU and merged on the GPU
GrB_Vector_resize | chunks.combine | GPU on one process; else CPU
GrB_Matrix_diag | lmat_ops.diagonal | GPU
Grid_Matrix_indicator | lmat_ops.point lmat_ops.bin_entries | GPU; more than 2³² rows or columns: CPU
GrB_Matrix_resize | lmat_ops.extract lmat_ops.bin_entries | GPU
dist/io/rmat/rmat.c | builder.rmat | GPU
E_PLACES

cat <<E_HEAD
# The functions

Made by \`docs/make_api.sh\` from the object files; a test holds it to them. Of the GraphBLAS C API 2.1 the library has $(sort "$source/tests/twin/functions.txt" | comm -12 - "$tmp/names" | wc -l) of $(wc -l <"$source/tests/twin/functions.txt") functions
and $(comm -12 "$tmp/all_objects" "$tmp/names" | wc -l) of $(wc -l <"$tmp/all_objects") predefined objects. \`T\` stands for each of the 11 predefined types.

* *runs on*: GPU, where the tables of the device's backend (\`spmat/cuda\`) have the rows for it (with \`GRIDBLAS_DEVICE=cuda\`; what it lacks there, as for operators that have no text, is done on the CPU and reported: \`--verbose\`, \`Grid_fallback\`); arrays, where entries come from the program's arrays or go there, by the CPU; CPU, else;
  a dash: an object is made, asked, copied or freed, and nothing is computed. What is CPU has no kernel: moving objects between uneven cuts, a vector's resize on several processes. Lists of indices are a program's arrays: the CPU looks up whom they concern, entries travel between device memories. A block is *very hypersparse* if it has more than 2²² rows and fewer than an entry for 64 of them, or more than 2³² rows: offsets for all of them would be dearer than the CPU.
* *twin*: the twin programs (\`tests/twin\`) call it, and compare with SuiteSparse:GraphBLAS.
* *call*: collective, made by all processes of the grid with the same arguments; or local.

E_HEAD

join "$tmp/public" "$tmp/defined" | awk '$2 == "T"' >"$tmp/functions"
awk -v twin="$tmp/twin" -v rows="$tmp/rows" -v places="$tmp/places" '
  function place(file, f,   k, key) {
    key = f in asks ? f : file
    if (key in asks) {
      k = split(asks[key], row, " ")
      while (k > 0 && row[k] in there) k--
      return k == 0 ? runs[key] : "CPU"
    }
    if (file ~ /^algos\//) return "as its calls"
    if (file ~ /^(dist\/(grid|comm)\/|dist\/(op\/library_init|plan\/network|product\/product_trace|object\/burble)\.c$|semiring|spmat)/) return "-"
    if (file ~ /^dist\/(interchange\/(get_set|print|type_names)|vector\/(scalar|vector)|matrix\/matrix)\.c$/) return "-"
    if (file ~ /^dist\/(interchange\/matrix_(export|import|serialize)|matrix\/transfer\/matrix_tuples|vector\/vector_tuples)\.c$/) return "arrays"
    return "CPU"
  }
  # What one process may call alone, by name.
  function call(name) {
    if (name ~ /_(error|type|type_name)$/ || name ~ /_get_[A-Za-z0-9]+$/) return "local"
    if (name ~ /^G[rx]B_(Type|UnaryOp|BinaryOp|IndexUnaryOp|Monoid|Semiring|Descriptor|Global)_/) return "local"
    if (name ~ /^GrB_(Matrix_(nrows|ncols|exportHint)|Vector_size|getVersion)$/) return "local"
    if (name ~ /^GrB_Scalar_(setElement|extractElement|clear|nvals|wait)/ || name == "GxB_Scalar_fprint") return "local"
    if (name ~ /^Grid_(rank|size|shape|threads|last_error|info_name|device|device_info|fallback|local_range|memory|traffic|Edges_free|span_begin|span_end|progress|progress_set|progress_end|temporary_(create|drop|unlink))$/) return "local"
    if (name ~ /^Grid_(Type|UnaryOp|BinaryOp|IndexUnaryOp)_new$/ || name ~ /^Grid_(Matrix|Vector)_extractLocal$/) return "local"
    return "collective"
  }
  # The family of a name: its type as T.
  function family(name) {
    if (name ~ /_(BOOL|INT8|INT16|INT32|INT64|UINT8|UINT16|UINT32|UINT64|FP32|FP64)$/ && name !~ /_[gs]et_INT32$/) sub(/_[A-Z]+[0-9]*$/, "_T", name)
    return name
  }
  BEGIN {
    while ((getline line <twin) > 0) called[line] = 1
    while ((getline line <rows) > 0) there[line] = 1
    while ((getline line <places) > 0) {
      split(line, field, / \| /)
      asks[field[1]] = field[2]; runs[field[1]] = field[3]
    }
  }
  {
    f = family($1)
    if (!(f in file)) { order[++n] = f; file[f] = $3; where[f] = place($3, f); who[f] = call($1) }
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
