/* matrix_route_device.c: entries that go to other processes' blocks from device memory to device memory. A
 * kernel finds each one's process and place there and groups them (spmat/cuda/matrix/part_deal.cu), groups
 * are exchanged, and the block is built of what has come as one of a program's tuples is. Where a process
 * cannot do its part, none does: GRID_NOT_HERE, and the way through host memory is open. */
#include <string.h>

#include "dist/grid/device_transport.h"
#include "dist/object/matrix/matrix_route.h"
#include "dist/object/matrix/matrix_whole.h"
#include "spmat/backend.h"

typedef struct {
  grid_dealing how;
  grid_dealt_entries e;
  uint64_t *all; /* P x P: what each process has for each */
  char *one;     /* the value of all, if they share it */
  bool iso;
} moving;

static void moving_free(moving *m) {
  grid_device_free(m->e.keys);
  grid_device_free(m->e.val);
  grid_free(m->e.first);
  grid_free(m->all);
  grid_free(m->one);
}

static GrB_Info or_elsewhere(GrB_Info info) {
  return info == GrB_OUT_OF_MEMORY ? GRID_NOT_HERE : info;
}

static int bits_of(uint64_t n) {
  int bits = 1;
  while (bits < 64 && (n - 1) >> bits) bits++;
  return bits;
}

/* ---- what a process does for itself ---- */

static bool has_table(const grid_places *p, uint64_t *n) {
  *n = p->table ? p->axis->dim : 0;
  return !p->table || !p->axis->ids || p->axis->dim <= GRID_TABLE_MOST;
}

/* Can keys hold where entries go in a part like `to`? The same on all processes, but for lists. */
static bool fits(moving *m, const grid_part *to, const grid_places *rows, const grid_places *cols) {
  const int shift = grid_key_shift(to->col.dim), bits = shift + bits_of(to->row.dim);
  m->how.shift = shift, m->how.bits = bits;
  m->how.rows = rows, m->how.cols = cols;
  return has_table(rows, &m->how.row_table) && has_table(cols, &m->how.col_table) && !rows->pieces &&
         !cols->pieces && to->row.dim <= UINT32_MAX && to->col.dim <= UINT32_MAX &&
         bits + (m->how.all ? 0 : bits_of((uint64_t)grid_here.P)) <= 64 &&
         to->type->size <= GRID_DEVICE_VALUE && grid_parts_may_go;
}

static GrB_Info deal(moving *m, const grid_part *p) {
  grid_lifted l;
  GrB_Info info;
  if (p->nvals == 0) {
    m->e.keys = grid_device_malloc(0, sizeof *m->e.keys);
    return m->e.keys ? GrB_SUCCESS : GRID_NOT_HERE;
  }
  TRY(grid_parts_lift(&l, p, false));
  info = grid_cuda->parts->deal(&m->e, l.p, &m->how);
  grid_lifted_free(&l);
done:
  return or_elsewhere(info);
}

static GrB_Info make_rooms(moving *m, const grid_part *p) {
  const size_t P = (size_t)grid_here.P;
  m->e.first = grid_calloc(P + 1, sizeof *m->e.first);
  m->all = grid_malloc(P * P, sizeof *m->all);
  m->one = grid_calloc(1, p->type->size);
  return m->e.first && m->all && m->one ? GrB_SUCCESS
                                        : grid_fail_memory(NULL, "message sizes", P * P, sizeof *m->all);
}

/* Values for each, where others have more than one. */
static GrB_Info give_values(moving *m, const grid_part *p) {
  const size_t size = p->type->size;
  if (m->iso || m->e.val) return GrB_SUCCESS;
  m->e.val = grid_device_malloc(m->e.n, size);
  if (!m->e.val) return GRID_NOT_HERE;
  return m->e.n ? grid_cuda->chunks->fill(m->e.val, p->iso_val, size, m->e.n) : GrB_SUCCESS;
}

/* ---- together ---- */

/* Counts of all, and what they sum to. */
static GrB_Info tell_counts(moving *m, uint64_t *sum) {
  const size_t P = (size_t)grid_here.P;
  uint64_t *own = m->all + (size_t)grid_here.k * P;
  *sum = 0;
  for (size_t r = 0; r < P; r++) own[r] = m->how.all ? m->e.n : m->e.first[r + 1] - m->e.first[r];
  GrB_Info info = grid_here.transport->allgather(GRID_SET_ALL, own, P * sizeof *own, m->all);
  for (size_t k = 0; k < P * P && info == GrB_SUCCESS; k++) *sum += m->all[k];
  if (m->how.all) *sum /= P;
  return info;
}

