/* Expand: the processes of an input set gather their chunks of x into the input of their blocks
 * (docs/how/product.md; Bisson et al., section 2.2, "vertical exchange"). A push reads a list, a
 * pull a bitmap. With one process in the set the chunk itself is the input. */
#include <string.h>

#include "dist/comm/transport/message.h"
#include "dist/vector/shm_view.h"
#include "dist/product/dist_product.h"
#include "dist/product/exchange/update_set.h"
#include "dist/product/exchange/view_order.h"
#include "spmat/vector/pack.h"

void grid_input_free(grid_input *in) {
  grid_free(in->owned_bits);
  grid_free(in->owned_list);
  grid_free(in->owned_val);
  *in = (grid_input){0};
}

static uint64_t *calloc_bits(uint64_t n) {
  return grid_calloc(grid_words(n), sizeof(uint64_t));
}

/* ---- one process in the set: no copy where the chunk has the wanted form ---- */

static GrB_Info list_to_bits(const grid_product *p, const grid_chunk *x, uint64_t n, grid_input *in) {
  size_t size = p->values.uses_x ? x->type->size : 0;
  in->bits = in->owned_bits = calloc_bits(n);
  if (!in->bits) return grid_fail_memory(NULL, "input bitmap", n / 8, 1);
  in->val = x->val;
  for (uint64_t k = 0; k < x->nvals; k++) in->bits[x->idx[k] >> 6] |= UINT64_C(1) << (x->idx[k] & 63);
  if (!size || x->iso) return GrB_SUCCESS;
  char *val = in->owned_val = grid_malloc(n, size);
  if (!val) return grid_fail_memory(NULL, "input values", n, size);
  for (uint64_t k = 0; k < x->nvals; k++) memcpy(val + x->idx[k] * size, (char *)x->val + k * size, size);
  in->val = val;
  return GrB_SUCCESS;
}

static GrB_Info chunk_to_list(const grid_chunk *x, grid_input *in) {
  if (x->format == GRID_FULL) {
    in->nx = x->n;
    return GrB_SUCCESS; /* list NULL: all */
  }
  uint32_t *list = in->list = in->owned_list = grid_malloc(x->nvals, sizeof *list);
  if (!list) return grid_fail_memory(NULL, "input list", x->nvals, sizeof *list);
  if (x->format == GRID_LIST) {
    for (uint64_t k = 0; k < x->nvals; k++) list[k] = (uint32_t)x->idx[k];
    in->packed = true;
  } else {
    grid_pack_narrow_indices(list, x->bits, x->n, x->nvals);
  }
  in->nx = x->nvals;
  return GrB_SUCCESS;
}

/* Adds an entry with value v at axis position k. */
static void unpack_entry(grid_input *in, char *val, bool pull, uint64_t k, const void *v, size_t size) {
  if (size) grid_value_copy(val + (pull ? k : in->nx) * size, v, size);
  if (pull)
    in->bits[k >> 6] |= UINT64_C(1) << (k & 63); /* NOLINT(clang-analyzer-core.NullDereference): pulls */
  else
    in->list[in->nx++] = (uint32_t)k;
}

/* The entries of a chunk that a hypersparse axis has. Those of a list are looked up on the axis. For a bitmap
 * or full chunk each index of the axis is looked up in the chunk. */
static GrB_Info select_from_chunk(const grid_product *p, const grid_chunk *x, const grid_axis *axis,
                                  bool pull, grid_input *in) {
  const size_t size = p->values.uses_x ? x->type->size : 0;
  const bool by_list = x->format == GRID_LIST;
  const uint64_t most = by_list && !pull && x->nvals < axis->n ? x->nvals : axis->n;
  char *val = size ? grid_malloc(most, size) : NULL;
  in->owned_val = val;
  in->val = val;
  in->iso = false;
  in->packed = !pull;
  if (pull)
    in->bits = in->owned_bits = calloc_bits(axis->n);
  else
    in->list = in->owned_list = grid_malloc(most, sizeof *in->list);
  if ((pull ? !in->bits : !in->list) || (size && !val))
    return grid_fail_memory(NULL, "input of a hypersparse block", most, 4 + size);
  for (uint64_t e = 0, k = 0; e < x->nvals && by_list; e++) {
    k = grid_axis_seek(axis, k, x->idx[e]);
    if (k == axis->n) break;
    if (grid_axis_id(axis, k) == x->idx[e])
      unpack_entry(in, val, pull, k, (const char *)x->val + (x->iso ? 0 : e) * x->type->size, size);
  }
  for (uint64_t k = 0; k < axis->n && !by_list; k++) {
    const void *v;
    if (grid_chunk_get(x, grid_axis_id(axis, k), &v)) unpack_entry(in, val, pull, k, v, size);
  }
  return GrB_SUCCESS;
}

