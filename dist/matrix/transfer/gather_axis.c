/* Values that owners hold of a dimension's indices, for the rows or columns of a block. */
#include <string.h>

#include "dist/matrix/matrix.h"

/* ---- all values of the block's chunks ---- */

static GrB_Info gather_all(uint64_t n, bool rows, const void *local, size_t size, const grid_axis *axis,
                           char **all) {
  const uint64_t length = rows ? grid_block_rows(n) : grid_block_cols(n);
  *all = grid_malloc(length, size);
  GrB_Info info = *all ? GrB_SUCCESS : grid_fail_memory(NULL, "values of a block's axis", length, size);
  TRY(grid_agree(NULL, info));
  TRY(grid_gather_chunks(rows ? GRID_SET_ROW : GRID_SET_COL, n, local, 8 * size, *all));
  for (uint64_t k = 0; axis->ids && k < axis->n; k++) /* ids ascend: k <= id */
    memmove(*all + k * size, *all + grid_axis_id(axis, k) * size, size);
done:
  return info;
}

/* ---- requests of those that the axis has ---- */

typedef struct {
  size_t S, *bytes, *off, *got, *got_off; /* of requests, and of replies: values instead of indices */
  uint64_t *id;                           /* requested indices of owners' chunks */
  void *requests;
  char *reply;
} axis_requests;

static void free_requests(axis_requests *x) {
  grid_free(x->bytes);
  grid_free(x->id);
  grid_free(x->requests);
  grid_free(x->reply);
}

/* Collective, agreed on. */
static GrB_Info send_requests(axis_requests *x, grid_set set, uint64_t n, const grid_axis *axis) {
  const size_t S = x->S = (size_t)grid_set_size(set);
  x->bytes = grid_malloc(4 * S, sizeof *x->bytes);
  x->id = grid_malloc(axis->n, sizeof *x->id);
  GrB_Info info =
      x->bytes && x->id ? GrB_SUCCESS : grid_fail_memory(NULL, "requests of values", axis->n, sizeof *x->id);
  if ((info = grid_agree(NULL, info)) != GrB_SUCCESS) return info;
  x->off = x->bytes + S, x->got = x->off + S, x->got_off = x->got + S;
  for (size_t s = 0; s < S; s++) {
    const uint64_t first = grid_member_offset(set, n, (int)s), from = grid_axis_bound(axis, first),
                   to = grid_axis_bound(axis, grid_member_offset(set, n, (int)s + 1));
    for (uint64_t k = from; k < to; k++) x->id[k] = grid_axis_id(axis, k) - first;
    x->bytes[s] = (to - from) * sizeof *x->id, x->off[s] = from * sizeof *x->id;
  }
  return grid_exchange_alloc(set, x->id, x->bytes, x->off, &x->requests, x->got, x->got_off);
}

/* Collective, agreed on. */
static GrB_Info reply(axis_requests *x, grid_set set, const char *local, size_t size, char *all) {
  const uint64_t *id = x->requests, n = (x->got_off[x->S - 1] + x->got[x->S - 1]) / sizeof *id;
  x->reply = grid_malloc(n, size);
  GrB_Info info = x->reply ? GrB_SUCCESS : grid_fail_memory(NULL, "requested values", n, size);
  if ((info = grid_agree(NULL, info)) != GrB_SUCCESS) return info;
  for (uint64_t k = 0; k < n; k++) memcpy(x->reply + k * size, local + id[k] * size, size);
  for (size_t k = 0; k < 4 * x->S; k++) x->bytes[k] = x->bytes[k] / sizeof *id * size;
  return grid_ctx.transport->exchange(set, x->reply, x->got, x->got_off, all, x->bytes, x->off);
}

/* Memory and messages are proportional to the rows or columns that the block has. */
static GrB_Info request(uint64_t n, bool rows, const void *local, size_t size, const grid_axis *axis,
                        char **all) {
  const grid_set set = rows ? GRID_SET_ROW : GRID_SET_COL;
  axis_requests x = {0};
  *all = grid_malloc(axis->n, size);
  GrB_Info info = *all ? GrB_SUCCESS : grid_fail_memory(NULL, "values of a block's axis", axis->n, size);
  TRY(grid_agree(NULL, info));
  TRY(send_requests(&x, set, n, axis));
  TRY(reply(&x, set, local, size, *all));
done:
  free_requests(&x);
  return info;
}

GrB_Info grid_gather_for_axis(uint64_t n, bool rows, const void *local, size_t size, const grid_axis *axis,
                              void **all) {
  char *to = NULL;
  const bool is_long = !grid_index_fits32(rows ? grid_block_rows(n) : grid_block_cols(n));
  const GrB_Info info =
      is_long ? request(n, rows, local, size, axis, &to) : gather_all(n, rows, local, size, axis, &to);
  if (info != GrB_SUCCESS) {
    grid_free(to);
    to = NULL;
  }
  *all = to;
  return info;
}
