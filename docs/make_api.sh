#!/bin/sh
# Generates docs/api.md: every public function, its source file, where it runs, whether the twin programs call it, and whether the call is collective.
# Sources: the object files, the lists of the standard's functions and objects in tests/, and the tables below. Prints on standard error which
# functions of the standard the library lacks.
# Usage: make_api.sh SOURCE_DIR OBJECTS TWIN_OBJECTS >docs/api.md     (OBJECTS, TWIN_OBJECTS: files that list the object files of the library and of twin_gridblas)
set -eu
source=$1 objects=$2 twins=$3
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
LC_ALL=C
export LC_ALL

# Public functions and objects: name, kind (T: function), file.
grep -v '^ *$' "$objects" | while read -r object; do
  file=${object##*gridblas.dir/} file=${file#./}
  nm --defined-only --extern-only --format=posix "$object" | awk -v file="${file%.o}" '$1 ~ /^(G[rx]B_|Grid_)/ { print $1, $2, file }'
done | sort >"$tmp/defined"
grep -v '^ *$' "$twins" | xargs nm --undefined-only --format=posix | awk '$1 ~ /^GrB_/ { print $1 }' | sort -u >"$tmp/twin"
# Names that the public headers declare; other names of this form are internal.
printf '#include <gridblas.h>\n#include <gridblas_algos.h>\n' >"$tmp/all.c"
"${CC:-cc}" -E -P -I"$source/include" "$tmp/all.c" | grep -oE '\b(G[rx]B_|Grid_)[A-Za-z0-9_]+' | sort -u >"$tmp/public"

cut -d' ' -f1 "$tmp/defined" >"$tmp/names"
sort "$source/tests/twin/functions.txt" | comm -23 - "$tmp/names" >"$tmp/lacking"
sed -n 's/^[A-Za-z]*(\(GrB_[A-Z0-9_a-z]*\))$/\1/p' "$source/tests/standard_objects.inc" | sort >"$tmp/objects"
printf 'GrB_ALL\nGrB_GLOBAL\n' | sort -u - "$tmp/objects" >"$tmp/all_objects"
comm -23 "$tmp/all_objects" "$tmp/names" >>"$tmp/lacking"
if [ -s "$tmp/lacking" ]; then
  echo "the library lacks: $(tr '\n' ' ' <"$tmp/lacking")" >&2
fi

# The operations for which the device has kernels, as TABLE.ROW: the rows of the backend's tables that are not NULL.
# table NAME HEADER STRUCT SOURCE: the members of the struct, and the table of that type in the source, in their order or by name.
table() {
  awk -v s="struct $3 {" 'index($0, s) { on = 1; next } on && /^}/ { exit } on' "$source/$2" |
    grep -oE '\(\*[a-z_]+\)\(|\*[a-z_]+;' | tr -d '(*);' >"$tmp/members"
  sed "s/^/$1./" "$tmp/members" >>"$tmp/known"
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
  table vectors spmat/vec_ops.h grid_vec_ops spmat/cuda/vector/vec_cuda.c
  table lists spmat/vector/backend.h grid_device_lists spmat/cuda/gather/gather_scatter.cu
  table lmat_ops spmat/lmat_ops.h grid_lmat_ops spmat/cuda/cuda_backend.c
  table builder spmat/matrix/device_build.h grid_builder spmat/cuda/build/lmat_build.cu
  table products spmat/local_product.h grid_device_products spmat/cuda/product/product_help.cu
} >"$tmp/rows"

# FILE or function | the rows that it needs | where it runs if all of them exist (else on the CPU)
cat >"$tmp/needs" <<'E_NEEDS'
dist/product/mxv/mxv.c | products.is_supported products.count | GPU
dist/op/vector_apply.c | vectors.apply vectors.apply_first vectors.apply_second vectors.apply_index | GPU
dist/op/vector_select.c | vectors.select | GPU
dist/op/vector_ewise.c | vectors.ewise | GPU
dist/op/vector_reduce.c | vectors.reduce | GPU
dist/op/vector_assign.c | chunks.write_plan chunks.write_run lists.scatter | GPU; index lists on several processes: scattered on the CPU
dist/op/vector_extract.c | chunks.write_plan chunks.write_run lists.gather | GPU; index lists on several processes: scattered on the CPU
dist/op/vector_gather.c | lists.gather lists.combine lists.sort lists.owners lists.gather_at lists.store_received | GPU
dist/op/matrix_reduce.c | products.count lmat_ops.sum | GPU
dist/op/matrix_degree.c | vectors.select products.count | GPU
dist/op/graph/matrix_best_label.c | lmat_ops.best_label | GPU; on several GPUs as products of matrices
dist/op/graph/matrix_move_labels.c | lmat_ops.move_labels | GPU; on several GPUs as products of matrices
dist/op/graph/matrix_peel.c | lmat_ops.peel | GPU; on several GPUs as products of vectors
dist/op/graph/matrix_distances.c | lmat_ops.distances | GPU; on several GPUs as products of vectors
dist/op/graph/matrix_color.c | lmat_ops.color | GPU; on several GPUs, and of matrices that are not symmetric, as products
dist/op/graph/matrix_walk.c | lmat_ops.walk | GPU; on several GPUs: CPU
dist/op/graph/matrix_sample.c | lmat_ops.sample | GPU; on several grid columns and of page files: CPU
dist/op/graph/matrix_path.c | lmat_ops.path | GPU; on several GPUs, and of matrices that are not symmetric, as products
dist/op/matrix/matrix_apply.c | lmat_ops.apply lmat_ops.apply_bound lmat_ops.apply_index lmat_ops.expand_hyper | GPU; very hypersparse blocks: CPU
dist/op/matrix/matrix_select.c | lmat_ops.select lmat_ops.expand_hyper | GPU; very hypersparse blocks: CPU
dist/op/matrix/matrix_ewise.c | lmat_ops.ewise_union lmat_ops.intersect lmat_ops.expand_hyper | GPU; very hypersparse blocks: CPU
dist/op/matrix/matrix_transpose.c | lmat_ops.transpose lmat_ops.bin_entries | GPU
dist/product/mxm/mxm.c | lmat_ops.multiply lmat_ops.row_ends lmat_ops.bin_entries | GPU
dist/op/submatrix/matrix_extract.c | lmat_ops.extract lmat_ops.bin_entries | GPU
dist/op/submatrix/matrix_assign.c | lmat_ops.scatter lmat_ops.assign lmat_ops.bin_entries | GPU
dist/op/submatrix/matrix_assign_value.c | lmat_ops.assign lmat_ops.fill_mask lmat_ops.fill_region | GPU
dist/op/matrix/kronecker.c | lmat_ops.kron lmat_ops.extract lmat_ops.bin_entries | GPU
dist/op/submatrix/matrix_row_col.c | lmat_ops.get_vector lmat_ops.diagonal lmat_ops.assign | GPU
dist/matrix/matrix_build.c | builder.build builder.pack | GPU; more than 2³² rows or columns: CPU
dist/matrix/matrix_element.c | lmat_ops.element lmat_ops.ewise_union | GPU; changes are recorded on the CPU and merged on the GPU
GrB_Vector_resize | chunks.combine | GPU on one process; else CPU
GrB_Matrix_diag | lmat_ops.diagonal | GPU
dist/plan/balance_partition.c | lmat_ops.bin_entries | blocks move between device memories, vectors through the host
dist/plan/rebalance_partition.c | lmat_ops.bin_entries | blocks move between device memories, vectors through the host
dist/order/matrix_order.c | lmat_ops.extract lmat_ops.bin_entries | process 0 orders on the CPU; entries travel between device memories
Grid_Matrix_indicator | lmat_ops.index_matrix lmat_ops.bin_entries | GPU; more than 2³² rows or columns: CPU
GrB_Matrix_resize | lmat_ops.extract lmat_ops.bin_entries | GPU
dist/io/rmat/rmat.c | builder.rmat | GPU
E_NEEDS
grep -oE ' [a-z_]+[.][a-z_]+( |$)' "$tmp/needs" | tr -d ' ' | grep -Fxv -f "$tmp/known" >&2 && { echo "make_api.sh: no table has the rows above" >&2; exit 1; }

cat <<E_HEAD
# The functions

Generated by \`docs/make_api.sh\` from the object files; the test \`api\` compares it with them. Of the GraphBLAS C API 2.1 the library has $(sort "$source/tests/twin/functions.txt" | comm -12 - "$tmp/names" | wc -l) of $(wc -l <"$source/tests/twin/functions.txt") functions
and $(comm -12 "$tmp/all_objects" "$tmp/names" | wc -l) of $(wc -l <"$tmp/all_objects") predefined objects. \`T\` stands for each of the 11 predefined types.

* *runs on*:
    * GPU: with \`GRIDBLAS_DEVICE=cuda\`, where the device's backend (\`spmat/cuda\`) has kernels for it. Cases without a kernel, such as operators without source text, fall back to the CPU, which \`--verbose\` and \`Grid_fallback\` report.
    * arrays: entries are copied between the library and the program's arrays, by the CPU.
    * CPU: there is no GPU kernel.
    * a dash: an object is created, queried, copied or freed; nothing is computed.

    Index lists are arrays of the program: the CPU determines the owners, and entries travel between device memories. A block is *very hypersparse* if it has more than 2²² rows and fewer than one entry in 64 rows, or more than 2³² rows: an offset for each row would cost more than computing on the CPU.
* *twin*: the twin programs (\`tests/twin\`) call it and compare with SuiteSparse:GraphBLAS.
* *call*: collective, made by all processes of the grid with the same arguments; or local.

The algorithms of [gridblas_algos.h](../include/gridblas_algos.h) are not listed: they are in \`algos/\` in public calls alone, so they run where those
calls run, and the comment above each declaration is its description.

E_HEAD

join "$tmp/public" "$tmp/defined" | awk '$2 == "T" && $3 !~ /^algos\//' >"$tmp/functions"
awk -v twin="$tmp/twin" -v rows="$tmp/rows" -v needs="$tmp/needs" '
  function runs_on(file, f,   k, key) {
    key = f in needed ? f : file
    if (key in needed) {
      k = split(needed[key], row, " ")
      while (k > 0 && row[k] in has_kernel) k--
      return k == 0 ? device[key] : "CPU"
    }
    if (file ~ /^(dist\/(grid|comm)\/|dist\/(library\/(library_init|contexts)|plan\/network|product\/product_trace|object\/burble)\.c$|semiring|spmat)/) return "-"
    if (file ~ /^dist\/(fields\/(options|context|fields)|extensions\/(arenas|iterator|containers\/container))/) return "-"
    if (file ~ /^dist\/(fields\/(get_set|type_names)|interchange\/print|vector\/(scalar|vector|vector_element)|matrix\/matrix)\.c$/) return "-"
    if (file ~ /^dist\/(interchange\/(views|matrix_(export|import|serialize))|extensions\/pack\/[a-z_]*|matrix\/transfer\/matrix_tuples|vector\/vector_(tuples|build))\.c$/) return "arrays"
    return "CPU"
  }
  # The calls that one process may make alone, by name.
  function call(name) {
    if (name ~ /_(error|type|type_name)$/ || name ~ /_get_[A-Za-z0-9]+$/) return "local"
    if (name ~ /^G[rx]B_(Type|UnaryOp|BinaryOp|IndexUnaryOp|IndexBinaryOp|SelectOp|Monoid|Semiring|Descriptor|Desc|Global|Context)_/) return "local"
    if (name ~ /^GxB_(Serialized_|Iterator_|[a-z]+Iterator_|(Matrix|Vector)_Iterator_|deserialize_type|Container_(new|free)|atfork|initialized|finalized)/) return "local"
    if (name ~ /^GxB_(Matrix|Vector)_(Option_get|memoryUsage|iso)/) return "local"
    if (name ~ /^GrB_(Matrix_(nrows|ncols|exportHint)|Vector_size|getVersion)$/) return "local"
    if (name ~ /^G[rx]B_Scalar_(setElement|extractElement|clear|nvals|wait|new|dup|free|memoryUsage)/ || name == "GxB_Scalar_fprint") return "local"
    if (name ~ /^Grid_(rank|size|shape|threads|last_error|info_name|device|device_info|device_of|fallback|local_range|memory|traffic|Edges_free|View_free|span_begin|span_end|progress|progress_set|progress_end|temporary_(create|drop|unlink)|cpu_time|device_time|layouts|layout_inspected|estimate_layouts|choose_delegates|device_search_seconds|memory_limit|memory_budget|format|Pages_append|Matrix_bytes_(read|sent)|Context_use)$/) return "local"
    if (name ~ /^Grid_(Type|UnaryOp|BinaryOp|IndexUnaryOp)_new$/ || name ~ /^Grid_(Matrix|Vector)_extractLocal$/) return "local"
    return "collective"
  }
  # The family of a name: its type as T.
  function family(name) {
    if (name ~ /_(BOOL|INT8|INT16|INT32|INT64|UINT8|UINT16|UINT32|UINT64|FP32|FP64|FC32|FC64)$/ && name !~ /_[gs]et_INT32$/) sub(/_[A-Z]+[0-9]*$/, "_T", name)
    return name
  }
  BEGIN {
    while ((getline line <twin) > 0) called[line] = 1
    while ((getline line <rows) > 0) has_kernel[line] = 1
    while ((getline line <needs) > 0) {
      split(line, field, / \| /)
      needed[field[1]] = field[2]; device[field[1]] = field[3]
    }
  }
  {
    f = family($1)
    if (!(f in file)) { order[++n] = f; file[f] = $3; where[f] = runs_on($3, f); who[f] = call($1) }
    count[f]++
    twins[f] += $1 in called
  }
  END {
    title["GrB_"] = "The standard"; title["GxB_"] = "Extensions named as in SuiteSparse:GraphBLAS"; title["Grid_"] = "gridblas"
    for (p = 1; p <= 3; p++) {
      prefix = p == 1 ? "GrB_" : p == 2 ? "GxB_" : "Grid_"
      printf "## %s\n\n| function | file | runs on | twin | call |\n| --- | --- | --- | --- | --- |\n", title[prefix]
      for (k = 1; k <= n; k++) {
        f = order[k]
        if (index(f, prefix) != 1) continue
        tested = prefix != "GrB_" ? "" : twins[f] == count[f] ? "yes" : twins[f] ? twins[f] " of " count[f] : "no"
        printf "| `%s` | `%s` | %s | %s | %s |\n", f, file[f], where[f], tested, who[f]
      }
      print ""
    }
  }' "$tmp/functions" | sed '$d'
[ ! -s "$tmp/lacking" ]
