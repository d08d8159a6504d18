/* GrB_mxv and GrB_vxm: check -> count and decide -> delegates -> expand -> spread the mask -> local kernel ->
 * fold -> write back (specification 4.3.2, 4.3.3; docs/design.md, "One product"). vxm is mxv with the
 * transpose and the operands of the multiplier changed round. */
#include <omp.h>
#include <string.h>

#include "dist/lookahead/lookahead.h"
#include "dist/plan/layout_cost.h"
#include "dist/delegates/owner_requests.h"
#include "dist/delegates/delegate_split.h"
#include "dist/object/device_retry.h"
#include "dist/matrix/storage/matrix_host_resident.h"
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/product/mxv/mxv.h"
#include "dist/product/piggybacked_counts.h"
#include "dist/plan/push_pull.h"
#include "dist/product/exchange/row_hubs.h"
#include "dist/product/exchange/pull_ring.h"
#include "dist/product/local/local_product_outofcore.h"
#include "dist/product/exchange/push_along_rows.h"
#include "spmat/device/device.h"
#include "spmat/vector/bitmap_words.h"

/* ---- check ---- */

typedef grid_product_call arguments;

static GrB_Info check(grid_product *p, const arguments *a, grid_desc *d) {
  GrB_Info info = grid_check_initialized(p->call);
  if (info != GrB_SUCCESS) return info;
  if ((info = grid_check_vector(a->w, p->call, "w")) != GrB_SUCCESS) return info;
  if ((info = grid_check_object(p->s, &a->w->head, p->call, "op")) != GrB_SUCCESS) return info;
  if ((info = grid_check_object(p->A, &a->w->head, p->call, "A")) != GrB_SUCCESS) return info;
  if ((info = grid_check_operand(a->u, &a->w->head, p->call, "u")) != GrB_SUCCESS) return info;
  info = grid_check_output(a->w, a->mask, a->accum, a->desc, p->s->add->op->z, p->call, d);
  if (info != GrB_SUCCESS) return info;
  p->transposed = (p->flip ? d->tran1 : d->tran0) != p->flip;
  GrB_Matrix A = p->A;
  p->nin = p->transposed ? A->nrows : A->ncols;
  p->nout = p->transposed ? A->ncols : A->nrows;
  if (a->u->n != p->nin || a->w->n != p->nout)
    return grid_fail(&a->w->head, GrB_DIMENSION_MISMATCH,
                     "%s: w has size %llu and u %llu, but %s is %llu x %llu", p->call,
                     (unsigned long long)a->w->n, (unsigned long long)a->u->n,
                     d->tran0 || d->tran1 ? "A (before transposition)" : "A", (unsigned long long)A->nrows,
                     (unsigned long long)A->ncols);
  GrB_BinaryOp mul = p->s->mul;
  GrB_Type want_u = p->flip ? mul->x : mul->y, want_a = p->flip ? mul->y : mul->x;
  p->uses_x_values = p->flip ? mul->uses_x : mul->uses_y;
  p->uses_a_values = p->flip ? mul->uses_y : mul->uses_x;
  if (p->uses_x_values && !grid_compatible(want_u, a->u->type))
    return grid_fail(&a->w->head, GrB_DOMAIN_MISMATCH, "%s: u has type %s, which %s cannot take as %s",
                     p->call, a->u->type->name, mul->name, want_u->name);
  if (p->uses_a_values && !grid_compatible(want_a, A->type))
    return grid_fail(&a->w->head, GrB_DOMAIN_MISMATCH, "%s: A has type %s, which %s cannot take as %s",
                     p->call, A->type->name, mul->name, want_a->name);
  return GrB_SUCCESS;
}

/* ---- count ---- */