GrB_Info grid_make_input_from_chunk(const grid_product *p, const grid_chunk *x, const grid_axis *axis,
                                    bool pull, grid_input *in) {
  *in = (grid_input){.val = x->val, .iso = x->iso};
  GrB_Info info = GrB_SUCCESS;
  if (axis->ids) {
    info = select_from_chunk(p, x, axis, pull, in);
  } else if (!pull) {
    info = chunk_to_list(x, in);
  } else {
    in->full = x->format == GRID_FULL;
    in->bits = x->format == GRID_BITMAP ? x->bits : NULL;
    if (x->format == GRID_LIST) info = list_to_bits(p, x, axis->n, in);
  }
  if (info != GrB_SUCCESS) grid_input_free(in);
  return info;
}

/* ---- messages ---- */

grid_entries_out grid_entries_of_chunk(const grid_chunk *x, bool values) {
  return (grid_entries_out){.n = x->n,
                            .count = x->nvals,
                            .list = x->format == GRID_LIST ? x->idx : NULL,
                            .bits = x->format == GRID_BITMAP ? x->bits : NULL,
                            .val = values ? x->val : NULL,
                            .size = values ? x->type->size : 0,
                            .iso = x->iso};
}

void grid_count_messages(grid_product *p, const grid_entries_out *e, int receivers) {
  if (e->count == 0 || e->count == e->n) return;
  if (grid_message_is_list(e))
    p->stats.list_messages += (uint64_t)receivers;
  else
    p->stats.bitmap_messages += (uint64_t)receivers;
}

/* Unpacks a bitmap message, or one of all entries, for a pull whose axis has all indices: word by word. */
static void unpack_dense(const grid_message *m, uint64_t first, size_t size, uint64_t *bits, char *val) {
  const uint64_t *words = m->is_all ? NULL : m->index;
  const char *from = m->val;
  if (size) val += first * size;
  if (size && m->is_all && m->iso)
    grid_value_fill(val, from, size, m->n);
  else if (size && m->is_all)
    memcpy(val, from, m->n * size);
  for (uint64_t w = 0; w < grid_words(m->n) && bits; w++) {
    const uint64_t s = words ? words[w] : grid_tail(m->n, w);
    bits[first / 64 + w] = s;
    if (!size || m->is_all) continue;
    if (m->iso)
      grid_value_copy_bits(val + 64 * w * size, from, 0, s, size);
    else
      from += size * grid_unpack_word(val + 64 * w * size, from, s, size);
  }
}

/* Appends the entries of a message to the list of a push whose axis has all indices; values come packed. */
static void append_message(const grid_message *m, uint64_t first, size_t size, grid_input *in, char *val) {
  uint32_t *list = in->list + in->nx;
  if (!m->is_list && !m->is_all) grid_pack_narrow_indices(list, m->index, m->n, m->count);
  for (uint64_t k = 0; k < m->count; k++) {
    const uint64_t i = m->is_all     ? k
                       : !m->is_list ? list[k]
                       : m->index64  ? ((const uint64_t *)m->index)[k]
                                     : ((const uint32_t *)m->index)[k];
    list[k] = (uint32_t)(first + i);
  }
  if (size && m->iso)
    grid_value_fill(val + in->nx * size, m->val, size, m->count);
  else if (size)
    memcpy(val + in->nx * size, m->val, m->count * size);
  in->nx += m->count;
}

