/* The steps of a product for delegates (Pan et al., sections III to V). Their x and mask are replicated, each
 * process multiplies its matrices of the split, and one allreduce of the monoid merges the contributions to
 * delegates. Contributions to normal vertices are local, since a vertex' owner has its entries. Each process
 * chooses push or pull for each of its matrices from local counts. */
#include <string.h>

#include "dist/plan/push_pull.h"
#include "dist/delegates/delegate_split.h"

/* ---- one matrix of the split ---- */

/* Entries of the matrix that meet entries of x. */
static uint64_t count_edges(const grid_compressed *by_in, const grid_chunk *x, uint64_t nvals) {
  uint64_t sum = 0;
  if (x->format == GRID_FULL) return nvals;
  for (grid_iter it = grid_iter_begin(x); grid_iter_next(&it);)
    sum += grid_vector_start(by_in, it.i + 1) - grid_vector_start(by_in, it.i);
  return sum;
}

static uint64_t count_allowed_rows(const grid_compressed *by_out, const grid_kernel_mask *mask, uint64_t n,
                                   uint64_t *rows) {
  uint64_t sum = 0;
  *rows = 0;
  for (uint64_t w = 0; w < grid_words(n); w++) {
    uint64_t m = !mask->bits ? ~UINT64_C(0) : mask->complement ? ~mask->bits[w] : mask->bits[w];
    sum += (uint64_t)__builtin_popcountll(by_out->nonempty[w] & m);
    *rows += (uint64_t)__builtin_popcountll(by_out->nonempty[w]);
  }
  return sum;
}

static GrB_Info run_on_host(grid_product *p, const grid_local_matrix *lmat, bool transposed,
                            const grid_chunk *x, const grid_kernel_mask *mask, grid_index_map where,
                            grid_output *y) {
  if (lmat->nvals == 0 || x->nvals == 0) return GrB_SUCCESS;
  const grid_axis *in_axis = transposed ? &lmat->row : &lmat->col;
  const grid_compressed *by_in = transposed ? &lmat->by_row : &lmat->by_col,
                        *by_out = transposed ? &lmat->by_col : &lmat->by_row;
  uint64_t rows, pull_work, edges = count_edges(by_in, x, lmat->nvals);
  if (edges == 0) return GrB_SUCCESS;
  uint64_t allowed = count_allowed_rows(by_out, mask, y->n, &rows);
  bool pull = grid_pull_is_cheaper(p, lmat->nvals, rows, edges, allowed, &pull_work);
  p->stats.push_work += edges;
  p->stats.pull_work += pull_work;
  p->choice.delegates_pull |= pull;
  p->choice.delegates_push |= !pull;
  grid_input in;
  where.axis = in_axis;
  GrB_Info info = grid_make_input_from_chunk(p, x, in_axis, pull, &in);
  if (info == GrB_SUCCESS) info = grid_run_lmat(p, lmat, transposed, pull, &in, mask, where, y);
  grid_input_free(&in);
  return info;
}

/* ---- replication ---- */

static uint64_t first_own_vertex(const grid_product *p) {
  return grid_chunk_first(p->A->nrows, grid_ctx.k);
}

/* x, allowed = the delegates of this process in p->x and the mask, as chunks over their positions in
 * s->order. */
static GrB_Info select_own_delegates(grid_product *p, grid_chunk *x, grid_chunk *allowed) {
  const grid_split *s = p->A->delegates.split;
  uint64_t from = s->start[grid_ctx.k], n = s->start[grid_ctx.k + 1] - from;
  size_t size = p->values.uses_x ? p->x->type->size : 0;
  grid_chunk_init(x, p->x->type, n);
  grid_chunk_init(allowed, GrB_BOOL, n);
  GrB_Info info = grid_chunk_reserve_dense(x, !size);
  if (info == GrB_SUCCESS) info = grid_chunk_reserve_dense(allowed, true);
  if (info != GrB_SUCCESS || n == 0) return info;
  memset(x->bits, 0, grid_words(n) * 8);
  memset(allowed->bits, 0, grid_words(n) * 8);
  x->format = allowed->format = GRID_BITMAP;
  for (uint64_t k = 0; k < n; k++) {
    uint64_t offset = s->id[s->order[from + k]] - first_own_vertex(p);
    const void *v;
    if (grid_chunk_get(p->x, offset, &v)) {
      x->bits[k >> 6] |= UINT64_C(1) << (k & 63);
      if (size) memcpy((char *)x->val + k * size, v, size);
      x->nvals++;
    }
    if (grid_mask_has_index(&p->mask, offset)) {
      allowed->bits[k >> 6] |= UINT64_C(1) << (k & 63);
      allowed->nvals++;
    }
  }
  return GrB_SUCCESS;
}