static GrB_Info build(moving *m, grid_part *to) {
  const grid_device_tuples t = {.keys = m->e.keys,
                                .n = m->e.n,
                                .shift = m->how.shift,
                                .val = m->iso ? NULL : m->e.val,
                                .how = {.keep_last = true}};
  grid_pair bad;
  GrB_Info info = GrB_SUCCESS;
  if (t.n == 0) return info;
  if (m->iso) TRY(grid_part_set_one(to, m->one));
  to->row.n = to->row.dim, to->col.n = to->col.dim; /* not to be listed */
  info = grid_cuda->builder->build(to, &t, &bad);
  if (info != GRID_NOT_HERE) m->e.keys = NULL; /* taken over */
  to->device = info == GrB_SUCCESS;
done:
  return or_elsewhere(info);
}

/* Offsets of so many rows or columns for so few entries are dearer than the host. */
static bool is_too_long(const grid_axis *a, uint64_t entries) {
  return a->dim > UINT64_C(1) << 26 && a->dim / GRID_HYPER > entries;
}

/* to: with its type and dimensions. */
static GrB_Info move(grid_head *head, moving *m, const grid_part *p, bool fit, GrB_Info info, grid_part *to) {
  uint64_t sum;
  if (info == GrB_SUCCESS) info = make_rooms(m, p);
  if (info == GrB_SUCCESS) info = fit ? deal(m, p) : GRID_NOT_HERE;
  TRY(grid_agree_here(head, info));
  if (p->iso && p->nvals) memcpy(m->one, p->iso_val, p->type->size);
  TRY(grid_agree_on_one(p->nvals > 0, p->iso, p->type->size, m->one, &m->iso));
  TRY(grid_agree_here(head, give_values(m, p)));
  TRY(tell_counts(m, &sum));
  if (is_too_long(&to->row, sum) || is_too_long(&to->col, sum)) TRY(GRID_NOT_HERE);
  if (m->how.all) memset(m->e.first, 0, ((size_t)grid_here.P + 1) * sizeof *m->e.first);
  const grid_key_groups g = {m->e.first, m->all, (size_t)grid_here.P, "entries of other processes"};
  TRY(or_elsewhere(grid_send_keys(head, &g, &m->e.keys, &m->e.n))); /* room was agreed on */
  if (!m->iso) TRY(or_elsewhere(grid_send_groups(head, &g, p->type->size, &m->e.val, &m->e.n)));
  info = grid_agree_here(head, build(m, to));
done:
  if (info != GrB_SUCCESS) grid_part_free(to);
  moving_free(m);
  return info;
}

GrB_Info grid_route_device(GrB_Matrix like, const grid_part *p, const grid_places *rows,
                           const grid_places *cols, bool flip, GrB_Info info, grid_part *to) {
  const bool even = !grid_cuts_of(like->nrows) && !grid_cuts_of(like->ncols);
  moving m = {.how = {.flip = flip,
                      .row_q = grid_even_size(like->nrows),
                      .col_q = grid_even_size(like->ncols),
                      .R = (uint64_t)grid_here.R,
                      .P = (uint64_t)grid_here.P}};
  grid_part_init(to, p->type, grid_block_rows(like->nrows), grid_block_cols(like->ncols));
  const bool fit = fits(&m, to, rows, cols) && even;
  return move(&like->head, &m, p, fit, info, to);
}

GrB_Info grid_matrix_whole_device(grid_part *t, GrB_Matrix A, bool flip) {
  const grid_places rows = grid_block_row_places(A), cols = grid_block_col_places(A);
  moving m = {.how = {.flip = flip, .all = true, .P = (uint64_t)grid_here.P}};
  grid_part_init(t, A->type, flip ? A->ncols : A->nrows, flip ? A->nrows : A->ncols);
  const bool fit = fits(&m, t, &rows, &cols);
  return move(&A->head, &m, &A->block, fit, GrB_SUCCESS, t);
}
