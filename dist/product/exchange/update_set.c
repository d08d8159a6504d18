/* See update_set.h. */
#include "dist/product/exchange/update_set.h"

#include "dist/comm/transport/shm/shm_mailbox.h"
#include "dist/comm/transport/machines/transport_two_level.h"
#include "spmat/vector/bound_operator.h"

static grid_update_set *set_of(const grid_product *p) {
  return p->A->cached.update_sets[p->transposed].set;
}

static void free_set(grid_update_set *u) {
  if (!u) return;
  grid_free(u->send_start);
  grid_free(u->send);
  grid_free(u->named_start);
  grid_free(u->named);
  grid_free(u);
}

/* ---- which inputs entries name ---- */

/* bits: the vectors of c that hold entries. */
static void mark_vectors(const grid_compressed *c, uint64_t n, uint64_t *bits) {
#pragma omp parallel for schedule(static) if (n > 1 << 14)
  for (uint64_t w = 0; w < grid_words(n); w++)
    for (uint64_t v = 64 * w; v < n && v < 64 * w + 64; v++)
      bits[w] |= (uint64_t)(grid_vector_start(c, v) < grid_vector_start(c, v + 1)) << (v & 63);
}

/* bits: the other ends of the entries of c. Most are there already, and only new ones are written. */
static void mark_ends(const grid_compressed *c, uint64_t nvals, uint64_t *bits) {
#pragma omp parallel for schedule(static) if (nvals > 1 << 16)
  for (uint64_t e = 0; e < nvals; e++) {
    const uint64_t bit = UINT64_C(1) << (c->idx[e] & 63);
    uint64_t word;
#pragma omp atomic read
    word = bits[c->idx[e] >> 6];
    if (word & bit) continue;
#pragma omp atomic
    bits[c->idx[e] >> 6] |= bit;
  }
}

static void mark_named(const grid_product *p, uint64_t *bits) {
  const grid_local_matrix *b = &p->A->block;
  const grid_compressed *vectors = p->transposed ? &b->by_row : &b->by_col,
                        *others = p->transposed ? &b->by_col : &b->by_row;
  if (b->nvals == 0) return;
  if (grid_compressed_is_built(vectors))
    mark_vectors(vectors, grid_in_axis(p, b)->n, bits);
  else
    mark_ends(others, b->nvals, bits);
}

/* Sets named_start; bits are not read for a hypersparse axis. Returns how many inputs of others are named. */
static uint64_t count_named(const grid_product *p, const uint64_t *bits, uint64_t *from) {
  const grid_axis *axis = grid_in_axis(p, &p->A->block);
  const size_t S = (size_t)grid_set_size(p->in.set), me = (size_t)grid_set_rank(p->in.set);
  from[0] = 0;
  for (size_t s = 0; s < S; s++) {
    const uint64_t first = grid_in_offset(p, s) / 64, end = grid_in_offset(p, s + 1) / 64;
    from[s + 1] = axis->ids ? grid_axis_bound(axis, 64 * end)
                  : s == me ? from[s]
                            : from[s] + grid_count_bits(bits + first, end - first);
  }
  return from[S] - (from[me + 1] - from[me]);
}

/* id[named_start[s] ..]: the named indices of chunk s. */
static void list_named(const grid_product *p, const uint64_t *bits, const uint64_t *from, uint32_t *id) {
  const grid_axis *axis = grid_in_axis(p, &p->A->block);
  const size_t S = (size_t)grid_set_size(p->in.set), me = (size_t)grid_set_rank(p->in.set);
  for (size_t s = 0; s < S; s++) {
    const uint64_t first = grid_in_offset(p, s), end = grid_in_offset(p, s + 1);
    uint64_t at = from[s];
    for (uint64_t k = from[s]; axis->ids && k < from[s + 1]; k++)
      id[k] = (uint32_t)(grid_axis_id(axis, k) - first);
    for (uint64_t w = first / 64; !axis->ids && s != me && w < end / 64; w++)
      for (uint64_t b = bits[w]; b; b &= b - 1) id[at++] = (uint32_t)(64 * w + grid_low_bit(b) - first);
  }
}

/* ---- making a set ---- */

/* What is sent for all of x: to each process, or once to each machine where messages take two levels. */
static uint64_t sent_for_all(const grid_product *p) {
  const int machines = grid_two_level_machines(p->in.set),
            receivers = machines ? machines : grid_set_size(p->in.set);
  return grid_chunk_length(p->in.n, grid_ctx.k) * (uint64_t)(receivers - 1);
}

/* Each owner receives the indices that the others name. id: those of this process, by owner. Collective,
 * agreed on. */
