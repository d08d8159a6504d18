/* Fold: each process sends its contributions to the owners of the outputs, which add them with the monoid
 * (docs/how/product.md; Bisson et al., section 2.2, "horizontal exchange"). With one process in the
 * set its contributions are the result. */
#include <string.h>

#include "dist/comm/transport/message.h"
#include "dist/product/dist_product.h"
#include "spmat/vector/pack.h"

/* ---- the result chunk, as bits and values or as a list ---- */

static void add_value(const grid_product *p, char *to, const char *v, size_t size, bool has_value) {
  if (!has_value)
    memcpy(to, v, size);
  else if (!p->s->add->any)
    p->s->add->op->f(to, to, v);
}

/* Adds the entries s of a word, packed at `from`, to the entries `have`. add NULL: the monoid is ANY. */
static void add_word(const grid_binary *add, uint64_t have, uint64_t s, char *val, const char *from,
                     size_t size) {
  uint64_t buffer[64];
  const uint64_t both = have & s;
  grid_unpack_word(both ? (char *)buffer : val, from, s, size);
  if (!both) return;
  if (add) grid_binary_bits(add, val, val, 1, buffer, 1, both);
  grid_value_copy_bits(val, buffer, 1, s & ~both, size);
}

/* Adds a bitmap message, or one of all entries, to a bitmap chunk word by word, by a predefined monoid. */
static void add_words(const grid_product *p, const grid_message *m, grid_chunk *t, size_t size) {
  const uint64_t *words = m->is_all ? NULL : m->index;
  const char *from = m->val;
  const bool any = p->s->add->any;
  /* the last chunk may be shorter than its padded size in a block */
  const uint64_t all = grid_words(m->n < t->n ? m->n : t->n);
  grid_binary add;
  if (size && !any) grid_binary_bind(&add, p->s->add->op, t->type, t->type, t->type);
  for (uint64_t w = 0; w < all; w++) {
    const uint64_t s = words ? words[w] : grid_tail(m->n, w), have = t->bits[w];
    if (size && s) {
      add_word(any ? NULL : &add, have, s, (char *)t->val + 64 * w * size, from, size);
      from += size * grid_popcount(s);
    }
    t->nvals += grid_popcount(s & ~have);
    t->bits[w] |= s;
  }
}

/* ANY of indices that are sent as 4 bytes: stores those of a word, packed at `from`, that are new. */
static void add_narrow_word(uint64_t have, uint64_t s, uint64_t *val, const uint32_t *from) {
  for (uint64_t b = s; b; b &= b - 1, from++)
    if (!(have & b & -b)) val[__builtin_ctzll(b)] = *from;
}

static void add_narrow_words(const grid_message *m, grid_chunk *t) {
  const uint64_t *words = m->index, all = grid_words(m->n < t->n ? m->n : t->n);
  const uint32_t *from = (const uint32_t *)(const void *)m->val;
  for (uint64_t w = 0; w < all; w++) {
    const uint64_t s = words[w], have = t->bits[w];
    if (!s) continue;
    add_narrow_word(have, s, (uint64_t *)t->val + 64 * w, from);
    from += grid_popcount(s);
    t->nvals += grid_popcount(s & ~have);
    t->bits[w] |= s;
  }
}

void grid_fold_message(const grid_product *p, const grid_message *m, grid_chunk *t) {
  size_t size = p->values.structural ? 0 : t->type->size;
  if (m->count && !m->is_list && !m->narrow && !m->iso && p->s->add->op->loop) {
    add_words(p, m, t, size);
    return;
  }
  if (m->count && !m->is_list && !m->is_all && m->narrow && size == 8 && p->s->add->any) {
    add_narrow_words(m, t);
    return;
  }
  grid_message_iter it = grid_message_begin(m);
  while (grid_message_next(&it)) {
    uint64_t *word = &t->bits[it.i >> 6], bit = UINT64_C(1) << (it.i & 63);
    if (size) add_value(p, (char *)t->val + it.i * size, it.v, size, *word & bit);
    t->nvals += !(*word & bit);
    *word |= bit;
  }
}

