/* A device simulated in host memory (fake_device.h, fake_pages.h) on which every matrix operation runs out of
 * memory, after it has computed some of the result. */
#ifndef GRID_FAKE_FULL_H
#define GRID_FAKE_FULL_H
#include "dist/matrix/storage/matrix_storage.h"
#include "tests/fake_pages.h"

static GrB_Info full(void) {
  return grid_device_fail_memory(NULL, "whatever a full device is asked for", 1, 1);
}
static GrB_Info full_lmat(grid_local_matrix *z) {
  z->by_row.ptr = grid_device_malloc(z->row.n + 1, sizeof *z->by_row.ptr);
  if (z->by_row.ptr) z->nvals = 1;
  return full();
}
static GrB_Info full_apply(grid_local_matrix *z, const grid_local_matrix *a, GrB_UnaryOp op) {
  (void)a, (void)op;
  return full_lmat(z);
}
static GrB_Info full_bound(grid_local_matrix *z, const grid_local_matrix *a, GrB_BinaryOp op, const void *x,
                           bool first) {
  (void)a, (void)op, (void)x, (void)first;
  return full_lmat(z);
}
static GrB_Info full_index(grid_local_matrix *z, const grid_local_matrix *a, GrB_IndexUnaryOp op,
                           const void *y, const grid_index_map *rows, const grid_index_map *cols) {
  (void)a, (void)op, (void)y, (void)rows, (void)cols;
  return full_lmat(z);
}
static GrB_Info full_sum(void *z, const grid_local_matrix *p, GrB_Monoid monoid) {
  (void)z, (void)p, (void)monoid;
  return full();
}
static GrB_Info full_ewise_union(grid_local_matrix *z, const grid_union *u) {
  (void)u;
  return full_lmat(z);
}
static GrB_Info full_intersect(grid_local_matrix *z, const grid_local_matrix *x, const grid_local_matrix *y,
                               GrB_BinaryOp op) {
  (void)x, (void)y, (void)op;
  return full_lmat(z);
}
static GrB_Info full_accumulation(grid_accumulation *a, const grid_local_matrix *c,
                                  const grid_local_matrix *t, GrB_BinaryOp op) {
  (void)c, (void)t, (void)op;
  a->at = grid_device_malloc(1, sizeof *a->at);
  return full();
}
static GrB_Info full_cast(grid_local_matrix *p, GrB_Type type) {
  (void)p, (void)type;
  return full();
}
static GrB_Info full_allowed(grid_local_matrix *t, const void *x, const grid_region *s,
                             const grid_local_matrix *m, bool structure) {
  (void)x, (void)s, (void)m, (void)structure;
  return full_lmat(t);
}
static GrB_Info full_transposed(const grid_local_matrix *p, bool symmetric, grid_local_matrix *t) {
  (void)p, (void)symmetric;
  return full_lmat(t);
}
static GrB_Info full_copy(grid_local_matrix *t, const grid_local_matrix *p) {
  (void)p;
  return full_lmat(t);
}
static GrB_Info full_diagonal(grid_local_matrix *t, const grid_chunk *v, uint64_t row, uint64_t col,
                              grid_onto onto) {
  (void)v, (void)row, (void)col, (void)onto;
  return full_lmat(t);
}
static GrB_Info full_point(grid_local_matrix *t, const grid_chunk *v, uint64_t limit, bool *bad) {
  (void)v, (void)limit, (void)bad;
  return full_lmat(t);
}
static GrB_Info full_best_label(grid_chunk *t, const grid_label_operands *x, bool *bad) {
  (void)t, (void)x, (void)bad;
  return full();
}
static GrB_Info full_peel(grid_chunk *t, uint64_t *levels, const grid_peel_operands *x) {
  (void)t, (void)levels, (void)x;
  return full();
}
static GrB_Info full_distances(const grid_distance_operands *x) {
  (void)x;
  return full();
}
static GrB_Info full_color(grid_chunk *t, uint64_t *colors, const grid_color_operands *x) {
  (void)t, (void)colors, (void)x;
  return full();
}
static GrB_Info full_walk(grid_local_matrix *t, const grid_walk_operands *x, bool *bad) {
  (void)x, (void)bad;
  return full_lmat(t);
}
static GrB_Info full_path(uint32_t **path, int64_t *length, const grid_local_matrix *a, uint32_t source,
                          uint32_t target) {
  (void)path, (void)length, (void)a, (void)source, (void)target;
  return full();
}
static GrB_Info full_sample(grid_local_matrix *t, grid_chunk *columns, const grid_sample_operands *x) {
  (void)columns, (void)x;
  return t ? full_lmat(t) : full();
}
static GrB_Info full_map(grid_local_matrix *t, const grid_local_matrix *p, const grid_index_set *I,
                         const grid_index_set *J) {
  (void)p, (void)I, (void)J;
  return full_lmat(t);
}
static GrB_Info full_assign(grid_local_matrix *z, const grid_local_matrix *c, const grid_local_matrix *t,
                            const grid_region *s) {
  (void)c, (void)t, (void)s;
  return full_lmat(z);
}
static GrB_Info full_fill(grid_local_matrix *t, const void *x, const grid_region *s) {
  (void)x, (void)s;
  return full_lmat(t);
}
static GrB_Info full_kron(grid_local_matrix *t, const grid_local_matrix *a, const grid_local_matrix *b,
                          uint64_t rows, uint64_t cols, GrB_BinaryOp op) {
  (void)a, (void)b, (void)rows, (void)cols, (void)op;
  return full_lmat(t);
}
static GrB_Info full_multiply(grid_local_matrix *t, const grid_lmat_product *m) {
  (void)m;
  return full_lmat(t);
}
static GrB_Info full_ends(uint32_t *to, const grid_local_matrix *p, uint64_t n, uint32_t base) {
  (void)to, (void)p, (void)n, (void)base;
  return full();
}
static GrB_Info full_bin_entries(grid_binned_entries *d, const grid_local_matrix *p,
                                 const grid_binning *how) {
  (void)d, (void)p, (void)how;
  return full();
}
static GrB_Info full_get_vector(uint64_t *bits, void *val, const grid_local_matrix *p, bool row, uint64_t v) {
  (void)bits, (void)val, (void)p, (void)row, (void)v;
  return full();
}
/* It needs no memory. */
static GrB_Info full_element(const grid_local_matrix *p, uint64_t row, uint64_t col, bool *present, void *x) {
  grid_local_matrix host = *p;
  host.row = host_axis(&p->row), host.col = host_axis(&p->col), host.by_row = host_compressed(&p->by_row);
  const void *value = grid_lmat_find_value(&host, row, col);
  *present = value != NULL;
  if (value) memcpy(x, value, p->type->size);
  return GrB_SUCCESS;
}
static const grid_lmat_ops full_lmat_ops = {.apply = full_apply,
                                            .apply_bound = full_bound,
                                            .apply_index = full_index,
                                            .select = full_index,
                                            .sum = full_sum,
                                            .ewise_union = full_ewise_union,
                                            .intersect = full_intersect,
                                            .plan_accumulation = full_accumulation,
                                            .cast = full_cast,
                                            .fill_mask = full_allowed,
                                            .transpose = full_transposed,
                                            .copy_rows = full_copy,
                                            .expand_hyper = full_copy,
                                            .diagonal = full_diagonal,
                                            .index_matrix = full_point,
                                            .best_label = full_best_label,
                                            .peel = full_peel,
                                            .distances = full_distances,
                                            .color = full_color,
                                            .walk = full_walk,
                                            .path = full_path,
                                            .sample = full_sample,
                                            .extract = full_map,
                                            .scatter = full_map,
                                            .assign = full_assign,
                                            .fill_region = full_fill,
                                            .kron = full_kron,
                                            .multiply = full_multiply,
                                            .row_ends = full_ends,
                                            .bin_entries = full_bin_entries,
                                            .get_vector = full_get_vector,
                                            .element = full_element};

