/* The counts from which all choices of a product follow (mxv.h). */
#include <string.h>

#include "dist/delegates/delegate_split.h"
#include "dist/delegates/owner_requests.h"
#include "dist/matrix/storage/matrix_host_resident.h"
#include "dist/product/mxv/mxv.h"
#include "spmat/device/device.h"
#include "spmat/vector/bitmap_words.h"

/* ---- operands ---- */

/* to[i] = u(i) as type `want`, where the bitmap has i; elsewhere there is no value to convert. */
static void cast_bitmap(void *to, GrB_Type want, const grid_chunk *u) {
  const uint64_t words = grid_words(u->n);
#pragma omp parallel for schedule(static) num_threads(grid_word_threads(words))
  for (uint64_t w = 0; w < words; w++)
    for (uint64_t bits = u->bits[w]; bits;) { /* runs of consecutive indices */
      uint64_t b = grid_low_bit(bits), rest = ~(bits >> b), n = rest ? grid_low_bit(rest) : 64;
      uint64_t i = 64 * w + b;
      grid_cast_array((char *)to + i * want->size, want, (const char *)u->val + i * u->type->size, u->type, 1,
                      n);
      bits = b + n < 64 ? bits >> (b + n) << (b + n) : 0;
    }
}

/* p->x = u on the host with values of the multiplier's type: u's chunk itself, or a converted copy in `cast`.
 */
static GrB_Info cast_input(grid_product *p, const grid_chunk *u, grid_chunk *cast) {
  GrB_Type want = p->values.flip ? p->s->mul->x : p->s->mul->y;
  GrB_Info info = grid_chunk_to_host(u);
  p->x = u;
  if (info != GrB_SUCCESS) return info;
  if (!p->values.uses_x || want == u->type) return GrB_SUCCESS;
  bool one = u->iso && u->nvals > 0;
  uint64_t n = one ? 1 : u->format == GRID_LIST ? u->nvals : u->n;
  *cast = *u;
  cast->type = want;
  cast->val = grid_malloc(n, want->size);
  if (!cast->val) return grid_fail_memory(NULL, "converted input", n, want->size);
  if (u->format == GRID_BITMAP && !one)
    cast_bitmap(cast->val, want, u);
  else if (u->nvals)
    grid_cast_array(cast->val, want, u->val, u->type, 1, n);
  p->x = cast;
  return GrB_SUCCESS;
}

/* Degrees of x's entry k if x is a list, else of its entries in word k. */
static uint64_t sum_degrees(const uint32_t *degree, const grid_chunk *x, uint64_t k) {
  if (x->format == GRID_LIST) return degree[x->idx[k]];
  uint64_t sum = 0, bits = (x->format == GRID_FULL ? ~UINT64_C(0) : x->bits[k]) & grid_tail(x->n, k);
  for (; bits; bits &= bits - 1) sum += degree[64 * k + grid_low_bit(bits)];
  return sum;
}

/* Entries of M that meet this process's entries of x: the sum of their degrees. */
uint64_t grid_mxv_count_edges(const grid_product *p) {
  const uint32_t *degree = p->transposed ? p->A->degrees.row : p->A->degrees.col;
  const grid_chunk *x = p->x;
  uint64_t sum = 0;
  if (x->nvals == 0) return 0;
  if (grid_ctx.P == 1 && x->format == GRID_FULL) return p->A->nvals;
  if (!degree) { /* a hypersparse dimension: the mean degree, rounded up */
    return x->nvals * (p->A->nvals / p->in.n + 1);
  }
  const uint64_t words = x->format == GRID_LIST ? 0 : grid_words(x->n), n = words ? words : x->nvals;
  const int threads = grid_bit_threads(words, x->nvals);
  if (grid_is_serial(threads)) {
    for (uint64_t k = 0; k < n; k++) sum += sum_degrees(degree, x, k);
  } else {
#pragma omp parallel for reduction(+ : sum) schedule(static) num_threads(threads)
    for (uint64_t k = 0; k < n; k++) sum += sum_degrees(degree, x, k);
  }
  return sum;
}

/* Owned outputs that the mask allows and whose row of M holds entries. */
static uint64_t count_allowed_nonempty(const grid_product *p) {
  const uint64_t *nonempty = p->transposed ? p->A->degrees.col_nonempty : p->A->degrees.row_nonempty;
  const grid_mask *m = &p->mask;
  uint64_t sum = 0, words = grid_words(m->n);
  if (!nonempty) {
    uint64_t allowed = grid_mask_count(m);
    return allowed < p->A->nvals ? allowed : p->A->nvals;
  }
  if (m->list) {
    for (uint64_t k = 0; k < m->nlist; k++) sum += grid_bit(nonempty, m->list[k]);
    return m->complement ? grid_count_bits(nonempty, words) - sum : sum;
  }
  const int threads = grid_bit_threads(words, 0);
  if (grid_is_serial(threads)) {
    for (uint64_t w = 0; w < words; w++) sum += grid_popcount(grid_mask_word(m, w) & nonempty[w]);
  } else {
#pragma omp parallel for reduction(+ : sum) schedule(static) num_threads(threads)
    for (uint64_t w = 0; w < words; w++) sum += grid_popcount(grid_mask_word(m, w) & nonempty[w]);
  }
  return sum;
}