/* Merges messages, each ascending, into a list chunk. */
static GrB_Info merge_lists(const grid_product *p, const grid_received *got, size_t S, uint64_t total,
                            grid_chunk *t) {
  size_t size = p->values.structural ? 0 : t->type->size;
  grid_message *m = grid_malloc(S, sizeof *m);
  grid_message_iter *it = grid_malloc(S, sizeof *it);
  bool *more = grid_malloc(S, sizeof *more);
  GrB_Info info = m && it && more ? grid_chunk_reserve_list(t, total, p->values.structural)
                                  : grid_fail_memory(NULL, "fold", S, sizeof *it);
  for (size_t s = 0; s < S && info == GrB_SUCCESS; s++) {
    m[s] = grid_received_message(got, s);
    it[s] = grid_message_begin(&m[s]);
    more[s] = grid_message_next(&it[s]);
  }
  t->format = GRID_LIST;
  t->nvals = 0;
  while (info == GrB_SUCCESS) {
    size_t least = S;
    for (size_t s = 0; s < S; s++)
      if (more[s] && (least == S || it[s].i < it[least].i)) least = s;
    if (least == S) break;
    bool has_value = t->nvals > 0 && t->idx[t->nvals - 1] == it[least].i;
    if (!has_value) t->idx[t->nvals++] = it[least].i;
    if (size) add_value(p, (char *)t->val + (t->nvals - 1) * size, it[least].v, size, has_value);
    more[least] = grid_message_next(&it[least]);
  }
  grid_free(m);
  grid_free(it);
  grid_free(more);
  return info;
}

static GrB_Info unpack_messages(const grid_product *p, const grid_received *got, grid_chunk *t) {
  size_t S = (size_t)grid_set_size(p->out.set);
  uint64_t total = 0;
  for (size_t s = 0; s < S; s++) total += grid_received_message(got, s).count;
  if (total <= t->n / GRID_LIST_SHARE) return merge_lists(p, got, S, total, t);
  GrB_Info info = grid_chunk_reserve_dense(t, p->values.structural);
  if (info != GrB_SUCCESS) return info;
  memset(t->bits, 0, grid_words(t->n) * 8);
  t->format = GRID_BITMAP;
  t->nvals = 0;
  for (size_t s = 0; s < S; s++) {
    grid_message m = grid_received_message(got, s);
    grid_fold_message(p, &m, t);
  }
  return GrB_SUCCESS;
}

/* ---- sending ---- */

/* The contributions to chunk s of a block without hypersparse outputs: words of its bitmap. */
static grid_entries_out dense_segment(const grid_product *p, const grid_output *y, uint64_t s) {
  size_t size = p->values.structural ? 0 : p->s->mul->z->size;
  const uint64_t first = grid_out_offset(p, s), q = grid_out_offset(p, s + 1) - first;
  uint64_t *bits = y->bits + first / 64;
  return (grid_entries_out){.n = q,
                            .count = y->found ? grid_count_bits(bits, q / 64) : 0,
                            .bits = bits,
                            .val = size ? (char *)y->val + first * size : NULL,
                            .size = size,
                            .narrow = grid_has_narrow_values(p)};
}

/* Hypersparse outputs: (index in the chunk, value) pairs in ascending order; those of chunk s are from[s] ..
 * from[s + 1]. */
typedef struct {
  uint64_t *offset;
  char *val;
  uint64_t *from;
} sparse_segments;

static GrB_Info list_outputs(const grid_product *p, const grid_axis *axis, const grid_output *y, size_t S,
                             sparse_segments *l) {
  size_t size = p->values.structural ? 0 : p->s->mul->z->size;
  uint64_t at = 0, s = 0, first = 0, end = grid_out_offset(p, 1);
  *l = (sparse_segments){grid_malloc(y->found, 8), size ? grid_malloc(y->found, size) : NULL,
                         grid_calloc(S + 1, 8)};
  if (!l->offset || (size && !l->val) || !l->from)
    return grid_fail_memory(NULL, "outputs to fold", y->found, 8 + size);
  for (uint64_t w = 0; w < grid_words(y->n); w++)
    for (uint64_t bits = y->bits[w]; bits; bits &= bits - 1) {
      uint64_t k = 64 * w + (uint64_t)__builtin_ctzll(bits), id = grid_axis_id(axis, k);
      while (id >= end) {
        l->from[++s] = at;
        first = end;
        end = grid_out_offset(p, s + 1);
      }
      l->offset[at] = id - first;
      if (size) memcpy(l->val + at * size, (char *)y->val + k * size, size);
      at++;
    }
  while (s < S) l->from[++s] = at;
  return GrB_SUCCESS;
}

