// Converts the entries of a local matrix to keys for other processes: each gets the process whose block has
// its position, and its position there; keys are sorted by process.
//
// Peak memory: 24 bytes an entry, and CUB's temporary memory; afterwards 12 and a value.
#include "spmat/cuda/matrix/selected_entries.cuh"

namespace {

enum { THREADS = GRID_CSR_THREADS };

// The chunks of a dimension, as grid_binning_chunks; first and local are in device memory.
struct chunks {
  uint64_t q, P;
  const uint64_t *first, *local;
};

struct binning {
  grid_csr_pattern m;
  grid_device_index_map rows, cols;
  const uint64_t *row_table, *col_table;  // in device memory, or NULL
  bool flip, all;
  chunks row_chunks, col_chunks;
  uint64_t R;
  int shift, bits;
};

__device__ uint64_t position_of(const grid_device_index_map &p, const uint64_t *table, uint64_t k) {
  return table ? table[k] : grid_device_index_map_at(p, k);
}

// The chunk of index v; *offset: v within it.
__device__ uint64_t chunk_of(const chunks &c, uint64_t v, uint64_t *offset) {
  uint64_t k = 0, end = c.P;
  if (!c.first) k = v / c.q;
  while (c.first && end - k > 1) {  // the last chunk that begins at v or before
    const uint64_t mid = k + (end - k) / 2;
    if (c.first[mid] <= v)
      k = mid;
    else
      end = mid;
  }
  *offset = v - (c.first ? c.first[k] : k * c.q);
  return k;
}

// As in dist/grid/layout.h; the process is above the key.
__device__ uint64_t key_of(const binning &d, uint64_t r, uint64_t c) {
  const uint64_t row = d.flip ? c : r, col = d.flip ? r : c;
  if (d.all) return row << d.shift | col;
  uint64_t local_row, local_col;
  const uint64_t row_chunk = chunk_of(d.row_chunks, row, &local_row),
                 col_chunk = chunk_of(d.col_chunks, col, &local_col), i = row_chunk % d.R,
                 j = col_chunk / d.R;
  local_row += d.row_chunks.first ? d.row_chunks.local[row_chunk] : row_chunk / d.R * d.row_chunks.q;
  local_col += d.col_chunks.first ? d.col_chunks.local[col_chunk] : col_chunk % d.R * d.col_chunks.q;
  return (j * d.R + i) << d.bits | local_row << d.shift | local_col;
}

__global__ void __launch_bounds__(THREADS) write_keys(binning d, uint64_t *key) {
  grid_csr_for_each(d.m, [&](bool active, uint64_t e, uint64_t lo, uint64_t hi) {
    if (!active) return;
    const uint64_t r = position_of(d.rows, d.row_table, grid_csr_find_row(d.m.ptr, lo, hi, e));
    key[e] = key_of(d, r, position_of(d.cols, d.col_table, d.m.idx[e]));
  });
}

// first[r] = the first of n sorted keys for process r or a later one, r <= P
__global__ void find_first(const uint64_t *key, uint64_t n, int bits, uint64_t P, uint64_t *first) {
  GRID_FOR(r, P + 1) {
    uint64_t from = 0, to = n;
    while (from < to) {
      const uint64_t mid = from + (to - from) / 2;
      if (key[mid] >> bits < r)
        from = mid + 1;
      else
        to = mid;
    }
    first[r] = from;
  }
}

__global__ void drop_process(uint64_t *key, uint64_t n, uint64_t mask) {
  GRID_FOR(e, n) key[e] &= mask;
}

// *to: the bounds in one block of device memory, *memory, or an even size.
GrB_Info send_chunks(const grid_binning_chunks *c, uint64_t P, chunks *to, uint64_t **memory) {
  GrB_Info info = GrB_SUCCESS;
  *to = chunks{c->q, P, NULL, NULL};
  if (!c->first) return info;
  uint64_t *at = *memory = (uint64_t *)grid_device_malloc(2 * P, sizeof *at);
  if (!at) TRY(grid_device_fail_memory(NULL, "bounds of chunks", 2 * P, sizeof *at));
  TRY(grid_device_write(at, c->first, P * sizeof *at));
  TRY(grid_device_write(at + P, c->local, P * sizeof *at));
  to->first = at, to->local = at + P;
done:
  return info;
}

GrB_Info send_table(const grid_index_map *p, uint64_t n, uint64_t **to) {
  if (!p->table) return GrB_SUCCESS;
  return grid_device_send(to, p->table, n, sizeof **to, "positions of rows or columns");
}

// For each process, where its sorted keys begin.
GrB_Info split(grid_binned_entries *d, uint64_t P, int bits) {
  uint64_t *first = (uint64_t *)grid_device_malloc(P + 1, sizeof *first);
  GrB_Info info = GrB_SUCCESS;
  if (!first) TRY(grid_device_fail_memory(NULL, "positions of entries to send", P + 1, sizeof *first));
  find_first<<<grid_cuda_blocks_for(P + 1), 256, 0, grid_cuda_stream()>>>(d->keys, d->n, bits, P, first);
  drop_process<<<grid_cuda_blocks_for(d->n), 256, 0, grid_cuda_stream()>>>(d->keys, d->n,
                                                                           (UINT64_C(1) << bits) - 1);
  TRY(grid_cuda_check_launch("entries to send"));
  info = grid_device_get(d->first, first, (P + 1) * sizeof *first);
done:
  grid_device_free(first);
  return info;
}

// Sorts keys by process, with their numbers.
GrB_Info sort(grid_binned_entries *d, grid_numbers *number, const grid_binning *how) {
  grid_keys k = {d->keys, NULL, d->n};
  GrB_Info info;
  TRY(grid_cuda_number(number, d->n));
  k.other = (uint64_t *)grid_device_malloc(d->n, sizeof *k.other);
  if (!k.other) TRY(grid_device_fail_memory(NULL, "entries to send", d->n, sizeof *k.other));
  TRY(grid_cuda_sort_pairs(&k, how->bits, grid_cuda_bits(how->P), &number->at, &number->other));
done:
  d->keys = k.at;
  grid_device_free(k.other);
  return info;
}

}  // namespace

