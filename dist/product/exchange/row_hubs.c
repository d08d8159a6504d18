/* Finds and numbers the row hubs: see row_hubs.h. */
#include "dist/product/exchange/row_hubs.h"

#include "dist/grid/layout.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "spmat/device/device.h"
#include "spmat/vector/bitmap_words.h"
#include "semiring/threads/context_section.h"

/* With more row hubs their bits would take about as many bytes as x does. R-MAT graphs have one in 13 to 15.
 */
enum { VERTICES_PER_ROW_HUB = 8 };

/* Do 32 bits number the inputs of a block? */
static bool has_32_bit_inputs(GrB_Matrix A, bool transposed) {
  return (transposed ? grid_block_rows(A->nrows) : grid_block_cols(A->ncols)) <= UINT32_MAX;
}

bool grid_can_try_row_hubs(const grid_product *p) {
  return !p->A->delegates.split && !p->values.uses_x && has_32_bit_inputs(p->A, p->transposed) &&
         grid_has_degrees(p->A, true) && grid_has_degrees(p->A, false) &&
         (p->values.structural || (p->s->add->any && !p->s->mul->f));
}

/* ---- the row hub of each output ---- */

typedef struct {
  GrB_Matrix A;
  bool transposed;
  uint64_t nin, nout;
  grid_set set;           /* the processes that share an output */
  const uint32_t *degree; /* of the block's inputs */
  uint64_t *best;         /* key of each of the block's outputs, by local id */
  uint64_t *others;       /* keys of this process's outputs, as each process of the set found them; then */
  uint64_t *input;        /* (the same array) row hubs of the outputs plus 1; 0: none */
} search;

/* A key has the degree of an input, and its local id in the block; 0: none. */
static uint64_t make_key(uint32_t degree, uint64_t id) {
  return (uint64_t)degree << 32 | id;
}

/* The global index of input `id` in the block of process m of the set. */
static uint64_t global_input(const search *s, uint64_t m, uint64_t id) {
  const bool rows = s->transposed;
  const int step = rows ? grid_ctx.R : 1, chunks = rows ? grid_ctx.C : grid_ctx.R;
  int k = (int)m * (rows ? 1 : grid_ctx.R);
  for (int t = 1; t < chunks && grid_chunk_offset(s->nin, rows, k + step) <= id; t++) k += step;
  return grid_chunk_first(s->nin, k) + (id - grid_chunk_offset(s->nin, rows, k));
}

/* s->best: the row hub of each output in this process's block. */
static void find_in_block(const search *s) {
  const grid_local_matrix *b = &s->A->block;
  const grid_axis *out = s->transposed ? &b->col : &b->row;
  const grid_compressed *c = s->transposed ? &b->by_col : &b->by_row;
  const grid_axis *in = s->transposed ? &b->row : &b->col;
  if (b->nvals == 0) return;
#pragma omp parallel for schedule(static) if (out->n > 1 << 14)
  for (uint64_t k = 0; k < out->n; k++)
    if (grid_bit(c->nonempty, k))
      s->best[grid_axis_id(out, k)] =
          make_key(s->degree[c->hub_neighbor[k]], grid_axis_id(in, c->hub_neighbor[k]));
}

/* The input of highest degree among the keys of output v, the smallest such, plus 1; or 0. */
static uint64_t best_input(const search *s, uint64_t v) {
  const uint64_t S = (uint64_t)grid_set_size(s->set), q = grid_local_padded_size(s->nout);
  uint64_t best = 0, from = 0; /* a key, and the process that found it */
  for (uint64_t m = 0; m < S; m++) {
    const uint64_t key = s->others[m * q + v];
    if (!key || key >> 32 < best >> 32) continue;
    if (key >> 32 > best >> 32 ||
        global_input(s, m, key & UINT32_MAX) < global_input(s, from, best & UINT32_MAX))
      best = key, from = m;
  }
  return best ? global_input(s, from, best & UINT32_MAX) + 1 : 0;
}

/* s->input, for the n outputs of this process. */
static void select_best(search *s, uint64_t n) {
  s->input = s->others;
  const uintptr_t context = grid_context_distance;
#pragma omp parallel for schedule(static) if (n > 1 << 14)
  for (uint64_t v = 0; v < n; v++) {
    GRID_WORKER_SCOPE(context);
    s->input[v] = best_input(s, v);
  }
}

/* ---- numbers ---- */

/* bits: the inputs that are a row hub of some output. Collective, agreed on. */
static GrB_Info mark_row_hubs(const search *s, uint64_t n, uint64_t *bits) {
  for (uint64_t v = 0; v < n; v++)
    if (s->input[v]) {
      const uint64_t u = s->input[v] - 1;
      bits[u >> 6] |= UINT64_C(1) << (u & 63);
    }
  return grid_ctx.transport->allreduce(GRID_SET_ALL, bits, grid_words(s->nin), GRID_BOR);
}