/* ---- building ------------------------------------------------------------------------------------------ */

static GrB_Info full_build(grid_local_matrix *p, const grid_device_tuples *t, grid_pair *bad) {
  (void)p, (void)bad;
  grid_device_free(t->keys);
  return full();
}
static GrB_Info full_columns(const grid_local_matrix *p, grid_compressed *to) {
  (void)p;
  to->ptr = grid_device_malloc(1, sizeof *to->ptr);
  return full();
}
static GrB_Info full_hub_neighbors(const grid_local_matrix *p, bool rows, grid_compressed *c,
                                   const uint32_t *degree) {
  (void)p, (void)rows, (void)degree;
  c->hub_neighbor = grid_device_malloc(1, sizeof *c->hub_neighbor);
  return full();
}
static GrB_Info full_compare(const grid_local_matrix *p, const grid_compressed *col, bool *same) {
  (void)p, (void)col, (void)same;
  return full();
}
static const grid_orient_ops full_orienting = {full_columns, full_hub_neighbors, full_compare,
                                               grid_device_free};
static GrB_Info full_count(const grid_local_matrix *p, bool rows, uint32_t *count) {
  (void)p, (void)rows, (void)count;
  return full();
}
static GrB_Info full_add(uint32_t *to, const uint32_t *more, uint64_t n) {
  to = fake_at(to), more = fake_at(more);
  for (uint64_t k = 0; k < n; k++) to[k] += more[k];
  return GrB_SUCCESS;
}
static GrB_Info full_mark(const uint32_t *count, uint64_t n, uint64_t *bits, uint64_t *nonempty_count) {
  bits = fake_at(bits), count = fake_at(count);
  memset(bits, 0, grid_words(n) * sizeof *bits);
  for (uint64_t k = 0; k < n; k++) {
    if (count[k] == 0) continue;
    fake_set_bit(bits, k);
    ++*nonempty_count;
  }
  return GrB_SUCCESS;
}
static const struct grid_builder full_builder = {.pack = decline_pack,
                                                 .build = full_build,
                                                 .orient = &full_orienting,
                                                 .count = full_count,
                                                 .add = full_add,
                                                 .mark = full_mark};

