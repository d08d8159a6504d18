/* A delegate split: freeing, tables for the device, its entries, look-up, storage. */
#include "dist/delegates/delegate_split.h"

#include <string.h>

#include "spmat/device/device.h"

void grid_split_bits_free(grid_split *s) {
  if (s->dd_cols.bits != s->dd_rows.bits) grid_free(s->dd_cols.bits);
  grid_free(s->dd_rows.bits);
  grid_free(s->dd_value);
  s->dd_rows = s->dd_cols = (grid_bit_rows){.bits = NULL};
  s->dd_value = NULL;
}

void grid_split_free(grid_split *s) {
  if (!s) return;
  grid_lmat_free(&s->nd);
  grid_lmat_free(&s->dn);
  grid_lmat_free(&s->dd);
  grid_split_bits_free(s);
  grid_free(s->id);
  grid_free(s->degree);
  grid_free(s->order);
  grid_free(s->start);
  grid_free(s->local_bits);
  grid_free(s->local_word);
  grid_free(s->local_word_rank);
  grid_free(s->local_numbers);
  grid_free(s->exchange);
  grid_free(s->merge);
  grid_device_free(s->device.vertices.ids);
  grid_device_free(s->device.local.ids);
  grid_device_free(s->device.gather_axis.ids);
  grid_free(s);
}

GrB_Info grid_split_to_host(const grid_split *s) {
  GrB_Info info = grid_lmat_to_host(&s->nd);
  if (info == GrB_SUCCESS) info = grid_lmat_to_host(&s->dn);
  return info == GrB_SUCCESS ? grid_lmat_to_host(&s->dd) : info;
}

/* ---- tables for the device ---- */

/* Makes an axis of n ids with the ids on the device, unless it exists. */
static GrB_Info send_axis(grid_axis *axis, const uint32_t *ids, uint64_t n, uint64_t dim) {
  if (axis->ids) return GrB_SUCCESS;
  *axis = (grid_axis){.dim = dim, .n = n};
  return grid_device_send(&axis->ids, ids, n, sizeof *ids, "indices of delegates");
}

GrB_Info grid_split_make_tables(GrB_Matrix A, grid_split *s) {
  const uint64_t P = (uint64_t)grid_ctx.P, k = (uint64_t)grid_ctx.k,
                 first = grid_chunk_first(A->nrows, grid_ctx.k);
  grid_split_tables *t = &s->device;
  GrB_Info info = GrB_SUCCESS;
  if (t->made) return info;
  uint32_t *ids = grid_malloc(s->d, sizeof *ids);
  if (!ids) TRY(grid_fail_memory(NULL, "indices of delegates", s->d, sizeof *ids));
  for (uint64_t o = 0; o < P; o++)
    if (s->start[o + 1] - s->start[o] > t->capacity) t->capacity = s->start[o + 1] - s->start[o];
  t->capacity = 64 * grid_words(t->capacity);
  for (uint64_t n = 0; n < s->d; n++) ids[n] = (uint32_t)s->id[n];
  TRY(send_axis(&t->vertices, ids, s->d, A->nrows));
  for (uint64_t o = 0; o < P; o++)
    for (uint64_t at = s->start[o]; at < s->start[o + 1]; at++)
      ids[s->order[at]] = (uint32_t)(o * t->capacity + at - s->start[o]);
  TRY(send_axis(&t->gather_axis, ids, s->d, P * t->capacity));
  for (uint64_t at = s->start[k]; at < s->start[k + 1]; at++)
    ids[at - s->start[k]] = (uint32_t)(s->id[s->order[at]] - first);
  TRY(send_axis(&t->local, ids, s->start[k + 1] - s->start[k], grid_local_padded_size(A->nrows)));
  t->made = true;
done:
  grid_free(ids);
  return info;
}

/* Bit-packed entries are replicated; each process counts every P-th row. */
static uint64_t count_local_bits(const grid_split *s) {
  uint64_t n = 0;
  for (uint64_t r = (uint64_t)grid_ctx.k; r < s->dd_rows.rows; r += (uint64_t)grid_ctx.P)
    for (uint64_t w = 0; w < s->dd_rows.words; w++)
      n += (uint64_t)__builtin_popcountll(grid_bit_row(&s->dd_rows, r)[w]);
  return n;
}

uint64_t grid_split_nvals(const grid_split *s) {
  return s->nd.nvals * (s->mirrored ? 2 : 1) + s->dn.nvals + s->dd.nvals + count_local_bits(s);
}