/* to[i] = from[i] as another type where the bitmap has index i: elsewhere there is no value to convert. */
static void cast_bitmap(void *to, GrB_Type want, const grid_chunk *u) {
  const uint64_t words = grid_words(u->n);
#pragma omp parallel for schedule(static) num_threads(grid_word_threads(words))
  for (uint64_t w = 0; w < words; w++)
    for (uint64_t bits = u->bits[w]; bits;) { /* runs of indices that follow one another */
      uint64_t b = grid_low_bit(bits), rest = ~(bits >> b), n = rest ? grid_low_bit(rest) : 64;
      uint64_t i = 64 * w + b;
      grid_cast_array((char *)to + i * want->size, want, (const char *)u->val + i * u->type->size, u->type, 1,
                      n);
      bits = b + n < 64 ? bits >> (b + n) << (b + n) : 0;
    }
}

/* x with values of the multiplier's type, on the host: u's chunk itself, or a converted copy in `cast`. */
static GrB_Info cast_input(grid_product *p, const grid_chunk *u, grid_chunk *cast) {
  GrB_Type want = p->flip ? p->s->mul->x : p->s->mul->y;
  GrB_Info info = grid_chunk_to_host(u);
  p->x = u;
  if (info != GrB_SUCCESS) return info;
  if (!p->uses_x_values || want == u->type) return GrB_SUCCESS;
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

/* Of x's entries in word w of a bitmap, or a full chunk. */
static uint64_t sum_degrees_of_word(const uint32_t *degree, const grid_chunk *x, uint64_t w) {
  uint64_t sum = 0, bits = (x->format == GRID_FULL ? ~UINT64_C(0) : x->bits[w]) & grid_tail(x->n, w);
  for (; bits; bits &= bits - 1) sum += degree[64 * w + grid_low_bit(bits)];
  return sum;
}

/* Entries of M that meet own entries of x: degrees of the owned inputs. */
static uint64_t count_edges(const grid_product *p) {
  const uint32_t *degree = p->transposed ? p->A->degrees.row : p->A->degrees.col;
  const grid_chunk *x = p->x;
  uint64_t sum = 0;
  if (x->nvals == 0) return 0;
  if (!degree) { /* a hypersparse dimension: the mean of at most one entry a vector, rounded up */
    return x->nvals * (p->A->nvals / p->nin + 1);
  }
  if (x->format == GRID_LIST) {
    for (uint64_t k = 0; k < x->nvals; k++) sum += degree[x->idx[k]];
    return sum;
  }
  const uint64_t words = grid_words(x->n);
  const int threads = words > 1 << 8 ? omp_get_max_threads() : 1;
  if (grid_is_serial(threads)) {
    for (uint64_t w = 0; w < words; w++) sum += sum_degrees_of_word(degree, x, w);
  } else {
#pragma omp parallel for reduction(+ : sum) schedule(static) num_threads(threads)
    for (uint64_t w = 0; w < words; w++) sum += sum_degrees_of_word(degree, x, w);
  }
  return sum;
}

/* Owned outputs that the mask allows and whose row of M holds entries. */
static uint64_t allowed_with_entries(const grid_product *p) {
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
  const int threads = grid_word_threads(words);
  if (grid_is_serial(threads)) {
    for (uint64_t w = 0; w < words; w++) sum += grid_popcount(grid_mask_word(m, w) & nonempty[w]);
  } else {
#pragma omp parallel for reduction(+ : sum) schedule(static) num_threads(threads)
    for (uint64_t w = 0; w < words; w++) sum += grid_popcount(grid_mask_word(m, w) & nonempty[w]);
  }
  return sum;
}

/* Operands and mask, where the product is done. The mask first: it is read on the device if that is on, and
 * may be u itself. */
static GrB_Info stage_operands(grid_product *p, const arguments *a, const grid_desc *d, grid_chunk *cast) {
  const grid_chunk *mask = a->mask ? &a->mask->chunk : NULL;
  const bool on_device = p->where == GRID_ON_DEVICE;
  const uint64_t refusals = grid_device_oom_count();
  GrB_Info info = GrB_SUCCESS;
  p->unmasked = !mask && !d->complement; /* also where what follows fails: the outcome is told by it */
  if (p->where == GRID_ON_HOST) TRY(grid_matrix_to_host(p->A));
  if (p->where == GRID_BLOCK_ON_DEVICE)
    TRY(grid_device_oom_to_unsupported(grid_lmat_to_device(&p->A->block), refusals));
  if (!on_device && p->A->delegates.split)
    TRY(grid_split_to_host(p->A->delegates.split)); /* the block alone is done there */
  if (!on_device) TRY(grid_degrees_to_host(p->A));
  TRY(grid_mask_read(&p->mask, mask, a->w->chunk.n, d->structure, d->complement));
  TRY(on_device ? grid_mask_to_device(&p->mask) : grid_mask_to_host(&p->mask));
  TRY(on_device ? grid_product_to_device(p, &a->u->chunk) : cast_input(p, &a->u->chunk, cast));
done:
  return info;
}

static GrB_Info count_local(const grid_product *p, uint64_t *edges, uint64_t *allowed, uint64_t *nonempty) {
  if (p->where == GRID_ON_DEVICE) return grid_product_count_device(p, edges, allowed, nonempty);
  *edges = count_edges(p);
  *allowed = grid_mask_count(&p->mask);
  *nonempty = p->unmasked ? 0 : allowed_with_entries(p); /* all rows that have any: their number is known */
  return GrB_SUCCESS;
}

/* Has x entries; are they one value; is it true? */
static void count_values(const grid_product *p, const grid_chunk *x, uint64_t v[3]) {
  v[0] = x->nvals > 0;
  v[1] = x->nvals > 0 && x->iso;
  v[2] = v[1] && p->uses_x_values && x->type->code == GRID_T_BOOL && *(const bool *)grid_chunk_iso_value(x);
}

/* Sums of which this process has such a part are, nearly, so many times that. */
static grid_counts predict_counts(const uint64_t v[7], const grid_remote_edges *o, uint64_t rows) {
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

/* Counts over the grid, in one message together with the outcome so far, and with x, if the last product has
 * not told them. */
static GrB_Info count(grid_product *p, const arguments *a, const grid_desc *d, GrB_Info info) {
  uint64_t v[12] = {0};
  const size_t n = p->can_use_requests ? 11 : 7;
  const uint64_t rows = p->transposed ? p->A->degrees.nonempty_cols : p->A->degrees.nonempty_rows;
  grid_remote_edges *o = &p->n.remote_edges;
  bool is_prefetch_written = false;
  if (grid_piggyback_load(p, a, d)) { /* then all that it wanted was there */
    p->stats.frontier = p->n.nx;
    return info;
  }
  grid_payload_begin(p, &p->prefetched);
  if (info == GrB_SUCCESS) {
    info = count_local(p, &v[1], &v[2], &v[3]);
    v[0] = p->x->nvals;
    count_values(p, p->x, &v[4]);
    if (p->can_use_requests) grid_requests_count_edges(p, o);
    v[7] = o->delegates, v[8] = o->normals, v[9] = o->pushed, v[10] = o->delegate_entries;
  }
  if (info == GrB_SUCCESS) {
    grid_counts f = predict_counts(v, o, rows);
    if (p->unmasked) f.allowed_nonempty = rows;
    is_prefetch_written = grid_payload_write(p, p->x, &f, n + 1, &p->prefetched);
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

/* ---- local product ---- */

/* y gets its arrays: those of t where the contributions are the result, else its own. */
static GrB_Info make_output(const grid_product *p, grid_chunk *t, bool direct, grid_output *y) {
  const grid_axis *axis = grid_out_axis(p, &p->A->block);
  *y = (grid_output){0};
  if (direct) {
    GrB_Info info = grid_chunk_reserve_dense(t, p->structural);
    if (info != GrB_SUCCESS) return info;
    y->n = t->n;
    y->bits = t->bits;
    y->val = t->val;
  } else {
    size_t size = p->structural ? 0 : p->s->mul->z->size;
    y->n = axis->n;
    y->bits = y->own_bits = grid_malloc(grid_words(y->n), 8);
    y->val = y->own_val = size ? grid_malloc(y->n, size) : NULL;
    if (!y->bits || (size && !y->val)) return grid_fail_memory(NULL, "outputs of a block", y->n, size);
  }
  if (y->n) memset(y->bits, 0, grid_words(y->n) * 8);
  return GrB_SUCCESS;
}

/* The product of the block: t, where its contributions are the result, else y. */
static GrB_Info multiply_block(grid_product *p, const grid_input *in, const grid_kernel_mask *mask,
                               bool direct, grid_output *y, grid_chunk *t) {
  const grid_local_matrix *block = &p->A->block;
  const grid_index_map index_map = grid_product_index_map(p, grid_in_axis(p, block));
  GrB_Info info = make_output(p, t, direct, y);
  if (info != GrB_SUCCESS) return info;
  return p->pages ? grid_run_pages(p, in, mask, index_map, y)
                  : grid_run_lmat(p, block, p->transposed, p->pull, in, mask, index_map, y);
}

/* The same of few entries: t, where the outputs are this process's own, else y's list, which is `few`. */
static GrB_Info multiply_sparse(grid_product *p, const grid_input *in, const grid_kernel_mask *mask,
                                grid_output *y, grid_chunk *sparse, grid_chunk *t) {
  const grid_local_matrix *block = &p->A->block;
  const bool own = grid_set_size(p->scatter) == 1;
  grid_chunk_init(sparse, p->s->mul->z, grid_out_axis(p, block)->dim);
  y->sparse = sparse;
  return grid_run_sparse_push(p, in, own ? &p->mask : NULL, mask,
                              grid_product_index_map(p, grid_in_axis(p, block)), own ? t : sparse);
}

/* Of a structural product all values are one. */
static GrB_Info fill_constant(const grid_product *p, grid_chunk *t) {
  if (!p->structural) return GrB_SUCCESS;
  t->iso = true;
  GrB_Info info = grid_chunk_reserve_val(t, 1); /* what was kept for reuse may be for a smaller type */
  if (info == GrB_SUCCESS) memcpy(t->val, p->constant, t->type->size);
  return info;
}

static GrB_Info push_local_rows(grid_product *p, grid_chunk *t) {
  double since = grid_product_now();
  GrB_Info info = grid_push_rows(p, t);
  grid_product_lap(p, &p->stats.fold_ms, &since);
  return info == GrB_SUCCESS ? fill_constant(p, t) : info;
}

static GrB_Info multiply(grid_product *p, grid_chunk *t) {
  const bool own = grid_set_size(p->scatter) == 1; /* outputs */
  bool direct = own && !grid_out_axis(p, &p->A->block)->ids, is_few = false;
  grid_input in = {0};
  grid_kernel_mask mask = {0};
  grid_output y = {0};
  grid_delegates g = {0};
  grid_chunk sparse = {0};
  double since = grid_product_now();
  GrB_Info info;
  if (p->A->delegates.split) TRY(grid_delegates_before(p, &g));
  grid_product_lap(p, &p->stats.delegate_ms, &since);
  /* From here on an outcome that only this process knows is carried along to the next point where all
   * processes agree. */
  info = p->uses_requests ? grid_requests_expand(p, &in) : grid_expand(p, &in);
  grid_product_lap(p, &p->stats.expand_ms, &since);
  if (info == GrB_SUCCESS) is_few = grid_is_sparse_push(p, &in);
  if (!(is_few && own)) info = grid_make_block_mask(p, info, &mask);
  grid_product_lap(p, &p->stats.mask_ms, &since);
  if (info == GrB_SUCCESS)
    info = is_few ? multiply_sparse(p, &in, &mask, &y, &sparse, t)
                  : multiply_block(p, &in, &mask, direct, &y, t);
  grid_product_lap(p, &p->stats.local_ms, &since);
  if (p->uses_requests) info = grid_requests_resolve(p, info, &in, &mask, &y);
  if (!direct && !(is_few && own)) info = grid_fold(p, info, &y, t);
  TRY(info);
  if (direct && !is_few) {
    t->format = GRID_BITMAP;
    t->nvals = y.found;
  }
  grid_product_lap(p, &p->stats.fold_ms, &since);
  TRY(fill_constant(p, t));
  if (p->A->delegates.split) info = grid_delegates_after(p, &g, t);
  grid_product_lap(p, &p->stats.delegate_ms, &since);
done:
  grid_delegates_free(&g);
  grid_input_free(&in);
  grid_free(mask.own);
  grid_free(y.own_bits);
  grid_free(y.own_val);
  grid_chunk_free(&sparse);
  return info;
}

/* A pull whose rows go from process to process. */
static GrB_Info pull_forwarding_rows(grid_product *p, grid_chunk *t) {
  grid_input in = {0};
  const uint64_t *row_hubs = NULL;
  void *local_row_hubs = NULL;
  grid_delegates g = {0};
  double since = grid_product_now();
  GrB_Info info;
  if (p->A->delegates.split) TRY(grid_delegates_before(p, &g));
  grid_product_lap(p, &p->stats.delegate_ms, &since);
  info = p->tries_row_hubs ? grid_expand_row_hubs(p, &in, &row_hubs, &local_row_hubs) : grid_expand(p, &in);
  grid_product_lap(p, &p->stats.expand_ms, &since);
  TRY(grid_pass_rows(p, info, &in, row_hubs, t));
  grid_product_lap(p, &p->stats.local_ms, &since);
  TRY(fill_constant(p, t));
  if (p->A->delegates.split) info = grid_delegates_after(p, &g, t);
  grid_product_lap(p, &p->stats.delegate_ms, &since);
done:
  grid_delegates_free(&g);
  grid_input_free(&in);
  grid_free(local_row_hubs);
  return info;
}

/* ---- the whole ---- */

/* The block's direction, and behind a stroke those of the delegates' parts on this process. */
static const char *direction_name(const grid_product *p) {
  static const char *const name[2][4] = {{"push", "push/push", "push/pull", "push/both"},
                                         {"pull", "pull/push", "pull/pull", "pull/both"}};
  return name[p->pull][p->delegates_push + 2 * p->delegates_pull];
}

static const char *format_name(grid_format f) {
  return f == GRID_LIST ? "list" : f == GRID_BITMAP ? "bitmap" : "full";
}

/* Vectors along rows serve a pull of A and a push of its transpose; a pull wants heads. */
static unsigned needed_forms(const grid_product *p) {
  if (p->pushes_rows) return p->transposed ? GRID_COLS : 0; /* as pulls do, which want heads, too */
  if (p->pull) return p->transposed ? GRID_COL_HUB_NEIGHBORS : GRID_ROW_HUB_NEIGHBORS;
  return p->transposed ? 0 : GRID_COLS;
}

/* ---- the end, and what comes next ---- */

/* What the next product counts if t is its x, and the mask forbids t's entries, too. */
static void count_next_product(const grid_product *p, const arguments *a, const grid_chunk *t,
                               uint64_t v[GRID_PIGGYBACK_WORDS]) {
  grid_product next = *p;
  grid_remote_edges o = {0};
  next.x = t;
  v[1] = count_edges(&next);
  count_values(p, t, &v[2]);
  if (p->can_use_requests) grid_requests_count_edges(&next, &o);
  if (p->can_use_requests) o.delegate_entries -= grid_requests_delegate_edges(&next);
  v[5] = o.delegates, v[6] = o.normals, v[7] = o.pushed, v[8] = o.delegate_entries;
  grid_piggyback_rooms(a, t, v);
}

/* The next product's x goes along with its numbers. */
static bool write_next_prefetch(grid_product *p, const grid_chunk *t, const uint64_t v[GRID_PIGGYBACK_WORDS],
                                grid_prefetched *next) {
  const uint64_t own[7] = {v[0], v[1], 0, 0, v[2], v[3], v[4]}, found = v[0] * (uint64_t)grid_ctx.P;
  grid_counts f = predict_counts(own, &(grid_remote_edges){v[5], v[6], v[7], 0}, p->n.rows);
  f.allowed = p->n.allowed > found ? p->n.allowed - found : 0;
  f.allowed_nonempty = p->n.allowed_nonempty > found ? p->n.allowed_nonempty - found : 0;
  return grid_payload_write(p, t, &f, GRID_PIGGYBACK_WORDS + 1, next);
}

/* What goes along with an outcome: n counters, or, with the next x, one more. */
typedef struct {
  grid_product *p;
  uint64_t v[GRID_PIGGYBACK_WORDS + 1];
  size_t n;
  bool is_prefetch_written;
  grid_prefetched next;
} agreement;

static GrB_Info agree_outcome(grid_head *head, GrB_Info info, void *context) {
  agreement *g = context;
  if (g->n == 0) return g->p->not_agreed ? grid_agree_supported(head, info) : grid_agree(head, info);
  return grid_payload_agree(g->p, head, info, g->v, g->n + 1, g->is_prefetch_written, &g->next);
}

/* How many entries w has then is known to all, if t is all that it has; so are the next product's counts in a
 * loop that may go on, and its x, if the last time it did. */
static GrB_Info finish(grid_product *p, const arguments *a, const grid_desc *d, grid_chunk *t, bool masked,
                       GrB_Info info) {
  const bool only_t = !a->accum && !grid_device_is_on() &&
                      (p->unmasked || (d->replace && grid_is_product_masked(p))),
             piggybacks = only_t && grid_piggyback_allowed(p, a, d, t);
  agreement g = {
      .p = p, .n = piggybacks ? GRID_PIGGYBACK_WORDS : only_t, .next = {.delivery = GRID_PAYLOAD_NONE}};
  if (piggybacks && grid_piggyback_expects(p, a)) grid_payload_begin(p, &g.next);
  if (info == GrB_SUCCESS) g.v[0] = t->nvals;
  if (info == GrB_SUCCESS && piggybacks) count_next_product(p, a, t, g.v);
  if (info == GrB_SUCCESS && piggybacks) g.is_prefetch_written = write_next_prefetch(p, t, g.v, &g.next);
  info = grid_finish_with_agreement(a->w, a->mask, a->accum, d, t, masked, info,
                                    (grid_agreement){agree_outcome, &g});
  if (info != GrB_SUCCESS || !only_t) return info;
  a->w->read_cache.nvals = g.v[0];
  a->w->read_cache.counted = grid_calls;
  if (piggybacks) grid_piggyback_store(p, a, g.v, &g.next);
  return info;
}

/* The product where p->where says; GRID_UNSUPPORTED: nothing has happened, and it must be done on the host.
 */
static GrB_Info try_multiply(grid_product *p, const arguments *a, const grid_desc *d) {
  GrB_Info info;
  /* A symmetric matrix is its own transpose: take the one whose rows are spread over fewer processes, so that
   * a pull finds its hit at home */
  if (p->A->properties.symmetric) p->transposed = grid_ctx.R < grid_ctx.C;
  p->gather = p->transposed ? GRID_SET_ROW : GRID_SET_COL;
  p->scatter = p->transposed ? GRID_SET_COL : GRID_SET_ROW;
  p->stats.call = p->call;
  grid_chunk cast = {0}, t = grid_reusable_chunk(a->w, p->s->add->op->z);
  if (!p->pages) TRY(grid_requests_prepare(p));
  TRY(count(p, a, d, stage_operands(p, a, d, &cast)));
  grid_product_decide(p);
  grid_payload_use(p);
  if (!p->pages) TRY(grid_matrix_require(p->A, needed_forms(p)));
  const bool may_try = !p->pages && grid_can_try_row_hubs(p);
  if (may_try) TRY(grid_row_hubs_make(p->A, p->transposed));
  p->tries_row_hubs = may_try && p->A->cached.row_hubs &&
                      p->A->cached.row_hubs->transposed == p->transposed && p->A->cached.row_hubs->d > 0;
  p->stats.x_format = format_name(p->x->format);
  TRY(p->where == GRID_ON_DEVICE ? grid_product_multiply_device(p, &t)
      : p->pushes_rows           ? push_local_rows(p, &t)
      : p->passes_rows           ? pull_forwarding_rows(p, &t)
                                 : multiply(p, &t));
  info = grid_chunk_choose_format(&t);
done:;
  if (info == GRID_UNSUPPORTED && !p->not_agreed) {
    if (cast.val) grid_free(cast.val);
    grid_chunk_free(&t);
    grid_mask_free(&p->mask);
    return info;
  }
  const bool masked = p->mask.all || grid_is_product_masked(p);
  double since = grid_product_now();
  p->stats.found =
      masked || !grid_is_tracing() || info != GrB_SUCCESS ? t.nvals : grid_mask_count_allowed(&p->mask, &t);
  p->stats.y_format = format_name(t.format);
  info = finish(p, a, d, &t, masked, info);
  grid_product_lap(p, &p->stats.write_ms, &since);
  if (cast.val) grid_free(cast.val);
  grid_mask_free(&p->mask);
  p->stats.direction = direction_name(p);
  if (grid_burble) grid_trace_method(p->stats.direction);
  return info == GrB_SUCCESS && grid_is_tracing() ? grid_trace_product(p) : info;
}

static GrB_Info product_paged(grid_product *p, const arguments *a, const grid_desc *d) {
  p->before = grid_traffic_now;
  p->where = GRID_ON_HOST;
  p->pages = p->A->pages;
  return try_multiply(p, a, d);
}

/* given: what the call says. */
static GrB_Info product(const grid_product *given, const arguments *a) {
  grid_product own = *given, *p = &own;
  grid_desc d;
  GrB_Info info = check(p, a, &d);
  if (info != GrB_SUCCESS) return info;
  if ((info = grid_matrix_require(p->A, GRID_OUTOFCORE | GRID_READY)) != GrB_SUCCESS) return info;
  if (grid_is_paged(p->A)) return product_paged(p, a, &d);
  if ((info = grid_product_choose_where(p, a->u->type)) != GrB_SUCCESS) return info;
  if ((info = grid_paged_force(p->A, &p->pages)) != GrB_SUCCESS) return info;
  p->before = grid_traffic_now;
  const grid_product fresh = *p;
  const uint64_t refusals = grid_device_oom_count();
  info = try_multiply(p, a, &d);
  grid_pages_free(p->pages);
  if (info != GRID_UNSUPPORTED) return info;
  const bool full = grid_device_oom_count() != refusals; /* here; elsewhere it may be another */
  grid_report_fallback(
      full ? "product of a matrix for which the device has no room"
           : "product whose kernel cannot be made, or of a matrix for which a device has no room");
  *p = fresh;
  p->pages = NULL; /* they are never there with a device */
  p->where = GRID_ON_HOST;
  info = try_multiply(p, a, &d);
  if (full) grid_block_make_host_resident(p->A);
  return info;
}

GrB_Info GrB_mxv(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Semiring op,
                 const GrB_Matrix A, const GrB_Vector u, const GrB_Descriptor desc) {
  GRID_CALL_SCOPE;
  const uint64_t before = grid_calls;
  bool handled;
  GrB_Info info = grid_lookahead_product(
      &(grid_lookahead_product_call){"GrB_mxv", w, mask, u, accum, op, A, desc, false}, &handled);
  if (handled) return GRID_TRACE_CALL("GrB_mxv", info, w, mask, A, u);
  if (info != GrB_SUCCESS) return info;
  grid_product p = {.call = "GrB_mxv", .A = A, .s = op};
  return GRID_TRACE_CALL_RETRY("GrB_mxv", product(&p, &(arguments){w, mask, u, accum, desc, before}), w, mask,
                               A, u);
}

GrB_Info GrB_vxm(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Semiring op,
                 const GrB_Vector u, const GrB_Matrix A, const GrB_Descriptor desc) {
  GRID_CALL_SCOPE;
  const uint64_t before = grid_calls;
  bool handled;
  GrB_Info info = grid_lookahead_product(
      &(grid_lookahead_product_call){"GrB_vxm", w, mask, u, accum, op, A, desc, true}, &handled);
  if (handled) return GRID_TRACE_CALL("GrB_vxm", info, w, mask, u, A);
  if (info != GrB_SUCCESS) return info;
  grid_product p = {.call = "GrB_vxm", .A = A, .s = op, .flip = true};
  return GRID_TRACE_CALL_RETRY("GrB_vxm", product(&p, &(arguments){w, mask, u, accum, desc, before}), w, mask,
                               u, A);
}
