/* A pull where several processes share each row and any hit of a row suffices (docs/how/product.md; in Bisson
 * et al. each process of a grid row searches all rows). A row is open while it has no hit. Its owner tries it
 * first: with its row hub, if those are known (row_hubs.h), then with the owner's segment of the row. Open
 * rows are then sent from process to process, as in a ring. In the last step they are sent to all processes
 * that have not tried them; with row hubs that is the only step. A process that finds a hit sends it to the
 * owner with its next message. */
#include "dist/product/exchange/pull_ring.h"

#include <string.h>

#include "dist/product/exchange/row_hubs.h"
#include "spmat/vector/bound_operator.h"
#include "spmat/vector/bitmap_words.h"

/* The rows of one owner, as this process tries them. */
typedef struct {
  size_t owner;      /* its rank in the output set */
  uint64_t first, n; /* on the block's output axis: the first row, their number */
  uint64_t *tries;   /* bits: rows to try */
  uint64_t *hits;    /* bits: rows with a hit */
  char *val;         /* dense; NULL: structural */
  uint64_t found;
  bool is_local;  /* this process is the owner: hits and val are the result's arrays */
  uint64_t *list; /* of another owner, once tried: rows with a hit, and their values */
  char *packed;
} section;

typedef struct {
  grid_product *p;
  const grid_input *in;
  const uint64_t *row_hubs; /* bits of those in x; NULL: they are not tried */
  size_t S, rank;
  size_t steps;        /* times that rows are sent: to the next process, in the last step to all others */
  size_t size;         /* of a value; 0: structural */
  bool has_early_exit; /* the first hit of a row suffices; else a hit whose value is `terminal` */
  bool terminal;       /* the monoid's terminal value, which no further value changes */
  /* of a hypersparse axis: bits and values over its positions */
  uint64_t *tries, *hits;
  char *val;
  grid_entries_out *segment;
} forwarding;

/* ---- when ---- */

/* A step costs a call of the transport, and saves inspections and messages for rows in which another process
 * has a hit. Entries inspected on R-MAT graphs, relative to whole rows on one process: with 4 processes a
 * row 1.24 in one step, 1.10 in 2, 1.07 in 3; with 8 processes 1.70, 1.35, 1.22, and 1.10 in 7. For rows that
 * a row hub leaves open one step is taken: more save less than a hundredth in most cases, at best 1.16 in
 * place of 1.22 (4 processes). */
static size_t count_steps(size_t S) {
  size_t k = 1;
  while ((size_t)1 << k < S) k++;
  return k;
}

bool grid_can_pass_rows(const grid_product *p) {
  const uint64_t *nonempty = p->transposed ? p->A->degrees.col_nonempty : p->A->degrees.row_nonempty;
  return p->where == GRID_ON_HOST && grid_set_size(p->out.set) > 1 && nonempty &&
         (p->values.structural || grid_monoid_can_stop_early(p->s->add));
}

/* ---- a section ---- */

static section section_of(const forwarding *t, size_t owner) {
  const grid_product *p = t->p;
  return (section){.owner = owner,
                   .first = grid_out_offset(p, owner),
                   .n = grid_chunk_length(p->out.n, grid_block_chunk(!p->transposed, (int)owner))};
}

/* Allocates the arrays for rows of another process. Their values are written to one buffer, which is cached
 * with the matrix: the first access to a new page of memory takes as long as trying hundreds of rows. */
static GrB_Info make_section(const forwarding *t, section *s) {
  grid_comm_buffers *work = &t->p->A->cached.buffers;
  const uint64_t words = grid_words(s->n);
  s->tries = grid_calloc(words, sizeof *s->tries);
  s->hits = grid_calloc(words, sizeof *s->hits);
  if (!s->tries || !s->hits) return grid_fail_memory(NULL, "rows of another process", words, 16);
  if (t->size && s->n * t->size > work->dense_capacity) {
    grid_free(work->dense);
    work->dense_capacity = 0;
    work->dense = grid_malloc(s->n, t->size);
    if (!work->dense) return grid_fail_memory(NULL, "rows of another process", s->n, t->size);
    work->dense_capacity = s->n * t->size;
  }
  s->val = t->size ? work->dense : NULL;
  return GrB_SUCCESS;
}