/* Moves operands and mask to the memory in which the product is computed. The mask first: it is read on the
 * device if that is on, and may be u itself. */
static GrB_Info stage_operands(grid_mxv_call *x) {
  grid_product *p = &x->p;
  const grid_product_call *a = &x->a;
  const grid_desc *d = &x->d;
  const grid_chunk *mask = a->mask ? &a->mask->chunk : NULL;
  const bool on_device = p->where == GRID_ON_DEVICE;
  const uint64_t refusals = grid_device_oom_count();
  GrB_Info info = GrB_SUCCESS;
  p->unmasked = !mask && !d->complement; /* set before a failure: grid_mxv_finish reads it */
  if (p->where == GRID_ON_HOST) TRY(grid_matrix_to_host(p->A));
  if (p->where == GRID_BLOCK_ON_DEVICE)
    TRY(grid_device_oom_to_unsupported(grid_lmat_to_device(&p->A->block), refusals));
  if (!on_device && p->A->delegates.split)
    TRY(grid_split_to_host(p->A->delegates.split)); /* the device multiplies only the block */
  if (!on_device) TRY(grid_degrees_to_host(p->A));
  TRY(grid_mask_read(&p->mask, mask, a->w->chunk.n, d->structure, d->complement));
  TRY(on_device ? grid_mask_to_device(&p->mask) : grid_mask_to_host(&p->mask));
  TRY(on_device ? grid_product_to_device(p, &a->u->chunk) : cast_input(p, &a->u->chunk, &x->cast));
done:
  return info;
}

/* info: the outcome so far. */
static GrB_Info count_local(grid_product *p, GrB_Info info, uint64_t *edges, uint64_t *allowed,
                            uint64_t *nonempty) {
  if (p->where == GRID_ON_DEVICE) return grid_product_count_device(p, info, edges, allowed, nonempty);
  if (info != GrB_SUCCESS) return info;
  *edges = grid_mxv_count_edges(p);
  *allowed = grid_mask_count(&p->mask);
  *nonempty = p->unmasked ? 0 : count_allowed_nonempty(p); /* the number of all nonempty rows is known */
  return GrB_SUCCESS;
}

void grid_mxv_count_values(const grid_product *p, const grid_chunk *x, uint64_t v[3]) {
  v[0] = x->nvals > 0;
  v[1] = x->nvals > 0 && x->iso;
  v[2] = v[1] && p->values.uses_x && x->type->code == GRID_T_BOOL && *(const bool *)grid_chunk_iso_value(x);
}

/* P times this process's terms. */
grid_counts grid_mxv_predict_counts(const uint64_t v[7], const grid_remote_edges *o, uint64_t rows) {
  const uint64_t P = (uint64_t)grid_ctx.P;
  return (grid_counts){
      .nx = P * v[0],
      .edges = P * v[1],
      .allowed = P * v[2],
      .allowed_nonempty = P * v[3],
      .chunks = P * v[4],
      .iso_chunks = P * v[5],
      .true_chunks = P * v[6],
      .rows = rows,
      .remote_edges = {P * o->delegates, P * o->normals, P * o->pushed, P * o->delegate_entries}};
}

/* Sums the counts over the grid, in one message with the outcome and perhaps x, unless they were sent with
 * the product before. */
GrB_Info grid_mxv_count(grid_mxv_call *x) {
  grid_product *p = &x->p;
  GrB_Info info = stage_operands(x);
  uint64_t v[12] = {0};
  const size_t n = p->choice.can_use_requests ? 11 : 7;
  const uint64_t rows = p->transposed ? p->A->degrees.nonempty_cols : p->A->degrees.nonempty_rows;
  grid_remote_edges *o = &p->n.remote_edges;
  bool is_prefetch_written = false;
  if (grid_piggyback_load(p, &x->a, &x->d)) { /* then no operand had to be converted or moved */
    p->stats.frontier = p->n.nx;
    return info;
  }
  grid_payload_begin(p, &p->prefetched);
  info = count_local(p, info, &v[1], &v[2], &v[3]);
  if (info == GrB_SUCCESS) {
    v[0] = p->x->nvals;
    grid_mxv_count_values(p, p->x, &v[4]);
    if (p->choice.can_use_requests) grid_requests_count_edges(p, o);
    v[7] = o->delegates, v[8] = o->normals, v[9] = o->pushed, v[10] = o->delegate_entries;
  }
  if (info == GrB_SUCCESS) {
    grid_counts f = grid_mxv_predict_counts(v, o, rows);
    if (p->unmasked) f.allowed_nonempty = rows;
    is_prefetch_written = grid_payload_write(x, p->x, &f, n + 1, &p->prefetched);
  }
  info = grid_payload_agree(p, &p->A->head, info, v, n + 1, is_prefetch_written, &p->prefetched);
  p->n = (grid_counts){.nx = v[0],
                       .edges = v[1],
                       .allowed = v[2],
                       .allowed_nonempty = p->unmasked ? rows : v[3],
                       .chunks = v[4],
                       .iso_chunks = v[5],
                       .true_chunks = v[6],
                       .rows = rows,
                       .remote_edges = {v[7], v[8], v[9], v[10]}};
  p->stats.frontier = v[0];
  return info;
}