static GrB_Info send_requests(const grid_product *p, grid_update_set *u, const uint32_t *id, size_t *table) {
  const size_t S = (size_t)grid_set_size(p->in.set), me = (size_t)grid_set_rank(p->in.set);
  size_t *bytes = table, *off = bytes + S, *got = off + S, *got_off = got + S;
  void *received;
  for (size_t s = 0; s < S; s++) {
    bytes[s] = s == me ? 0 : (u->named_start[s + 1] - u->named_start[s]) * sizeof *id;
    off[s] = u->named_start[s] * sizeof *id;
  }
  const GrB_Info info = grid_exchange_alloc(p->in.set, id, bytes, off, &received, got, got_off);
  if (info != GrB_SUCCESS) return info;
  u->send = received;
  for (size_t s = 0; s < S; s++) u->send_start[s] = got_off[s] / sizeof *id;
  u->send_start[S] = (got_off[S - 1] + got[S - 1]) / sizeof *id;
  return info;
}

/* The lists of a set whose inputs are counted. Collective, agreed on. */
static GrB_Info list_inputs(const grid_product *p, grid_update_set *u, const uint64_t *bits) {
  const grid_axis *axis = grid_in_axis(p, &p->A->block);
  const size_t S = (size_t)grid_set_size(p->in.set);
  const uint64_t n = u->named_start[S];
  uint32_t *id = grid_malloc(n, sizeof *id);
  size_t *table = grid_malloc(4 * S, sizeof *table);
  GrB_Info info = id && table ? GrB_SUCCESS : grid_fail_memory(NULL, "an update set", n, sizeof *id);
  TRY(grid_agree(NULL, info));
  list_named(p, bits, u->named_start, id);
  TRY(send_requests(p, u, id, table));
  for (size_t s = 0; s < S && !axis->ids; s++)
    for (uint64_t k = u->named_start[s]; k < u->named_start[s + 1]; k++)
      id[k] += (uint32_t)grid_in_offset(p, s);
  if (!axis->ids) u->named = id, id = NULL;
done:
  grid_free(id);
  grid_free(table);
  return info;
}

static GrB_Info make(const grid_product *p, grid_update_set **set) {
  const grid_axis *axis = grid_in_axis(p, &p->A->block);
  const size_t S = (size_t)grid_set_size(p->in.set);
  uint64_t *bits = axis->ids ? NULL : grid_calloc(grid_words(axis->n), sizeof *bits);
  grid_update_set *u = grid_calloc(1, sizeof *u);
  uint64_t v[2] = {0};
  if (u) u->send_start = grid_malloc(S + 1, sizeof *u->send_start);
  if (u) u->named_start = grid_malloc(S + 1, sizeof *u->named_start);
  GrB_Info info = u && u->send_start && u->named_start && (bits || axis->ids)
                      ? GrB_SUCCESS
                      : grid_fail_memory(NULL, "an update set", grid_words(axis->n), sizeof *bits);
  if (info == GrB_SUCCESS) {
    if (bits) mark_named(p, bits);
    v[0] = count_named(p, bits, u->named_start);
    v[1] = sent_for_all(p);
  }
  TRY(grid_agree_sum(NULL, info, v, 2));
  if (!((double)v[0] < grid_tune.update_set_share * (double)v[1])) goto done;
  TRY(list_inputs(p, u, bits));
  *set = u, u = NULL;
done:
  grid_free(bits);
  free_set(u);
  return info == GrB_OUT_OF_MEMORY ? GrB_SUCCESS : info;
}

/* Can x be sent by an update set? Not where the processes read it in shared memory, nor without values. The
 * same everywhere. */
static bool is_possible(const grid_product *p) {
  return grid_set_size(p->in.set) > 1 && p->where == GRID_ON_HOST && !p->pages && p->values.uses_x &&
         !grid_mailbox_is_open(p->in.set) && grid_chunks_fit32(p->in.n) && p->in.n > 0 &&
         grid_tune.update_set_share > 0;
}

GrB_Info grid_update_set_prepare(grid_product *p) {
  const bool full = is_possible(p) && p->n.nx == p->in.n && p->n.iso_chunks < p->n.chunks;
  uint64_t *products = &p->A->cached.update_sets[p->transposed].products;
  GrB_Info info = GrB_SUCCESS;
  if (full && *products <= grid_tune.update_set_products && (*products)++ == grid_tune.update_set_products)
    info = make(p, &p->A->cached.update_sets[p->transposed].set);
  p->choice.uses_update_set = full && set_of(p);
  p->A->cached.update_sets[p->transposed].expected = p->choice.uses_update_set;
  return info;
}

/* ---- sending ---- */

static grid_entries_out message_for(const grid_product *p, const grid_update_set *u, size_t r) {
  const uint64_t n = u->send_start[r + 1] - u->send_start[r];
  return (grid_entries_out){.n = n,
                            .count = n,
                            .value_index = u->send + u->send_start[r],
                            .val = p->x->val,
                            .size = p->x->type->size,
                            .iso = p->x->iso};
}