/* Adds the entries of a message, whose index 0 is local id `first` of the axis, to the input. */
static void unpack_message(const grid_product *p, const grid_axis *axis, const grid_message *m,
                           uint64_t first, grid_input *in, char *val) {
  size_t size = p->values.uses_x ? p->x->type->size : 0;
  if (p->choice.pull && !axis->ids && !m->is_list && m->count) {
    unpack_dense(m, first, size, in->bits, val);
    return;
  }
  if (!p->choice.pull && !axis->ids) {
    if (m->count) append_message(m, first, size, in, val);
    return;
  }
  grid_message_iter it = grid_message_begin(m);
  if (m->is_all && (m->iso || !size) &&
      axis->ids) { /* the axis is shorter than the message, whose length is that of a chunk */
    if (!grid_message_next(&it)) return;
    for (uint64_t k = grid_axis_bound(axis, first); k < axis->n && grid_axis_id(axis, k) - first < m->n; k++)
      unpack_entry(in, val, p->choice.pull, k, it.v, size);
    return;
  }
  for (uint64_t at = 0; grid_message_next(&it);) {
    const uint64_t k = grid_axis_find_next(axis, &at, first + it.i);
    if (k != UINT64_MAX) unpack_entry(in, val, p->choice.pull, k, it.v, size);
  }
}

GrB_Info grid_make_input_from_messages(grid_product *p, const grid_received *got, grid_input *in) {
  const grid_axis *axis = grid_in_axis(p, &p->A->block);
  uint64_t S = (uint64_t)grid_set_size(p->in.set), total = 0;
  size_t size = p->values.uses_x ? p->x->type->size : 0;
  for (uint64_t s = 0; s < S; s++) total += grid_received_message(got, s).count;
  if (total > axis->n) total = axis->n;
  in->full = p->choice.pull && !axis->ids && total == axis->n;
  if (in->full)
    in->bits = NULL;
  else if (p->choice.pull)
    in->bits = in->owned_bits = calloc_bits(axis->n);
  else
    in->list = in->owned_list = grid_malloc(total, sizeof *in->list);
  char *val = size ? grid_malloc(p->choice.pull ? axis->n : total, size) : NULL;
  in->val = in->owned_val = val;
  in->packed = !p->choice.pull;
  if ((p->choice.pull ? !in->bits && !in->full : !in->list) || (size && !val))
    return grid_fail_memory(&p->A->head, "expanded input", total, 4 + size);
  for (uint64_t s = 0; s < S; s++) {
    grid_message m = grid_received_message(got, s);
    unpack_message(p, axis, &m, grid_in_offset(p, s), in, val);
  }
  return GrB_SUCCESS;
}

/* ---- shared memory: a pull reads x where its owners wrote it, bits in front of values ---- */

/* Gathers the values of a full x. */
static void gather_values(char *to, const char *from, const grid_axis *axis, size_t size) {
  for (uint64_t k = 0; k < axis->n; k++)
    grid_value_copy(to + k * size, from + grid_axis_id(axis, k) * size, size);
}

/* Gathers bits, then the values of those set. The bits are gathered without a branch, since the processor
 * would often mispredict it. */
static void gather_entries(grid_input *in, char *to, const grid_axis *axis, const uint64_t *bits,
                           const char *from, size_t size) {
  for (uint64_t w = 0; w < grid_words(axis->n); w++) {
    const uint64_t end = 64 * w + 64 < axis->n ? 64 * w + 64 : axis->n;
    uint64_t s = 0;
    for (uint64_t k = 64 * w; k < end; k++) {
      const uint64_t id = grid_axis_id(axis, k);
      s |= (bits[id >> 6] >> (id & 63) & 1) << (k & 63);
    }
    in->bits[w] = s;
    for (; s && size; s &= s - 1) {
      const uint64_t k = 64 * w + (uint64_t)__builtin_ctzll(s);
      grid_value_copy(to + k * size, from + grid_axis_id(axis, k) * size, size);
    }
  }
}

/* The input of a hypersparse axis from x over all inputs of the block; bits NULL: x is full. */
static GrB_Info gather_hypersparse(const grid_axis *axis, const uint64_t *bits, const char *val, size_t size,
                                   grid_input *in) {
  in->full = !bits;
  if (bits) in->bits = in->owned_bits = calloc_bits(axis->n);
  char *gathered = size ? grid_malloc(axis->n, size) : NULL;
  in->val = in->owned_val = gathered;
  if ((bits && !in->bits) || (size && !gathered))
    return grid_fail_memory(NULL, "input of a hypersparse block", axis->n, size + 1);
  if (!bits && size) gather_values(gathered, val, axis, size);
  if (bits) gather_entries(in, gathered, axis, bits, val, size);
  return GrB_SUCCESS;
}