static void free_section(section *s) {
  grid_free(s->tries);
  if (!s->is_local) grid_free(s->hits);
  grid_free(s->list);
  grid_free(s->packed);
  *s = (section){0};
}

/* Copies what was found in rows of another process out of the buffer, which the next section overwrites. */
static GrB_Info pack(const forwarding *t, section *s) {
  uint64_t at = 0;
  s->list = grid_malloc(s->found, sizeof *s->list);
  s->packed = t->size ? grid_malloc(s->found, t->size) : NULL;
  if (!s->list || (t->size && !s->packed))
    return grid_fail_memory(NULL, "rows of another process", s->found, sizeof *s->list + t->size);
  for (uint64_t w = 0; w < grid_words(s->n); w++)
    for (uint64_t b = s->hits[w]; b; b &= b - 1, at++) {
      s->list[at] = 64 * w + grid_low_bit(b);
      if (t->size) grid_value_copy(s->packed + at * t->size, s->val + s->list[at] * t->size, t->size);
    }
  return GrB_SUCCESS;
}

static grid_index_map index_map_of(const grid_product *p) {
  return grid_product_index_map(p, grid_in_axis(p, &p->A->block));
}

/* On an axis with all rows: the product of a window of the block. */
static GrB_Info try_window(const forwarding *t, section *s) {
  grid_product *p = t->p;
  grid_local_matrix window = p->A->block;
  grid_compressed *c = p->transposed ? &window.by_col : &window.by_row;
  grid_output y = {.n = s->n, .bits = s->hits, .val = s->val};
  if (c->ptr) c->ptr += s->first;
  if (c->offsets64) c->offsets64 += s->first;
  c->hub_neighbor += s->first;
  c->nonempty += s->first / 64;
  c->ranks = NULL;
  GrB_Info info = grid_run_lmat(p, &window, p->transposed, true, t->in, &(grid_kernel_mask){.bits = s->tries},
                                index_map_of(p), &y);
  s->found += y.found;
  return info;
}

/* On a hypersparse axis: the rows to try are looked up on it. */
static GrB_Info try_hyper_axis(const forwarding *t, section *s) {
  grid_product *p = t->p;
  const grid_axis *axis = grid_out_axis(p, &p->A->block);
  const uint64_t from = grid_axis_bound(axis, s->first), words = grid_words(axis->n);
  grid_output y = {.n = axis->n, .bits = t->hits, .val = t->val};
  memset(t->tries, 0, words * sizeof *t->tries);
  memset(t->hits, 0, words * sizeof *t->hits);
  for (uint64_t k = from; k < axis->n && grid_axis_id(axis, k) - s->first < s->n; k++)
    if (grid_bit(s->tries, grid_axis_id(axis, k) - s->first)) t->tries[k >> 6] |= UINT64_C(1) << (k & 63);
  GrB_Info info = grid_run_lmat(p, &p->A->block, p->transposed, true, t->in,
                                &(grid_kernel_mask){.bits = t->tries}, index_map_of(p), &y);
  if (info != GrB_SUCCESS) return info;
  for (uint64_t k = from; k < axis->n && grid_axis_id(axis, k) - s->first < s->n; k++) {
    const uint64_t r = grid_axis_id(axis, k) - s->first;
    if (!grid_bit(t->hits, k)) continue;
    s->hits[r >> 6] |= UINT64_C(1) << (r & 63);
    if (t->size) memcpy(s->val + r * t->size, t->val + k * t->size, t->size);
  }
  s->found += y.found;
  return GrB_SUCCESS;
}

static GrB_Info try_rows(const forwarding *t, section *s) {
  return grid_out_axis(t->p, &t->p->A->block)->ids ? try_hyper_axis(t, s) : try_window(t, s);
}

/* Removes the rows that a hit has decided from those to try; returns how many are left. */
static uint64_t drop_found_rows(const forwarding *t, section *s) {
  const bool *val = (const bool *)s->val;
  uint64_t open = 0;
  for (uint64_t w = 0; w < grid_words(s->n); w++) {
    uint64_t closed = s->hits[w];
    for (uint64_t b = closed; b && !t->has_early_exit; b &= b - 1)
      if (val[64 * w + grid_low_bit(b)] != t->terminal) closed &= ~(b & -b);
    s->tries[w] &= ~closed;
    open += grid_popcount(s->tries[w]);
  }
  return open;
}