/* Adds the entries of process k's message to x. */
static void unpack_x(const grid_product *p, const grid_message *m, int k, grid_chunk *x) {
  const grid_split *s = p->A->delegates.split;
  size_t size = p->values.uses_x ? x->type->size : 0;
  grid_message_iter it = grid_message_begin(m);
  while (grid_message_next(&it)) {
    uint32_t number = s->order[s->start[k] + it.i];
    x->bits[number >> 6] |= UINT64_C(1) << (number & 63);
    if (size) memcpy((char *)x->val + number * size, it.v, size);
    x->nvals++;
  }
}

static void unpack_mask(const grid_product *p, const grid_message *m, int k, uint64_t *bits) {
  const grid_split *s = p->A->delegates.split;
  grid_message_iter it = grid_message_begin(m);
  while (grid_message_next(&it)) {
    uint32_t number = s->order[s->start[k] + it.i];
    bits[number >> 6] |= UINT64_C(1) << (number & 63);
  }
}

/* Replicates x and mask of all delegates on every process, by a message from each owner. */
static GrB_Info replicate(grid_product *p, grid_delegates *g) {
  const grid_split *s = p->A->delegates.split;
  int P = grid_ctx.P;
  grid_chunk x, allowed;
  grid_received got;
  /* from the sums over the grid: a mask may allow all in one chunk only */
  const bool all_allowed = p->n.allowed == p->out.n;
  grid_chunk_init(&g->x, p->x->type, s->d);
  GrB_Info info = select_own_delegates(p, &x, &allowed);
  if (info == GrB_SUCCESS) info = grid_chunk_reserve_dense(&g->x, !p->values.uses_x);
  g->allowed = all_allowed ? NULL : grid_calloc(grid_words(s->d), 8);
  if (info == GrB_SUCCESS && !all_allowed && !g->allowed)
    info = grid_fail_memory(NULL, "mask of delegates", s->d / 8, 1);
  grid_entries_out ex = grid_entries_of_chunk(&x, p->values.uses_x),
                   em = grid_entries_of_chunk(&allowed, false);
  grid_count_messages(p, &ex, P - 1);
  info =
      grid_allgather_messages(&p->A->cached.buffers, GRID_SET_ALL, info, &ex, &got, &p->stats.delegate_bytes);
  if (info == GrB_SUCCESS) {
    memset(g->x.bits, 0, grid_words(s->d) * 8);
    g->x.format = GRID_BITMAP;
    for (int k = 0; k < P; k++) {
      grid_message m = grid_received_message(&got, (size_t)k);
      unpack_x(p, &m, k, &g->x);
    }
  }
  if (!all_allowed) {
    grid_count_messages(p, &em, P - 1);
    info = grid_allgather_messages(&p->A->cached.buffers, GRID_SET_ALL, info, &em, &got,
                                   &p->stats.delegate_bytes);
    for (int k = 0; k < P && info == GrB_SUCCESS; k++) {
      grid_message m = grid_received_message(&got, (size_t)k);
      unpack_mask(p, &m, k, g->allowed);
    }
  }
  grid_chunk_free(&x);
  grid_chunk_free(&allowed);
  return info;
}

/* ---- bit-packed dd ---- */

/* The entries of this process's rows (outputs) that the product inspects: for ANY the first that meets x,
 * else all that do. idx NULL: they are only counted, in ptr. */
