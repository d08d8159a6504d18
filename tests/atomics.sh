#!/bin/bash
# Checks that the compiled CUDA kernels contain the atomic instructions that they need. A plain write instead of one is a race that tests seldom detect.
# Reads the library's machine code with cuobjdump; where there is none, nvcc's PTX of the same sources.
# Usage: atomics.sh SOURCE_DIR LIBRARY NVCC
set -u
source=$1 library=$2 nvcc=$3

# source file | kernels (part of the mangled name, a regular expression) | operation | purpose
table='
search/search.cu            | search_kernel                        | OR  | a vertex is claimed once
search/search.cu            | search_kernel                        | ADD | positions in queues, arrivals at the barrier
search/level.cu             | push_lists                           | OR  | a vertex is claimed once, by lists,
search/level.cu             | push_bits                            | OR  | by bits,
search/level.cu             | push_segments                        | OR  | and by segments of long vectors
search/level.cu             | push_lists                           | ADD | positions in the lists of vertices found
search/level.cu             | set_list_bits_kernel                 | OR  | a list becomes a bitmap
search/level.cu             | pull_first                           | OR  | bits of vertices found
search/level.cu             | pull_first                           | ADD | positions in the list of unfinished rows
search/level.cu             | pull_open                            | OR  | bits of vertices found
search/level.cu             | pull_open                            | ADD | positions in the list of unfinished rows
search/level.cu             | pull_deferred                        | OR  | bits of vertices found in long rows
search/level_delegates.cu   | mark_kernel                          | ADD | delegates
search/materialize.cu       | materialize_kernel                   | ADD | entries of vectors
search/least_parent.cu      | push_parents_kernel                  | MIN | least parents
product/product.cu          | grid_product_push                    | OR  | bits of the outputs
product/product.cu          | grid_product_push                    | ADD | positions in the frontier list, arrivals at the barrier
product/product.cu          | grid_product_push.*plus_times        | ADD | sums
product/product.cu          | grid_product_push.*min_plus_int      | MIN | minima
product/product.cu          | grid_product_push.*min_plus_fp       | CAS | minima of numbers that have no MIN
product/product.cu          | grid_product_pull_segments           | OR  | rows that several warps share
product/product_help.cu     | count_terms                          | ADD | entries and rows that a product meets
product/page_decode.cu      | mark_vectors                         | OR  | entries with which vectors begin
product/page_decode.cu      | decode_coded                         | MIN | the number of a damaged page
build/rmat.cu               | generate                             | ADD | positions among the keys
build/hypersparse.cu        | mark_vertices                        | OR  | vertices with an entry
build/split_by_delegates.cu | bin_block_entries                    | ADD | positions among the keys of a class
build/split_by_delegates.cu | list_high_degree                     | ADD | positions among the delegates
build/degrees.cu            | count_by_entries                     | ADD | degrees
matrix/mxm.cu               | count_by_block                       | OR  | columns of a row
matrix/mxm.cu               | count_by_block                       | ADD | each row is claimed once
matrix/mxm.cu               | fill_by_block                        | OR  | columns of a row
matrix/mxm.cu               | count_short                          | CAS | columns in a table
matrix/mxm_dots.cu          | dots_by_block                        | OR  | inner indices of a row, results
matrix/mxm_dots.cu          | dots_short                           | OR  | results
matrix/mxm_masked.cu        | masked_by_block                      | CAS | columns of the mask in a table
matrix/mxm_masked.cu        | masked_by_block                      | OR  | positions with a sum, results
matrix/mxm_masked.cu        | masked_by_warp                       | CAS | columns of the mask in a table
matrix/mxm_masked.cu        | masked_by_warp                       | OR  | positions with a sum, results
matrix/mxm_work.cu          | fill_buckets                         | ADD | positions in the list of rows
matrix/mxm_work.cu          | sum_work                             | ADD | total number of products
matrix/mxm_hub_bits.cu      | choose_units                         | ADD | entries by rank
matrix/mxm_hub_bits.cu      | sample_saved                         | ADD | look-ups that bits save
matrix/mxm_hub_bits.cu      | set_bits                             | OR  | inner indices of a vector
matrix/mxm_hub_bits.cu      | count_common                         | OR  | inner indices of a row, results
matrix/lmat_permute.cu      | write_row_sources                    | MAX | the last of several source rows of an output row
matrix/lmat_permute.cu      | count_mapped                         | ADD | number of output columns of a column
matrix/lmat_permute.cu      | list_positions                       | ADD | positions among those
matrix/lmat_permute.cu      | lmat_permute_cu.*write_keys          | ADD | entries without an output column
graph/lmat_best_label.cu    | search_[sml][a-z]*_rows              | CAS | places of labels in tables
graph/lmat_best_label.cu    | search_[sml][a-z]*_rows              | ADD | sums by label, rows found
graph/lmat_best_label.cu    | search_[sml][a-z]*_rows              | OR  | bits of the rows found
graph/lmat_best_label.cu    | read_labels                          | ADD | labels that are no number of a row
graph/lmat_color.cu         | color_vertices                       | ADD | each task is claimed once, tasks of a hub that are done
graph/lmat_color.cu         | color_vertices                       | OR  | colors of neighbors
graph/lmat_color.cu         | store_colors                         | ADD | vertices with a color
graph/lmat_color.cu         | store_colors                         | MAX | colors
graph/lmat_path.cu          | find_path                            | CAS | a vertex is found once
graph/lmat_path.cu          | find_path                            | ADD | positions in the list of vertices found
graph/lmat_path.cu          | find_path                            | MIN | the smallest vertex where the searches meet
graph/lmat_sample.cu        | draw_entries                         | OR  | bits of rows that share a word
graph/lmat_sample.cu        | lmat_sample_cu.*write_rows           | OR  | bits of columns
graph/lmat_distances.cu     | search_words.*                       | OR  | bits of searches that reach a vertex, or any
graph/lmat_peel.cu          | remove_levels                        | ADD | degrees, positions in the queue and among the rest
graph/lmat_peel.cu          | remove_levels                        | MAX | the least degree of the rest
matrix/lmat_region.cu       | set_bits                             | OR  | rows or columns of a region
vector/chunk.cu             | scatter_bits                         | OR  | a list becomes a bitmap
gather/gather_scatter.cu    | mark_positions                       | OR  | bits of the listed indices
gather/gather_scatter.cu    | find_last                            | MAX | the last entry of an index
gather/gather_scatter.cu    | find_runs                            | OR  | bits of the indices
gather/exchange_dense.cu    | write_chunks                         | ADD | arrivals at the barrier
gather/exchange_sparse.cu   | flow_sparse                          | ADD | positions in lists, arrivals at the barrier
gather/exchange_sparse.cu   | flow_sparse                          | OR  | bits of received entries
gather/exchange_sparse.cu   | request_sparse                       | ADD | positions in lists, arrivals at the barrier
gather/exchange_sparse.cu   | reply_sparse                         | ADD | positions in lists, arrivals at the barrier
'

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cuobjdump=$(command -v cuobjdump || echo "$(dirname "$nvcc")/cuobjdump")
if [ -x "$cuobjdump" ] && "$cuobjdump" -sass "$library" 2>/dev/null >"$tmp/sass" && grep -q 'Function :' "$tmp/sass"; then
  echo "machine code, by $cuobjdump"
  # KERNEL OPERATION, one line each
  awk '/Function :/ { kernel = $3; print kernel, "-" }
       match($0, /(REDG?|ATOM[GS]?)\.(E\.)?[A-Z]+/) { op = substr($0, RSTART, RLENGTH); sub(/.*\./, "", op); print kernel, op }' \
    "$tmp/sass" | sort -u >"$tmp/found"