void grid_split_tuples(GrB_Matrix A, grid_tuples *t) {
  const grid_split *s = A->delegates.split;
  const uint64_t first = grid_chunk_first(A->nrows, grid_ctx.k);
  for (grid_entries e = grid_entries_begin(&s->nd); grid_entries_next(&e);) {
    const void *v = grid_lmat_value(&s->nd, e.at);
    grid_tuples_append(t, A, first + e.row, s->id[e.col], v);
    if (s->mirrored) grid_tuples_append(t, A, s->id[e.col], first + e.row, v);
  }
  for (grid_entries e = grid_entries_begin(&s->dn); grid_entries_next(&e);)
    grid_tuples_append(t, A, s->id[e.row], first + e.col, grid_lmat_value(&s->dn, e.at));
  for (grid_entries e = grid_entries_begin(&s->dd); grid_entries_next(&e);)
    grid_tuples_append(t, A, s->id[e.row], s->id[e.col], grid_lmat_value(&s->dd, e.at));
  for (uint64_t r = (uint64_t)grid_ctx.k; r < s->dd_rows.rows; r += (uint64_t)grid_ctx.P)
    for (uint64_t w = 0; w < s->dd_rows.words; w++)
      for (uint64_t bits = grid_bit_row(&s->dd_rows, r)[w]; bits; bits &= bits - 1)
        grid_tuples_append(t, A, s->id[r], s->id[64 * w + (uint64_t)__builtin_ctzll(bits)], s->dd_value);
}

/* ---- look-up ---- */

/* Number of the delegate with this vertex, or UINT64_MAX. The list is ordered by degree, so the search is
 * linear, which is acceptable for single entries. */
static uint64_t find_delegate(const grid_split *s, uint64_t vertex) {
  for (uint64_t k = 0; k < s->d; k++)
    if (s->id[k] == vertex) return k;
  return UINT64_MAX;
}

static const void *find_entry(const grid_local_matrix *p, uint64_t row, uint64_t col) {
  uint64_t r = grid_axis_find(&p->row, row), c = grid_axis_find(&p->col, col);
  uint64_t at = r == UINT64_MAX || c == UINT64_MAX ? UINT64_MAX : grid_lmat_find(p, r, c);
  return at == UINT64_MAX ? NULL : grid_lmat_value(p, at);
}

const void *grid_split_local(GrB_Matrix A, uint64_t i, uint64_t j) {
  const grid_split *s = A->delegates.split;
  const uint64_t r = find_delegate(s, i), c = find_delegate(s, j), k = (uint64_t)grid_ctx.k;
  uint64_t local;
  if (r == UINT64_MAX && c != UINT64_MAX)
    return grid_owner(A->nrows, i, &local) == grid_ctx.k ? find_entry(&s->nd, local, c) : NULL;
  if (r != UINT64_MAX && c == UINT64_MAX) {
    if (grid_owner(A->nrows, j, &local) != grid_ctx.k) return NULL;
    return s->mirrored ? find_entry(&s->nd, local, r) : find_entry(&s->dn, r, local);
  }
  if (r == UINT64_MAX) return NULL;
  if (!s->dd_rows.bits) return find_entry(&s->dd, r, c);
  bool found = r % (uint64_t)grid_ctx.P == k && grid_bit(grid_bit_row(&s->dd_rows, r), c);
  return found ? s->dd_value : NULL;
}

void grid_split_storage(const grid_split *s, Grid_Storage *st) {
  st->delegates = s->d;
  st->threshold = s->threshold;
  st->nd += s->nd.nvals;
  st->dn += s->mirrored ? s->nd.nvals : s->dn.nvals;
  st->dd += s->dd.nvals + count_local_bits(s);
  st->dd_bits = s->dd_rows.bits != NULL;
  st->bytes += grid_lmat_bytes(&s->nd) + grid_lmat_bytes(&s->dn) + grid_lmat_bytes(&s->dd);
  st->bytes += grid_bit_rows_bytes(&s->dd_rows);
  if (s->dd_cols.bits != s->dd_rows.bits) st->bytes += grid_bit_rows_bytes(&s->dd_cols);
  st->bytes +=
      s->d * (sizeof *s->id + sizeof *s->degree + sizeof *s->order) +
      ((uint64_t)grid_ctx.P + 1) * (sizeof *s->start + grid_split_message_words(s) * sizeof *s->exchange);
}