/* before: for each word of bits, the number of its first row hub. */
static void number_words(const search *s, grid_row_hubs *l, const uint64_t *bits, uint32_t *before) {
  uint64_t at = 0;
  for (int k = 0; k < grid_ctx.P; k++) {
    const uint64_t from = (grid_chunk_first(s->nin, k) + 63) / 64,
                   to = (grid_chunk_first(s->nin, k + 1) + 63) / 64;
    l->start[k] = at = (at + 63) / 64 * 64;
    for (uint64_t w = from; w < to; w++) before[w] = (uint32_t)at, at += grid_popcount(bits[w]);
    if (k == grid_ctx.k) l->nlocal = at - l->start[k];
  }
  l->start[grid_ctx.P] = (at + 63) / 64 * 64;
}

static void list_local(const search *s, grid_row_hubs *l, const uint64_t *bits) {
  const uint64_t from = grid_chunk_first(s->nin, grid_ctx.k), n = grid_chunk_length(s->nin, grid_ctx.k);
  uint64_t at = 0;
  for (uint64_t w = 0; w < grid_words(n); w++)
    for (uint64_t b = bits[from / 64 + w]; b; b &= b - 1)
      l->local[at++] = (uint32_t)(64 * w + grid_low_bit(b));
}

static void number_outputs(const search *s, grid_row_hubs *l, uint64_t n, const uint64_t *bits,
                           const uint32_t *before) {
  const uint32_t none = (uint32_t)l->start[grid_ctx.P];
  const uintptr_t context = grid_context_distance;
#pragma omp parallel for schedule(static) if (n > 1 << 14)
  for (uint64_t v = 0; v < n; v++) {
    GRID_WORKER_SCOPE(context);
    const uint64_t u = s->input[v] ? s->input[v] - 1 : 0,
                   below = bits[u >> 6] & ((UINT64_C(1) << (u & 63)) - 1);
    uint64_t offset;
    grid_owner(s->nin, u, &offset);
    l->input[v] = (uint32_t)(grid_index_fits32(s->nin) ? u : offset);
    l->number[v] = s->input[v] ? before[u >> 6] + (uint32_t)grid_popcount(below) : none;
  }
  for (uint64_t v = n; v < (n + 63) / 64 * 64; v++) l->number[v] = none; /* readers look up whole words */
}

static void free_arrays(grid_row_hubs *l) {
  grid_free(l->start);
  grid_free(l->local);
  grid_free(l->number);
  grid_free(l->input);
  *l = (grid_row_hubs){.transposed = l->transposed, .other_direction = l->other_direction};
}

/* Numbers the row hubs and the outputs by them. Collective, agreed on. */
static GrB_Info number_row_hubs(const search *s, grid_row_hubs *l) {
  const uint64_t n = grid_chunk_length(s->nout, grid_ctx.k), words = grid_words(s->nin);
  uint64_t *bits = grid_calloc(words, sizeof *bits);
  uint32_t *before = grid_malloc(words, sizeof *before);
  GrB_Info info = bits && before ? GrB_SUCCESS : grid_fail_memory(NULL, "marks of row hubs", words, 12);
  TRY(grid_agree(NULL, info));
  TRY(mark_row_hubs(s, n, bits));
  l->d = grid_count_bits(bits, words);
  if (l->d > s->nin / VERTICES_PER_ROW_HUB || l->d > UINT32_MAX - 64 * (uint64_t)grid_ctx.P) l->d = 0;
  if (l->d == 0) goto done;
  l->start = grid_malloc((uint64_t)grid_ctx.P + 1, sizeof *l->start);
  if (l->start) number_words(s, l, bits, before);
  l->local = grid_malloc(l->nlocal, sizeof *l->local);
  l->number = grid_malloc((n + 63) / 64 * 64, sizeof *l->number);
  l->input = grid_malloc((n + 63) / 64 * 64, sizeof *l->input);
  if (!l->start || !l->local || !l->number || !l->input) info = grid_fail_memory(NULL, "row hubs", n, 8);
  TRY(grid_agree(NULL, info));
  list_local(s, l, bits);
  number_outputs(s, l, n, bits, before);
done:
  grid_free(bits);
  grid_free(before);
  return info;
}

/* ---- both directions ---- */

static void free_hubs(grid_row_hubs *l) {
  if (l) free_arrays(l);
  grid_free(l);
}

static void free_row_hubs(GrB_Matrix A) {
  if (A->cached.row_hubs) free_hubs(A->cached.row_hubs->other_direction);
  free_hubs(A->cached.row_hubs);
  A->cached.row_hubs = NULL;
}