/* The same from a list, whose indices become indices in the chunks. l uses the list's arrays and does not own
 * them. */
static GrB_Info split_list(const grid_product *p, grid_chunk *sparse, size_t S, sparse_segments *l) {
  uint64_t s = 0, first = 0, end = grid_out_offset(p, 1);
  *l = (sparse_segments){sparse->idx, sparse->val, grid_calloc(S + 1, 8)};
  if (!l->from) return grid_fail_memory(NULL, "outputs to fold", S + 1, 8);
  for (uint64_t k = 0; k < sparse->nvals; k++) {
    while (sparse->idx[k] >= end) {
      l->from[++s] = k;
      first = end;
      end = grid_out_offset(p, s + 1);
    }
    sparse->idx[k] -= first;
  }
  while (s < S) l->from[++s] = sparse->nvals;
  return GrB_SUCCESS;
}

static grid_entries_out sparse_segment(const grid_product *p, const sparse_segments *l, uint64_t s) {
  size_t size = p->values.structural ? 0 : p->s->mul->z->size;
  return (grid_entries_out){.n = grid_out_offset(p, s + 1) - grid_out_offset(p, s),
                            .count = l->from[s + 1] - l->from[s],
                            .list = l->offset + l->from[s],
                            .val = size ? l->val + l->from[s] * size : NULL,
                            .size = size,
                            .narrow = grid_has_narrow_values(p)};
}

/* With one process in the set: it folds its message itself. Nothing is collective, since whether it folds
 * depends on its block. */
static GrB_Info fold_local(const grid_product *p, const grid_entries_out *segment, grid_chunk *t) {
  size_t bytes = grid_message_size(segment), off = 0;
  char *buf = grid_malloc(bytes, 1);
  if (!buf) return grid_fail_memory(NULL, "outputs to fold", bytes, 1);
  grid_message_write(segment, buf);
  GrB_Info info = unpack_messages(p, &(grid_received){buf, &bytes, &off}, t);
  grid_free(buf);
  return info;
}

GrB_Info grid_fold(grid_product *p, GrB_Info info, const grid_output *y, grid_chunk *t) {
  const grid_axis *axis = grid_out_axis(p, &p->A->block);
  size_t S = (size_t)grid_set_size(p->out.set);
  grid_entries_out *segment = grid_malloc(S, sizeof *segment);
  sparse_segments sparse = {0};
  grid_received got;
  if (info == GrB_SUCCESS && !segment) info = grid_fail_memory(NULL, "fold", S, sizeof *segment);
  if (info == GrB_SUCCESS && y->sparse)
    info = split_list(p, y->sparse, S, &sparse);
  else if (info == GrB_SUCCESS && axis->ids)
    info = list_outputs(p, axis, y, S, &sparse);
  for (size_t s = 0; s < S && info == GrB_SUCCESS; s++) {
    segment[s] = axis->ids || y->sparse ? sparse_segment(p, &sparse, s) : dense_segment(p, y, s);
    if ((int)s != grid_set_rank(p->out.set)) grid_count_messages(p, &segment[s], 1);
  }
  if (S == 1) {
    if (info == GrB_SUCCESS) info = fold_local(p, segment, t);
  } else {
    info =
        grid_alltoall_messages(&p->A->cached.buffers, p->out.set, info, segment, &got, &p->stats.fold_bytes);
    if (info == GrB_SUCCESS) info = unpack_messages(p, &got, t);
  }
  grid_free(segment);
  if (!y->sparse) {
    grid_free(sparse.offset);
    grid_free(sparse.val);
  }
  grid_free(sparse.from);
  return info;
}
