/* A push that meets few entries, in time that depends only on them: no array is as long as an axis.
 *
 * The vectors that x lists are copied, and their outputs numbered in ascending order. This gives a small
 * matrix with a full x and an entry in every row. The usual kernels multiply it, so that each sum has the
 * usual order and bits. */
#include <string.h>

#include "semiring/support/tuning.h"
#include "spmat/backend.h"
#include "spmat/cpu/product/cpu_product.h"
#include "spmat/matrix/axis.h"
#include "spmat/sort/radix.h"
#include "spmat/vector/bound_operator.h"

enum {
  MAX_SERIAL_EDGES = 1 << 16 /* with more entries, all threads pay */
};

bool grid_push_is_sparse(uint64_t edges, uint64_t n) {
  return edges <= MAX_SERIAL_EDGES && edges * grid_tune.sparse_push_share <= grid_words(n);
}

enum { NOT_ALLOWED = UINT32_MAX };

/* The copy, all in one block. Edge e, of the vectors in order of x, goes to output number to[e]. */
typedef struct {
  void *block;
  uint64_t *key, *tmp_key;   /* outputs as the matrix numbers them, sorted, */
  uint32_t *load, *tmp_load; /* with their edges */
  uint32_t *to;
  grid_compressed m;
  char *a, *x;
  void *ids;
  uint64_t *bits;
  uint64_t edges, outputs;
  size_t a_size, x_size; /* of the values to be copied; 0: none */
} sparse_push;

static size_t padded(size_t bytes) {
  return (bytes + 15) / 16 * 16;
}

static char *carve(char **at, size_t bytes) {
  char *const segment = *at;
  *at += padded(bytes);
  return segment;
}

static GrB_Info allocate_workspace(sparse_push *f, const grid_job *J) {
  const size_t E = J->push_edges, n = J->nx, id = sizeof(uint64_t);
  const bool uses_a_values = J->flip ? J->s->mul->uses_y : J->s->mul->uses_x;
  *f = (sparse_push){
      .edges = E, .a_size = uses_a_values ? J->a_step : 0, .x_size = J->x_packed ? 0 : J->x_step};
  const size_t bytes = 2 * padded(8 * E) + 4 * padded(4 * E) + padded(4 * (n + 1)) + padded(f->a_size * E) +
                       padded(f->x_size * n) + padded(id * n) + padded(8 * grid_words(E));
  char *at = f->block = grid_malloc(bytes, 1);
  if (!at) return grid_fail_memory(NULL, "a push", bytes, 1);
  f->key = (uint64_t *)(void *)carve(&at, 8 * E), f->tmp_key = (uint64_t *)(void *)carve(&at, 8 * E);
  f->load = (uint32_t *)(void *)carve(&at, 4 * E), f->tmp_load = (uint32_t *)(void *)carve(&at, 4 * E);
  f->to = (uint32_t *)(void *)carve(&at, 4 * E), f->m.idx = (uint32_t *)(void *)carve(&at, 4 * E);
  f->m.ptr = (uint32_t *)(void *)carve(&at, 4 * (n + 1));
  f->a = carve(&at, f->a_size * E), f->x = carve(&at, f->x_size * n);
  f->ids = carve(&at, id * n), f->bits = (uint64_t *)(void *)carve(&at, 8 * grid_words(E));
  return GrB_SUCCESS;
}

static uint64_t list_at(const grid_job *J, uint64_t k) {
  return J->xlist ? J->xlist[k] : k;
}

static void sort_outputs(sparse_push *f, const grid_job *J) {
  uint64_t n = 0;
  for (uint64_t k = 0; k < J->nx; k++) {
    const uint64_t v = list_at(J, k), end = grid_vector_start(J->m, v + 1);
    for (uint64_t e = grid_vector_start(J->m, v); e < end; e++, n++) {
      f->key[n] = J->m->idx[e];
      f->load[n] = (uint32_t)n;
    }
  }
  grid_radix_sort(f->key, (char *)f->load, n, sizeof *f->load, 0, 0, f->tmp_key, (char *)f->tmp_load);
}