/* ---- messages ---- */

static void set_message(forwarding *t, size_t to, const grid_entries_out *e, uint64_t *bytes) {
  t->segment[to] = *e;
  *bytes += grid_message_size(e);
  grid_count_messages(t->p, e, 1);
}

static void send_open(forwarding *t, size_t to, const section *s, uint64_t open) {
  set_message(t, to, &(grid_entries_out){.n = s->n, .count = open, .bits = s->tries},
              &t->p->stats.mask_bytes);
}

static void send_found(forwarding *t, const section *s) {
  set_message(t, s->owner,
              &(grid_entries_out){.n = s->n,
                                  .count = s->found,
                                  .list = s->list,
                                  .val = s->packed,
                                  .size = t->size,
                                  .narrow = grid_has_narrow_values(t->p)},
              &t->p->stats.fold_bytes);
}

static void unpack_open(const grid_message *m, section *s) {
  if (m->count && !m->is_list && !m->is_all) {
    memcpy(s->tries, m->index, grid_words(s->n) * sizeof *s->tries);
    return;
  }
  for (grid_message_iter it = grid_message_begin(m); grid_message_next(&it);)
    s->tries[it.i >> 6] |= UINT64_C(1) << (it.i & 63);
}

/* ---- steps ---- */

/* Tries this process's rows with their row hubs. */
static void try_row_hubs(const forwarding *t, section *s) {
  const uint64_t words = grid_words(s->n);
  for (uint64_t w = 0; w < words; w++) t->p->stats.inspected += grid_popcount(s->tries[w]);
  s->found = grid_try_row_hubs(t->p, t->row_hubs, s->tries, s->hits, s->val);
  for (uint64_t w = 0; w < words; w++) s->tries[w] &= ~s->hits[w];
}

/* Tries this process's rows; their hits are written to the result. */
static GrB_Info try_local(const forwarding *t, section *s, grid_chunk *y) {
  const grid_product *p = t->p;
  const uint64_t *nonempty = p->transposed ? p->A->degrees.col_nonempty : p->A->degrees.row_nonempty,
                 words = grid_words(s->n);
  GrB_Info info = grid_chunk_reserve_dense(y, p->values.structural);
  if (info != GrB_SUCCESS) return info;
  memset(y->bits, 0, words * sizeof *y->bits);
  s->is_local = true, s->hits = y->bits, s->val = t->size ? y->val : NULL;
  s->tries = grid_malloc(words, sizeof *s->tries);
  if (!s->tries) return grid_fail_memory(NULL, "rows to try", words, sizeof *s->tries);
  grid_cursor allowed = grid_cursor_mask(&p->mask);
  for (uint64_t w = 0; w < words; w++) s->tries[w] = grid_cursor_word(&allowed, w) & nonempty[w];
  if (t->row_hubs) try_row_hubs(t, s);
  info = try_rows(t, s);
  y->format = GRID_BITMAP;
  y->nvals = s->found;
  return info;
}

/* The process d ranks before, or after, this one in the ring. */
static size_t rank_before(const forwarding *t, size_t d) {
  return (t->rank + t->S - d) % t->S;
}
static size_t rank_after(const forwarding *t, size_t d) {
  return (t->rank + d) % t->S;
}

static GrB_Info exchange(forwarding *t, GrB_Info info, grid_received *got) {
  uint64_t sent = 0;
  info = grid_alltoall_messages(&t->p->A->cached.buffers, t->p->out.set, info, t->segment, got, &sent);
  if (t->segment) memset(t->segment, 0, t->S * sizeof *t->segment);
  return info;
}

/* Tries the open rows that the process d ranks before has sent in step k. */
static GrB_Info try_received(const forwarding *t, const grid_received *got, size_t d, size_t k, section *s) {
  const grid_message m = grid_received_message(got, rank_before(t, d));
  *s = section_of(t, rank_before(t, d + k - 1));
  GrB_Info info = make_section(t, s);
  if (info != GrB_SUCCESS) return info;
  unpack_open(&m, s);
  info = try_rows(t, s);
  return info == GrB_SUCCESS ? pack(t, s) : info;
}