/* Product kernels run out of work space in one of `period` calls. */
static int refusal_period = 7;
static GrB_Info full_pull(grid_job *J) {
  (void)J;
  return full();
}
static const grid_kernels *full_kernels(const grid_job *J, bool structural) {
  static const grid_kernels none = {full_pull, full_pull};
  static _Atomic int turn;
  return ++turn % refusal_period == 0 ? &none : fake_kernels(J, structural);
}

/* Operations along index lists are unsupported. */
static GrB_Info decline_gather(grid_chunk *t, const grid_chunk *u, const grid_chunk *where, bool *bad) {
  (void)t, (void)u, (void)where, (void)bad;
  return GRID_UNSUPPORTED;
}
static GrB_Info decline_scatter(grid_chunk *t, grid_chunk *named, const grid_chunk *u,
                                const grid_chunk *where, bool *bad) {
  (void)t, (void)named, (void)u, (void)where, (void)bad;
  return GRID_UNSUPPORTED;
}
static GrB_Info decline_combine(grid_chunk *t, const grid_chunk *u, const grid_chunk *where, GrB_BinaryOp dup,
                                bool *bad) {
  (void)t, (void)u, (void)where, (void)dup, (void)bad;
  return GRID_UNSUPPORTED;
}
static GrB_Info decline_sort(grid_sorted_positions *s, const grid_chunk *where, const grid_chunk *u,
                             uint64_t limit, bool *bad) {
  (void)s, (void)where, (void)u, (void)limit, (void)bad;
  return GRID_UNSUPPORTED;
}
/* except between processes */
static GrB_Info full_give(void *to, uint8_t *nonempty_count, const void *at, size_t width, uint64_t n,
                          const grid_chunk *u) {
  const size_t size = u->type->size;
  const uint64_t *bits = fake_at(u->bits);
  const char *val = fake_at(u->val);
  to = fake_at(to), nonempty_count = fake_at(nonempty_count), at = fake_at(at);
  for (uint64_t e = 0; e < n; e++) {
    uint64_t at_k = e;
    uint32_t narrow;
    if (at && width == 8) memcpy(&at_k, (const char *)at + 8 * e, 8);
    if (at && width == 4) memcpy(&narrow, (const char *)at + 4 * e, 4), at_k = narrow;
    const bool present = u->nvals && (u->format == GRID_FULL || grid_bit(bits, at_k));
    if (nonempty_count) nonempty_count[e] = present;
    if (present) memcpy((char *)to + e * size, val + (u->iso ? 0 : at_k) * size, size);
  }
  return GrB_SUCCESS;
}
static GrB_Info full_take(grid_chunk *t, const uint32_t *at, uint64_t n, const void *from,
                          const uint8_t *nonempty_count) {
  const size_t size = t->type->size;
  at = fake_at(at), from = fake_at(from), nonempty_count = fake_at(nonempty_count);
  memset(fake_at(t->bits), 0, grid_words(t->n) * sizeof *t->bits);
  t->nvals = 0, t->format = GRID_BITMAP;
  for (uint64_t e = 0; e < n; e++) {
    const uint64_t at_k = at ? at[e] : e;
    if (!nonempty_count[e]) continue;
    fake_set_bit(t->bits, at_k), t->nvals++;
    memmove((char *)fake_at(t->val) + at_k * size, (const char *)from + e * size, size);
  }
  if (t->nvals == 0) t->format = GRID_LIST;
  return GrB_SUCCESS;
}
static const grid_device_lists lacking_lists = {.gather = decline_gather,
                                                .scatter = decline_scatter,
                                                .combine = decline_combine,
                                                .sort = decline_sort,
                                                .gather_at = full_give,
                                                .store_received = full_take};