bool grid_update_set_is_expected(const grid_product *p) {
  return p->A->cached.update_sets[p->transposed].expected && p->values.uses_x && p->x->nvals == p->x->n;
}

GrB_Info grid_update_set_write(grid_product *p, size_t head) {
  const size_t S = (size_t)grid_set_size(p->in.set), me = (size_t)grid_set_rank(p->in.set);
  grid_comm_buffers *w = &p->A->cached.buffers;
  size_t *bytes = w->counts, *off = bytes + S, sum = 0;
  for (size_t r = 0; r < S; r++) {
    const grid_entries_out e = message_for(p, set_of(p), r);
    bytes[r] = head + grid_message_size(&e);
    off[r] = sum;
    sum += bytes[r];
    if (r != me) p->stats.expand_bytes += bytes[r] - head;
  }
  const GrB_Info info = grid_comm_buffers_reserve(w, sum);
  for (size_t r = 0; r < S && info == GrB_SUCCESS; r++) {
    const grid_entries_out e = message_for(p, set_of(p), r);
    grid_message_write(&e, w->send + off[r] + head);
  }
  return info;
}

/* ---- receiving ---- */

/* The local values: all of them, or those that a hypersparse axis has. */
static void copy_local(const grid_product *p, const grid_update_set *u, const grid_axis *axis, char *val) {
  const size_t me = (size_t)grid_set_rank(p->in.set), size = p->x->type->size;
  const uint64_t first = grid_in_offset(p, me);
  const char *x = p->x->val;
  for (uint64_t k = u->named_start[me]; axis->ids && k < u->named_start[me + 1]; k++)
    grid_value_copy(val + k * size, x + (p->x->iso ? 0 : grid_axis_id(axis, k) - first) * size, size);
  if (axis->ids || p->x->n == 0) return;
  if (p->x->iso)
    grid_value_fill(val + first * size, x, size, p->x->n);
  else
    memcpy(val + first * size, x, p->x->n * size);
}

/* Values that no entry names are not set, and not read. */
GrB_Info grid_update_set_input(const grid_product *p, const grid_received *got, grid_input *in) {
  const grid_axis *axis = grid_in_axis(p, &p->A->block);
  const grid_update_set *u = set_of(p);
  const size_t S = (size_t)grid_set_size(p->in.set), me = (size_t)grid_set_rank(p->in.set),
               size = p->x->type->size;
  char *val = grid_malloc(axis->n, size);
  *in =
      (grid_input){.full = p->choice.pull, .nx = p->choice.pull ? 0 : axis->n, .val = val, .owned_val = val};
  if (!val) return grid_fail_memory(&p->A->head, "expanded input", axis->n, size);
  copy_local(p, u, axis, val);
  for (size_t s = 0; s < S; s++) {
    const grid_message m = grid_received_message(got, s);
    const uint64_t from = u->named_start[s], n = u->named_start[s + 1] - from;
    if (s == me || m.count == 0) continue; /* nothing is named, or process s has failed */
    if (u->named)
      grid_value_scatter(val, u->named + from, m.val, !m.iso, size, n);
    else if (m.iso)
      grid_value_fill(val + from * size, m.val, size, n);
    else
      memcpy(val + from * size, m.val, n * size);
  }
  return GrB_SUCCESS;
}

GrB_Info grid_update_set_expand(grid_product *p, grid_input *in) {
  const size_t S = (size_t)grid_set_size(p->in.set);
  grid_entries_out *e = grid_malloc(S, sizeof *e);
  GrB_Info info = e ? GrB_SUCCESS : grid_fail_memory(NULL, "messages", S, sizeof *e);
  grid_received got;
  for (size_t r = 0; r < S && e; r++) e[r] = message_for(p, set_of(p), r);
  info = grid_alltoall_messages(&p->A->cached.buffers, p->in.set, info, e, &got, &p->stats.expand_bytes);
  grid_free(e);
  return info == GrB_SUCCESS ? grid_update_set_input(p, &got, in) : info;
}

/* ---- a cached property of the matrix ---- */

static void free_sets(GrB_Matrix A) {
  for (int k = 0; k < 2; k++) free_set(A->cached.update_sets[k].set);
  memset(A->cached.update_sets, 0, sizeof A->cached.update_sets);
}

static void add_storage(GrB_Matrix A, Grid_Storage *s) {
  for (int k = 0; k < 2; k++) {
    const grid_update_set *u = A->cached.update_sets[k].set;
    const size_t S = (size_t)grid_set_size(k ? GRID_SET_ROW : GRID_SET_COL);
    if (!u) continue;
    s->bytes += 2 * (S + 1) * sizeof *u->send_start + u->send_start[S] * sizeof *u->send;
    if (u->named) s->bytes += u->named_start[S] * sizeof *u->named;
  }
}

const grid_cached_property grid_update_set_form = {.free = free_sets, .add_storage = add_storage};
