/* Routing of entries from device memory to device memory. A kernel finds each entry's process and position
 * there and groups them (spmat/cuda/matrix/lmat_scatter.cu); the groups are exchanged, and the block is built
 * of what was received. If one process cannot, none does: GRID_UNSUPPORTED, and the caller uses host memory.
 */
#include <string.h>

#include "dist/comm/device_transport.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "dist/matrix/transfer/matrix_gather.h"
#include "semiring/support/tuning.h"
#include "spmat/backend.h"

typedef struct {
  grid_binning key_layout;
  grid_binned_entries e;
  uint64_t *all;   /* P x P: entries from each process to each */
  char *iso_value; /* the one value of all entries */
  bool iso;
} device_routing;

static void device_routing_free(device_routing *m) {
  grid_device_free(m->e.keys);
  grid_device_free(m->e.val);
  grid_free(m->e.first);
  grid_free(m->all);
  grid_free(m->iso_value);
}

static GrB_Info unsupported_if_no_memory(GrB_Info info) {
  return info == GrB_OUT_OF_MEMORY ? GRID_UNSUPPORTED : info;
}

static int bits_of(uint64_t n) {
  int bits = 1;
  while (bits < 64 && (n - 1) >> bits) bits++;
  return bits;
}

/* ---- what a process does for itself ---- */

static bool has_table(const grid_index_map *p, uint64_t *n) {
  *n = p->table ? p->axis->dim : 0;
  return !p->table || !p->axis->ids || p->axis->dim <= GRID_MAX_TABLE_LENGTH;
}

/* Can the kernel find where the rows and columns go? */
static bool has_maps(device_routing *m, const grid_index_map *rows, const grid_index_map *cols) {
  return has_table(rows, &m->key_layout.row_table) && has_table(cols, &m->key_layout.col_table) &&
         !rows->segments && !cols->segments;
}

/* Can keys hold the positions in `to` of p's entries? The same on all processes, apart from axis lists. */
static bool fits_key(device_routing *m, const grid_local_matrix *p, const grid_local_matrix *to,
                     const grid_index_map *rows, const grid_index_map *cols) {
  const int shift = grid_key_shift(to->col.dim), bits = shift + bits_of(to->row.dim);
  m->key_layout.shift = shift, m->key_layout.bits = bits;
  m->key_layout.rows = rows, m->key_layout.cols = cols;
  return (p->nvals == 0 || has_maps(m, rows, cols)) && grid_device_can_index(to->row.dim, to->col.dim) &&
         bits + (m->key_layout.all ? 0 : bits_of((uint64_t)grid_ctx.P)) <= 64 &&
         grid_device_can_hold(to->type) && grid_tune.matrix_device;
}

static GrB_Info bin_entries(device_routing *m, const grid_local_matrix *p) {
  grid_device_operand l;
  GrB_Info info;
  if (p->nvals == 0) {
    m->e.keys = grid_device_malloc(0, sizeof *m->e.keys);
    return m->e.keys ? GrB_SUCCESS : GRID_UNSUPPORTED;
  }
  TRY(grid_lmat_operand_to_device(&l, p, false));
  info = grid_cuda->lmat_ops->bin_entries(&m->e, l.p, &m->key_layout);
  grid_device_operand_free(&l);
done:
  return unsupported_if_no_memory(info);
}

static GrB_Info allocate_buffers(device_routing *m, const grid_local_matrix *p) {
  const size_t P = (size_t)grid_ctx.P;
  m->e.first = grid_calloc(P + 1, sizeof *m->e.first);
  m->all = grid_malloc(P * P, sizeof *m->all);
  m->iso_value = grid_calloc(1, p->type->size);
  return m->e.first && m->all && m->iso_value
             ? GrB_SUCCESS
             : grid_fail_memory(NULL, "message sizes", P * P, sizeof *m->all);
}

/* Expands iso values if processes have different ones. */
static GrB_Info expand_iso_values(device_routing *m, const grid_local_matrix *p) {
  const size_t size = p->type->size;
  if (m->iso || m->e.val) return GrB_SUCCESS;
  m->e.val = grid_device_malloc(m->e.n, size);
  if (!m->e.val) return GRID_UNSUPPORTED;
  return m->e.n ? grid_cuda->chunks->fill(m->e.val, p->iso_val, size, m->e.n) : GrB_SUCCESS;
}

/* ---- together ---- */