static void intersect_rows(const grid_product *p, const grid_delegates *g, const uint64_t *matrix,
                           uint64_t *ptr, uint32_t *idx) {
  const grid_split *s = p->A->delegates.split;
  bool first = p->values.structural || p->s->add->any;
  uint64_t P = (uint64_t)grid_ctx.P;
  for (uint64_t r = 0; r < s->d; r++) {
    uint64_t at = ptr[r], start = at;
    bool mine = r % P == (uint64_t)grid_ctx.k && (!g->allowed || grid_bit(g->allowed, r));
    for (uint64_t w = 0; mine && w < s->words && !(first && at > start); w++) {
      uint64_t bits = matrix[r * s->words + w] & g->x.bits[w];
      for (; bits && !(first && at > start); bits &= bits - 1, at++)
        if (idx) idx[at] = (uint32_t)(64 * w + (uint64_t)__builtin_ctzll(bits));
    }
    ptr[r + 1] = at;
  }
}

static GrB_Info run_bits(grid_product *p, const grid_delegates *g, grid_index_map where, grid_output *y) {
  const grid_split *s = p->A->delegates.split;
  if (!s->dd_rows || g->x.nvals == 0) return GrB_SUCCESS;
  const uint64_t *matrix = p->transposed ? s->dd_cols : s->dd_rows;
  grid_local_matrix matching;
  grid_lmat_init(&matching, p->A->type, s->d, s->d);
  matching.row.n = matching.col.n = s->d;
  matching.iso = true;
  grid_compressed *c = &matching.by_row;
  *c = (grid_compressed){.offsets64 = grid_calloc(s->d + 1, 8),
                         .hub_neighbor = grid_calloc(s->d, 4),
                         .nonempty = grid_calloc(s->words, 8)};
  matching.iso_val = grid_malloc(1, p->A->type->size);
  GrB_Info info = GrB_SUCCESS;
  if (!c->offsets64 || !c->hub_neighbor || !c->nonempty || !matching.iso_val)
    TRY(grid_fail_memory(NULL, "rows of delegates", s->d, 9));
  memcpy(matching.iso_val, s->dd_value, p->A->type->size);
  intersect_rows(p, g, matrix, c->offsets64, NULL);
  matching.nvals = c->offsets64[s->d];
  c->idx = grid_malloc(matching.nvals, 4);
  if (!c->idx) TRY(grid_fail_memory(NULL, "entries of delegates", matching.nvals, 4));
  intersect_rows(p, g, matrix, c->offsets64, c->idx);
  for (uint64_t r = 0; r < s->d; r++) {
    if (c->offsets64[r] == c->offsets64[r + 1]) continue;
    c->hub_neighbor[r] = c->idx[c->offsets64[r]];
    c->nonempty[r >> 6] |= UINT64_C(1) << (r & 63);
  }
  grid_input in = {.bits = g->x.bits, .val = g->x.val, .iso = g->x.iso};
  where.axis = &matching.col;
  p->choice.delegates_pull = true;
  info = grid_run_lmat(p, &matching, false, true, &in, &(grid_kernel_mask){0}, where, y);
done:
  grid_lmat_free(&matching);
  return info;
}

/* ---- merging ---- */

typedef struct {
  const grid_product *p;
  uint64_t words;
  size_t size;
} merging;

static void merge(void *inout, const void *in, size_t bytes, void *context) {
  const merging *m = context;
  uint64_t *have = inout;
  const uint64_t *more = in;
  char *val = (char *)(have + m->words);
  const char *add = (const char *)(more + m->words);
  (void)bytes;
  for (uint64_t w = 0; w < m->words; w++) {
    for (uint64_t bits = more[w]; bits && m->size; bits &= bits - 1) {
      uint64_t bit = (uint64_t)__builtin_ctzll(bits), i = 64 * w + bit;
      bool has_value = have[w] >> bit & 1;
      if (!has_value)
        memcpy(val + i * m->size, add + i * m->size, m->size);
      else if (!m->p->s->add->any)
        m->p->s->add->op->f(val + i * m->size, val + i * m->size, add + i * m->size);
    }
    have[w] |= more[w];
  }
}

static uint64_t pad_bytes(uint64_t bytes) { /* transports require multiples of 1 GiB above that size */
  const uint64_t segment = UINT64_C(1) << 30;
  return bytes <= segment ? bytes : (bytes + segment - 1) / segment * segment;
}