static void unpack_found(const forwarding *t, const grid_received *got, size_t from, grid_chunk *y) {
  const grid_message m = grid_received_message(got, rank_after(t, from));
  grid_fold_message(t->p, &m, y);
}

/* Step k sends the open rows of s to the next `count` processes, and what was found in s to its owner. It
 * receives as many sections into s, and tries them. */
static GrB_Info forward_step(forwarding *t, GrB_Info info, size_t k, size_t count, section *s,
                             grid_chunk *y) {
  grid_received got;
  if (info == GrB_SUCCESS) {
    const uint64_t open = drop_found_rows(t, s);
    for (size_t d = 1; d <= count; d++) send_open(t, rank_after(t, d), s, open);
    if (k > 1) send_found(t, s);
  }
  info = exchange(t, info, &got);
  free_section(s);
  if (info == GrB_SUCCESS && k > 1) unpack_found(t, &got, k - 1, y);
  for (size_t d = 1; d <= count && info == GrB_SUCCESS; d++) info = try_received(t, &got, d, k, s + d - 1);
  return info;
}

/* A process that fails takes part in all steps: the others wait for its messages. */
static GrB_Info forward_rows(forwarding *t, GrB_Info info, section *s, grid_chunk *y) {
  const size_t rest = t->S - t->steps;
  grid_received got;
  if (info == GrB_SUCCESS) {
    *s = section_of(t, t->rank);
    info = try_local(t, s, y);
  }
  for (size_t k = 1; k <= t->steps; k++) info = forward_step(t, info, k, k < t->steps ? 1 : rest, s, y);
  for (size_t d = 0; d < rest && info == GrB_SUCCESS; d++) send_found(t, s + d);
  info = exchange(t, info, &got);
  for (size_t d = 0; d < rest && info == GrB_SUCCESS; d++) unpack_found(t, &got, t->steps + d, y);
  return info;
}

/* Allocates the arrays over a hypersparse axis. */
static GrB_Info make_hyper_axis(forwarding *t) {
  const grid_axis *axis = grid_out_axis(t->p, &t->p->A->block);
  if (!axis->ids) return GrB_SUCCESS;
  t->tries = grid_malloc(grid_words(axis->n), sizeof *t->tries);
  t->hits = grid_malloc(grid_words(axis->n), sizeof *t->hits);
  t->val = t->size ? grid_malloc(axis->n, t->size) : NULL;
  if (!t->tries || !t->hits || (t->size && !t->val))
    return grid_fail_memory(NULL, "rows of a hypersparse block", axis->n, t->size);
  return GrB_SUCCESS;
}

GrB_Info grid_pass_rows(grid_product *p, GrB_Info info, const grid_input *in, const uint64_t *row_hubs,
                        grid_chunk *y) {
  const GrB_Monoid add = p->s->add;
  forwarding t = {.p = p,
                  .in = in,
                  .row_hubs = row_hubs,
                  .S = (size_t)grid_set_size(p->out.set),
                  .rank = (size_t)grid_set_rank(p->out.set),
                  .size = p->values.structural ? 0 : p->s->mul->z->size,
                  .has_early_exit = p->values.structural || add->any};
  t.steps = p->choice.tries_row_hubs
                ? 1
                : count_steps(t.S); /* the same on all processes, also where memory for the bits was short */
  if (!t.has_early_exit) t.terminal = *(const bool *)add->terminal;
  section *s = grid_calloc(t.S, sizeof *s), none = {0};
  t.segment = grid_calloc(t.S, sizeof *t.segment);
  if (info == GrB_SUCCESS && (!s || !t.segment))
    info = grid_fail_memory(NULL, "fold", t.S, sizeof *t.segment);
  if (info == GrB_SUCCESS) info = make_hyper_axis(&t);
  info = forward_rows(&t, info, s ? s : &none, y);
  for (size_t d = 0; d < t.S && s; d++) free_section(&s[d]);
  grid_free(s);
  grid_free(t.segment);
  grid_free(t.tries);
  grid_free(t.hits);
  grid_free(t.val);
  return info;
}