/* Collective, agreed on. */
static GrB_Info find_row_hubs(search *s, grid_row_hubs *l) {
  GrB_Matrix A = s->A;
  const bool square = A->nrows == A->ncols;
  const uint32_t *local = s->transposed ? A->degrees.row : A->degrees.col,
                 *other = s->transposed ? A->degrees.col : A->degrees.row;
  const uint64_t S = (uint64_t)grid_set_size(s->set), q = grid_local_padded_size(s->nout);
  uint32_t *degree = NULL;
  GrB_Info info = grid_spread_degrees(s->nin, s->transposed, local, square ? other : NULL,
                                      s->transposed ? &A->block.row : &A->block.col, &degree);
  TRY(info);
  s->degree = degree;
  s->best = grid_calloc(grid_block_offset(s->nout, !s->transposed, (int)S), sizeof *s->best);
  s->others = grid_malloc(S * q, sizeof *s->others);
  if (!s->best || !s->others) info = grid_fail_memory(NULL, "row hubs", S * q, sizeof *s->others);
  TRY(grid_agree(NULL, info));
  find_in_block(s);
  TRY(grid_exchange_chunks(s->set, s->nout, s->best, sizeof *s->best, s->others));
  select_best(s, grid_chunk_length(s->nout, grid_ctx.k));
  info = number_row_hubs(s, l);
done:
  grid_free(degree);
  grid_free(s->best);
  grid_free(s->others);
  return info;
}

/* Makes those of this direction A->cached.row_hubs, which are empty if new, and keeps those of the other one.
 * Collective, agreed on. */
static GrB_Info select_direction(GrB_Matrix A, bool transposed) {
  grid_row_hubs *old = A->cached.row_hubs, *l = old ? old->other_direction : NULL;
  if (!l) l = grid_calloc(1, sizeof *l);
  GrB_Info info = grid_agree(NULL, l ? GrB_SUCCESS : grid_fail_memory(NULL, "row hubs", 1, sizeof *l));
  if (info != GrB_SUCCESS) {
    if (!old || l != old->other_direction) grid_free(l);
    return info;
  }
  if (old) old->other_direction = NULL;
  l->other_direction = old;
  l->transposed = transposed;
  A->cached.row_hubs = l;
  return info;
}

/* If memory is short on one process, all processes free what they have allocated. */
GrB_Info grid_row_hubs_make(GrB_Matrix A, bool transposed) {
  search s = {.A = A,
              .transposed = transposed,
              .nin = transposed ? A->nrows : A->ncols,
              .nout = transposed ? A->ncols : A->nrows,
              .set = transposed ? GRID_SET_COL : GRID_SET_ROW};
  const bool is_known = A->cached.row_hubs && A->cached.row_hubs->transposed != transposed &&
                        A->cached.row_hubs->other_direction;
  GrB_Info info = GrB_SUCCESS;
  if (A->cached.row_hubs && A->cached.row_hubs->transposed == transposed) return info;
  info = select_direction(A, transposed);
  if (info == GrB_SUCCESS && !is_known) {
    info = find_row_hubs(&s, A->cached.row_hubs);
    if (info != GrB_SUCCESS) free_arrays(A->cached.row_hubs);
  }
  return info == GrB_OUT_OF_MEMORY ? GrB_SUCCESS : info;
}

/* ---- a cached property of the matrix ---- */

/* Searches in a symmetric matrix use them in the direction in which mxv.c pulls. */
static GrB_Info prepare(GrB_Matrix A, unsigned *forms) {
  const bool transposed = grid_symmetric_reads_columns();
  GrB_Info info = GrB_SUCCESS;
  if (grid_device_is_on() || A->delegates.split || grid_ctx.R == 1 || grid_ctx.C == 1 ||
      !has_32_bit_inputs(A, transposed) || !grid_has_degrees(A, true) || !grid_has_degrees(A, false))
    return info;
  TRY(grid_matrix_require(A, *forms));
  info = grid_row_hubs_make(A, transposed);
done:
  return info;
}

static void count_storage(GrB_Matrix A, const grid_row_hubs *l, Grid_Storage *s) {
  if (!l || l->d == 0) return;
  s->bytes += ((uint64_t)grid_ctx.P + 1) * sizeof *l->start + l->nlocal * sizeof *l->local +
              2 * grid_local_padded_size(l->transposed ? A->ncols : A->nrows) * sizeof *l->number;
}

static void add_storage(GrB_Matrix A, Grid_Storage *s) {
  count_storage(A, A->cached.row_hubs, s);
  if (A->cached.row_hubs) count_storage(A, A->cached.row_hubs->other_direction, s);
}

const grid_cached_property grid_row_hubs_form = {
    .prepare = prepare, .free = free_row_hubs, .add_storage = add_storage};