static GrB_Info full_bitwise_or(uint64_t *to, const uint64_t *from, uint64_t n, uint64_t source_arrays) {
  to = fake_at(to), from = fake_at(from);
  for (uint64_t k = 0; k < n; k++) {
    uint64_t word = 0;
    for (uint64_t c = 0; c < source_arrays; c++) word |= from[c * n + k];
    to[k] = word;
  }
  return GrB_SUCCESS;
}

/* Delegates are found, but there is no memory to split them off. */
static GrB_Info full_above(const uint32_t *degree, uint64_t n, uint32_t threshold, uint64_t first,
                           uint64_t **key, uint64_t *count) {
  *count = 0;
  *key = grid_device_malloc(n, sizeof **key);
  if (!*key) return full();
  degree = fake_at(degree);
  for (uint64_t v = 0; v < n; v++)
    if (degree[v] > threshold)
      ((uint64_t *)fake_at(*key))[(*count)++] = (uint64_t)(UINT32_MAX - degree[v]) << 32 | (first + v);
  return GrB_SUCCESS;
}
static GrB_Info full_number(const grid_division *D, const uint32_t *vertex, uint64_t d, uint32_t *row,
                            uint32_t *col) {
  (void)D, (void)vertex, (void)d, (void)row, (void)col;
  return GrB_SUCCESS;
}
static GrB_Info full_bins(const grid_division *D, uint64_t *count) {
  (void)D, (void)count;
  return full();
}
static const grid_device_division full_division = {
    .find_high_degree = full_above, .number = full_number, .count = full_bins};

static grid_backend full_device(void) {
  grid_backend device = fake_device;
  device.paging = &fake_paging;
  device.products = &fake_all_products;
  device.kernels = full_kernels;
  device.lmat_ops = &full_lmat_ops;
  device.lists = &lacking_lists;
  device.or_words = full_bitwise_or;
  device.builder = &full_builder;
  device.division = &full_division;
  return device;
}
#endif