extern "C" GrB_Info grid_cuda_lmat_bin_entries(grid_binned_entries *d, const grid_local_matrix *p,
                                               const grid_binning *how) {
  binning x = {grid_csr_pattern_of(p),
               grid_device_index_map_of(how->rows),
               grid_device_index_map_of(how->cols),
               NULL,
               NULL,
               how->flip,
               how->all,
               {},
               {},
               how->R,
               how->shift,
               how->bits};
  uint64_t *row_table = NULL, *col_table = NULL, *bounds[2] = {NULL, NULL};
  grid_numbers number = {NULL, NULL};
  const uint64_t n = p->nvals, size = p->type->size;
  GrB_Info info;
  d->n = n;
  TRY(grid_cuda_check_free((how->all ? 8 : 24) * n + (how->all ? 0 : grid_cuda_sort_bytes(n)),
                           "entries to send"));
  TRY(send_chunks(&how->row_chunks, how->P, &x.row_chunks, &bounds[0]));
  TRY(send_chunks(&how->col_chunks, how->P, &x.col_chunks, &bounds[1]));
  TRY(send_table(how->rows, how->row_table, &row_table));
  TRY(send_table(how->cols, how->col_table, &col_table));
  x.row_table = row_table, x.col_table = col_table;
  d->keys = (uint64_t *)grid_device_malloc(n, sizeof *d->keys);
  if (!d->keys) TRY(grid_device_fail_memory(NULL, "entries to send", n, sizeof *d->keys));
  write_keys<<<grid_cuda_csr_blocks(n), THREADS, 0, grid_cuda_stream()>>>(x, d->keys);
  TRY(grid_cuda_check_launch("entries to send"));
  if (!how->all) {
    TRY(sort(d, &number, how));
    TRY(split(d, how->P, how->bits));
  }
  if (p->iso) goto done;
  d->val = grid_device_malloc(n, size);
  if (!d->val) TRY(grid_device_fail_memory(NULL, "values to send", n, size));
  info = how->all ? grid_device_copy(d->val, p->by_row.val, n * size)
                  : grid_cuda_gather_values(d->val, p->by_row.val, number.at, n, size);
done:
  grid_cuda_numbers_free(&number);
  grid_device_free(bounds[0]);
  grid_device_free(bounds[1]);
  grid_device_free(row_table);
  grid_device_free(col_table);
  return info;
}