/* Exchanges counts and their sums. */
static GrB_Info exchange_counts(device_routing *m, uint64_t *sum) {
  const size_t P = (size_t)grid_ctx.P;
  uint64_t *local = m->all + (size_t)grid_ctx.k * P;
  *sum = 0;
  for (size_t r = 0; r < P; r++) local[r] = m->key_layout.all ? m->e.n : m->e.first[r + 1] - m->e.first[r];
  GrB_Info info = grid_ctx.transport->allgather(GRID_SET_ALL, local, P * sizeof *local, m->all);
  const size_t step = m->key_layout.all ? P : 1; /* a process sends the same number to all */
  for (size_t k = 0; k < P * P && info == GrB_SUCCESS; k += step) *sum += m->all[k];
  return info;
}

static GrB_Info build(device_routing *m, grid_local_matrix *to) {
  const grid_device_tuples t = {.keys = m->e.keys,
                                .n = m->e.n,
                                .shift = m->key_layout.shift,
                                .val = m->iso ? NULL : m->e.val,
                                .how = {.newest_wins = true}};
  grid_pair bad;
  GrB_Info info = GrB_SUCCESS;
  if (t.n == 0) return info;
  if (m->iso) TRY(grid_lmat_set_iso(to, m->iso_value));
  to->row.n = to->row.dim, to->col.n = to->col.dim; /* the axes are no lists */
  info = grid_cuda->builder->build(to, &t, &bad);
  if (info != GRID_UNSUPPORTED) m->e.keys = NULL; /* consumed */
  to->device = info == GrB_SUCCESS;
done:
  return unsupported_if_no_memory(info);
}

/* to: its type and dimensions are set. */
static GrB_Info route_entries(grid_head *head, device_routing *m, const grid_local_matrix *p, bool fit,
                              GrB_Info info, grid_local_matrix *to) {
  uint64_t sum;
  if (info == GrB_SUCCESS) info = allocate_buffers(m, p);
  if (info == GrB_SUCCESS) info = fit ? bin_entries(m, p) : GRID_UNSUPPORTED;
  TRY(grid_agree_supported(head, info));
  if (p->iso && p->nvals) memcpy(m->iso_value, p->iso_val, p->type->size);
  TRY(grid_agree_on_iso_value(NULL, GrB_SUCCESS, p->nvals > 0, p->iso, p->type->size, m->iso_value, &m->iso));
  TRY(grid_agree_supported(head, expand_iso_values(m, p)));
  TRY(exchange_counts(m, &sum));
  if (grid_axis_is_too_long(to->row.dim, sum) || grid_axis_is_too_long(to->col.dim, sum))
    TRY(GRID_UNSUPPORTED);
  if (m->key_layout.all) memset(m->e.first, 0, ((size_t)grid_ctx.P + 1) * sizeof *m->e.first);
  const grid_key_groups g = {m->e.first, m->all, (size_t)grid_ctx.P, "entries of other processes"};
  TRY(unsupported_if_no_memory(grid_send_keys(head, &g, &m->e.keys, &m->e.n))); /* memory was agreed on */
  if (!m->iso) TRY(unsupported_if_no_memory(grid_send_groups(head, &g, p->type->size, &m->e.val, &m->e.n)));
  info = grid_agree_supported(head, build(m, to));
done:
  if (info != GrB_SUCCESS) grid_lmat_free(to);
  device_routing_free(m);
  return info;
}

static grid_binning_chunks chunks_of(uint64_t n, bool rows) {
  const grid_partition *c = grid_partition_of(n);
  return c ? (grid_binning_chunks){.first = c->first, .local = rows ? c->row : c->col}
           : (grid_binning_chunks){.q = grid_even_size(n)};
}

GrB_Info grid_route_device(GrB_Matrix like, const grid_local_matrix *p, const grid_index_map *rows,
                           const grid_index_map *cols, bool flip, GrB_Info info, grid_local_matrix *to) {
  device_routing m = {.key_layout = {.flip = flip,
                                     .row_chunks = chunks_of(like->nrows, true),
                                     .col_chunks = chunks_of(like->ncols, false),
                                     .R = (uint64_t)grid_ctx.R,
                                     .P = (uint64_t)grid_ctx.P}};
  grid_lmat_init(to, p->type, grid_block_rows(like->nrows), grid_block_cols(like->ncols));
  const bool fit = fits_key(&m, p, to, rows, cols);
  return route_entries(&like->head, &m, p, fit, info, to);
}

GrB_Info grid_matrix_replicate_device(grid_local_matrix *t, GrB_Matrix A, bool flip) {
  const grid_index_map rows = grid_block_row_map(A), cols = grid_block_col_map(A);
  device_routing m = {.key_layout = {.flip = flip, .all = true, .P = (uint64_t)grid_ctx.P}};
  grid_lmat_init(t, A->type, flip ? A->ncols : A->nrows, flip ? A->nrows : A->ncols);
  const bool fit = fits_key(&m, &A->block, t, &rows, &cols);
  return route_entries(&A->head, &m, &A->block, fit, GrB_SUCCESS, t);
}