GrB_Info grid_make_input_from_bits(const grid_axis *axis, uint64_t *bits, grid_input *in) {
  *in = (grid_input){.bits = bits};
  return axis->ids ? gather_hypersparse(axis, bits, NULL, 0, in) : GrB_SUCCESS;
}

static GrB_Info input_of_shm_view(const grid_product *p, const grid_shm_view *z, const grid_axis *axis,
                                  grid_input *in) {
  const size_t size = p->values.uses_x ? p->x->type->size : 0;
  const bool full = p->n.nx == p->in.n;
  if (axis->ids) return gather_hypersparse(axis, full ? NULL : z->bits, z->val, size, in);
  *in = (grid_input){.full = full, .bits = full ? NULL : z->bits, .val = size ? z->val : NULL};
  return GrB_SUCCESS;
}

/* Reads x from shared memory. False, the same on all processes of the set: there is none, or it is too small.
 */
static bool read_in_place(grid_product *p, const grid_axis *axis, grid_input *in, GrB_Info *info) {
  const size_t size = p->values.uses_x ? p->x->type->size : 0;
  grid_shm_view z;
  if (!p->choice.pull) return false;
  if (!grid_shm_view_reserve(&z, p->in.set, grid_in_dim(p), size, p->n.nx == p->in.n)) return false;
  if (p->choice.orders_view)
    grid_view_order_write(p, &z);
  else
    grid_shm_view_write(&z, p->x, grid_in_offset(p, (size_t)grid_set_rank(p->in.set)), size);
  grid_ctx.transport->barrier(p->in.set);
  *info = p->choice.orders_view ? grid_view_order_input(p, &z, in) : input_of_shm_view(p, &z, axis, in);
  return true;
}

/* The input from x that was received with the counts. */
static GrB_Info input_of_prefetched(grid_product *p, const grid_axis *axis, grid_input *in) {
  GrB_Info info = p->prefetched.info;
  if (info == GrB_SUCCESS)
    info = p->prefetched.update_set ? grid_update_set_input(p, &p->prefetched.got, in)
           : p->prefetched.delivery == GRID_PAYLOAD_SHM
               ? input_of_shm_view(p, &p->prefetched.shm_view, axis, in)
               : grid_make_input_from_messages(p, &p->prefetched.got, in);
  if (info != GrB_SUCCESS) grid_input_free(in);
  return info;
}

GrB_Info grid_expand(grid_product *p, grid_input *in) {
  const grid_axis *axis = grid_in_axis(p, &p->A->block);
  *in = (grid_input){0};
  if (p->prefetched.ordered) return grid_view_order_input(p, &p->prefetched.shm_view, in);
  if (grid_set_size(p->in.set) == 1) return grid_make_input_from_chunk(p, p->x, axis, p->choice.pull, in);
  if (p->prefetched.whole || p->prefetched.update_set) return input_of_prefetched(p, axis, in);
  GrB_Info info;
  if (p->choice.uses_update_set) {
    info = grid_update_set_expand(p, in);
    if (info != GrB_SUCCESS) grid_input_free(in);
    return info;
  }
  grid_entries_out e = grid_entries_of_chunk(p->x, p->values.uses_x);
  grid_received got;
  grid_count_messages(p, &e, grid_set_size(p->in.set) - 1);
  if (read_in_place(p, axis, in, &info)) {
    p->stats.expand_bytes += grid_message_size(&e) * (uint64_t)(grid_set_size(p->in.set) - 1);
    if (info != GrB_SUCCESS) grid_input_free(in);
    return info;
  }
  info = grid_allgather_messages(&p->A->cached.buffers, p->in.set, GrB_SUCCESS, &e, &got,
                                 &p->stats.expand_bytes);
  if (info == GrB_SUCCESS) info = grid_make_input_from_messages(p, &got, in);
  if (info != GrB_SUCCESS) grid_input_free(in);
  return info;
}