static bool is_allowed(const grid_job *J, const grid_mask *mask, uint64_t v, uint64_t id) {
  if (mask) return grid_mask_has_index(mask, id);
  return !J->mask || grid_bit(J->mask, v) != J->mask_complement;
}

/* Numbers the allowed outputs; t has room for their ids. */
static void number_outputs(sparse_push *f, const grid_job *J, const grid_axis *out, const grid_mask *mask,
                           grid_chunk *t) {
  uint32_t number = NOT_ALLOWED;
  for (uint64_t k = 0; k < f->edges; k++) {
    const uint64_t v = f->key[k];
    if (k == 0 || v != f->key[k - 1]) {
      const uint64_t id = grid_axis_id(out, v);
      const bool yes = is_allowed(J, mask, v, id);
      number = yes ? (uint32_t)f->outputs : NOT_ALLOWED;
      if (yes) t->idx[f->outputs++] = id;
    }
    f->to[f->load[k]] = number;
  }
}

static void copy_vectors(sparse_push *f, const grid_job *J) {
  const size_t as = f->a_size, xs = f->x_size;
  uint64_t n = 0, entry = 0;
  for (uint64_t k = 0; k < J->nx; k++) {
    const uint64_t v = list_at(J, k), end = grid_vector_start(J->m, v + 1);
    f->m.ptr[k] = (uint32_t)n;
    for (uint64_t e = grid_vector_start(J->m, v); e < end; e++) {
      const uint32_t to = f->to[entry++];
      if (to == NOT_ALLOWED) continue;
      if (as) grid_value_copy(f->a + n * as, (const char *)J->a + e * as, as);
      f->m.idx[n++] = to;
    }
    if (xs) grid_value_copy(f->x + k * xs, (const char *)J->x + v * xs, xs);
  }
  f->m.ptr[J->nx] = (uint32_t)n;
}

/* Global positions of the listed inner indices: an axis of these only. */
static grid_axis make_picked_axis(sparse_push *f, const grid_job *J) {
  const grid_axis *in = J->index_map.axis, picked = {.dim = in->dim, .n = J->nx, .ids = f->ids};
  for (uint64_t k = 0; k < J->nx; k++) grid_axis_store(&picked, k, grid_axis_id(in, list_at(J, k)));
  return picked;
}

static GrB_Info multiply(sparse_push *f, grid_job *J, bool structural, grid_chunk *t) {
  grid_axis in;
  grid_job small = *J;
  small.m = &f->m;
  if (f->a_size)
    small.a = f->a;
  else
    small.a_step = 0;
  if (f->x_size) small.x = f->x;
  small.xlist = NULL, small.x_packed = true;
  small.mask = NULL, small.mask_complement = false;
  small.push_edges = f->m.ptr[J->nx];
  small.ny = f->outputs, small.ybits = f->bits, small.y = structural ? NULL : t->val;
  small.found = 0;
  if (J->index_map.axis && !J->s->mul->f) {
    in = make_picked_axis(f, J);
    small.index_map.axis = &in;
  }
  memset(f->bits, 0, grid_words(f->outputs) * sizeof *f->bits);
  return grid_cpu_product_kernels(&small, structural)->push(&small);
}

GrB_Info grid_push_sparse(grid_job *J, bool structural, const grid_axis *out, const grid_mask *mask,
                          grid_chunk *t) {
  sparse_push f = {0};
  GrB_Info info = GrB_SUCCESS;
  grid_chunk_empty(t);
  if (J->push_edges == 0) return info;
  TRY(allocate_workspace(&f, J));
  TRY(grid_chunk_reserve_list(t, J->push_edges, structural));
  sort_outputs(&f, J);
  number_outputs(&f, J, out, mask, t);
  if (f.outputs) {
    copy_vectors(&f, J);
    TRY(multiply(&f, J, structural, t));
  }
  t->nvals = f.outputs;
  J->inspected += J->push_edges;
  J->found += f.outputs;
done:
  grid_free(f.block);
  return info;
}