GrB_Info grid_delegates_before(grid_product *p, grid_delegates *g) {
  const grid_split *s = p->A->delegates.split;
  uint64_t words = grid_words(s->d);
  size_t size = p->values.structural ? 0 : p->s->mul->z->size;
  GrB_Info info = replicate(p, g);
  g->merge_bytes = pad_bytes(words * 8 + s->d * size);
  g->merge = grid_calloc(g->merge_bytes, 1);
  if (info == GrB_SUCCESS && !g->merge)
    info = grid_fail_memory(NULL, "contributions to delegates", g->merge_bytes, 1);
  grid_output y = {.n = s->d, .bits = g->merge, .val = g->merge ? g->merge + words : NULL};
  grid_kernel_mask mask = {.bits = g->allowed};
  /* M[D, v]: A's dn, or the transpose of its nd */
  bool from_nd = p->transposed || s->mirrored;
  grid_index_map own = {.base = first_own_vertex(p)}, delegates = {.table = s->id};
  if (info == GrB_SUCCESS) info = run_on_host(p, from_nd ? &s->nd : &s->dn, from_nd, p->x, &mask, own, &y);
  /* dd is distributed by columns, so a symmetric dd has its outputs as columns */
  if (info == GrB_SUCCESS)
    info = run_on_host(p, &s->dd, p->transposed || p->A->properties.symmetric, &g->x, &mask, delegates, &y);
  if (info == GrB_SUCCESS) info = run_bits(p, g, delegates, &y);
  if ((info = grid_agree(&p->A->head, info)) != GrB_SUCCESS) return info;
  p->stats.delegate_bytes += grid_ctx.P > 1 ? g->merge_bytes : 0;
  if (size == 0) return grid_ctx.transport->allreduce(GRID_SET_ALL, g->merge, words, GRID_BOR);
  merging m = {p, words, size};
  return grid_ctx.transport->allreduce_with(GRID_SET_ALL, g->merge, g->merge_bytes, merge, &m);
}

/* ---- results ---- */

/* Adds the results of this process's delegates to t. */
static void unpack_own(grid_product *p, const grid_delegates *g, grid_chunk *t) {
  const grid_split *s = p->A->delegates.split;
  size_t size = p->values.structural ? 0 : t->type->size;
  const char *val = (const char *)(g->merge + grid_words(s->d));
  for (uint64_t k = s->start[grid_ctx.k]; k < s->start[grid_ctx.k + 1]; k++) {
    uint32_t number = s->order[k];
    if (!grid_bit(g->merge, number)) continue;
    uint64_t offset = s->id[number] - first_own_vertex(p);
    t->bits[offset >> 6] |= UINT64_C(1) << (offset & 63);
    if (size) memcpy((char *)t->val + offset * size, val + number * size, size);
    t->nvals++;
  }
}

GrB_Info grid_delegates_after(grid_product *p, grid_delegates *g, grid_chunk *t) {
  const grid_split *s = p->A->delegates.split;
  GrB_Info info = grid_chunk_to_bitmap(t);
  if (info != GrB_SUCCESS) return info;
  if (t->n == 0) return GrB_SUCCESS;
  grid_output y = {.n = t->n, .bits = t->bits, .val = t->val};
  grid_kernel_mask mask = {0};
  /* M[v, D]: A's nd, or the transpose of its dn */
  bool from_nd = !p->transposed || s->mirrored;
  const grid_local_matrix *lmat = from_nd ? &s->nd : &s->dn;
  info = grid_make_chunk_mask(p, from_nd ? &lmat->row : &lmat->col, &mask);
  if (info == GrB_SUCCESS)
    info = run_on_host(p, lmat, !from_nd, &g->x, &mask, (grid_index_map){.table = s->id}, &y);
  grid_free(mask.own);
  if (info != GrB_SUCCESS) return info;
  t->nvals += y.found;
  unpack_own(p, g, t);
  return GrB_SUCCESS;
}

void grid_delegates_free(grid_delegates *g) {
  grid_chunk_free(&g->x);
  grid_free(g->allowed);
  grid_free(g->merge);
  *g = (grid_delegates){0};
}