else
  echo "PTX, by $nvcc (there is no cuobjdump, or no machine code in the library)"
  awk -F ' *[|]' 'NF > 1 { print $1 }' <<<"$table" | sort -u | xargs -P "$(nproc)" -I FILE \
    "$nvcc" -std=c++17 -O3 -DNDEBUG -arch=compute_90 -I"$source" -I"$source/include" -odir "$tmp" -ptx "$source/spmat/cuda/FILE" || { echo "no PTX"; exit 1; }
  awk '/\.entry / { kernel = $0; sub(/.*\.entry /, "", kernel); sub(/\(.*/, "", kernel); print kernel, "-" }
       match($0, /[ \t](atom|red)\.([a-z0-9_:]+\.)*(or|add|min|max|cas|exch)\./) {
         op = substr($0, RSTART, RLENGTH - 1); sub(/.*\./, "", op); print kernel, toupper(op) }' "$tmp"/*.ptx | sort -u >"$tmp/found"
fi
[ -s "$tmp/found" ] || { echo "no kernels found"; exit 1; }

bad=0
checked=0
while IFS='|' read -r file kernels operation purpose; do
  [ -n "$kernels" ] || continue
  kernels=$(echo "$kernels" | xargs) operation=$(echo "$operation" | xargs)
  names=$(awk -v p="$kernels" '$2 == "-" && $1 ~ p { print $1 }' "$tmp/found")
  if [ -z "$names" ]; then
    echo "no kernel $kernels in ${file// /} any more: correct the table in atomics.sh"
    bad=1
  fi
  for name in $names; do
    checked=$((checked + 1))
    if ! grep -qxF "$name $operation" "$tmp/found"; then
      echo "$name has no atomic $operation (${purpose# })"
      bad=1
    fi
  done
done <<<"$table"
echo "atomics: $checked checked in $(awk '$2 == "-"' "$tmp/found" | wc -l) kernels"
exit $bad
