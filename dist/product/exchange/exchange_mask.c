/* The mask before the local product (docs/how/product.md). The processes that share a block's rows
 * exchange their masks, so that contributions to outputs that the mask forbids are neither computed nor sent.
 */
#include <string.h>

#include "dist/comm/transport/message.h"
#include "dist/product/dist_product.h"

/* ---- mask of the process' own chunk ---- */

static GrB_Info list_to_bits(const grid_mask *m, uint64_t words, grid_kernel_mask *a) {
  uint64_t *bits = a->owned = grid_calloc(words, sizeof *bits);
  if (!bits) return grid_fail_memory(NULL, "mask bits", words, sizeof *bits);
  for (uint64_t k = 0; k < m->nlist; k++) bits[m->list[k] >> 6] |= UINT64_C(1) << (m->list[k] & 63);
  a->bits = bits;
  a->complement = m->complement;
  return GrB_SUCCESS;
}

/* Marks the list's indices that occur on a hypersparse axis. */
static void mark_list(uint64_t *bits, const grid_axis *axis, const grid_mask *m) {
  for (uint64_t e = 0, k = 0; e < m->nlist; e++) {
    k = grid_axis_seek(axis, k, m->list[e]);
    if (k == axis->n) return;
    if (grid_axis_id(axis, k) == m->list[e]) bits[k >> 6] |= UINT64_C(1) << (k & 63);
  }
}

GrB_Info grid_make_chunk_mask(grid_product *p, const grid_axis *axis, grid_kernel_mask *a) {
  const grid_mask *m = &p->mask;
  *a = (grid_kernel_mask){0};
  if (m->all || (!m->bits && !m->list && m->complement)) return GrB_SUCCESS;
  if (!axis->ids && m->bits) {
    a->bits = m->bits;
    a->complement = m->complement;
    return GrB_SUCCESS;
  }
  if (!axis->ids) return list_to_bits(m, grid_words(axis->dim), a);
  uint64_t *bits = a->owned = grid_calloc(grid_words(axis->ids ? axis->n : axis->dim), sizeof *bits);
  if (!bits) return grid_fail_memory(NULL, "mask bits", axis->n / 8, 1);
  a->bits = bits;
  if (m->list) {
    a->complement = m->complement;
    mark_list(bits, axis, m);
    return GrB_SUCCESS;
  }
  for (uint64_t k = 0; k < axis->n; k++)
    if (grid_mask_has_index(m, grid_axis_id(axis, k))) bits[k >> 6] |= UINT64_C(1) << (k & 63);
  return GrB_SUCCESS;
}

/* ---- several processes ---- */

/* *e = the mask as entries to send: the allowed indices, or, with the tag set, the forbidden ones if these
 * are fewer. */
static GrB_Info count_mask_entries(const grid_mask *m, grid_entries_out *e, void **owned) {
  if (m->list || (!m->bits && !m->all)) {
    *e =
        (grid_entries_out){.n = m->n, .count = m->list ? m->nlist : 0, .list = m->list, .tag = m->complement};
    return GrB_SUCCESS;
  }
  uint64_t words = grid_words(m->n), *bits = *owned = grid_malloc(words, sizeof *bits), allowed = 0;
  if (!bits) return grid_fail_memory(NULL, "mask bits", words, sizeof *bits);
  for (uint64_t w = 0; w < words; w++) {
    bits[w] = grid_mask_word(m, w);
    allowed += (uint64_t)__builtin_popcountll(bits[w]);
  }
  bool forbidden = allowed > m->n - allowed;
  if (forbidden)
    for (uint64_t w = 0; w < words; w++) bits[w] = ~bits[w] & grid_tail(m->n, w);
  *e = (grid_entries_out){
      .n = m->n, .count = forbidden ? m->n - allowed : allowed, .bits = bits, .tag = forbidden};
  return GrB_SUCCESS;
}

/* Sets the bits of the axis positions whose local ids the message contains; its index 0 is local id `first`.
 * If the message lists forbidden indices, the bits of the sender's chunk are then inverted. */
static void unpack_mask(const grid_axis *axis, const grid_message *m, bool forbidden, uint64_t first,
                        uint64_t q, uint64_t *bits) {
  grid_message_iter it = grid_message_begin(m);
  if (!axis->ids && m->count && !m->is_list && !m->is_all) {
    memcpy(bits + first / 64, m->index, grid_words(m->n) * 8);
  } else {
    for (uint64_t at = 0; grid_message_next(&it);) {
      const uint64_t k = grid_axis_find_next(axis, &at, first + it.i);
      if (k != UINT64_MAX) bits[k >> 6] |= UINT64_C(1) << (k & 63);
    }
  }
  if (!forbidden) return;
  if (!axis->ids) {
    for (uint64_t w = first / 64; w < (first + q) / 64; w++) bits[w] = ~bits[w];
  } else {
    for (uint64_t k = 0; k < axis->n; k++)
      if (grid_axis_id(axis, k) >= first && grid_axis_id(axis, k) - first < q)
        bits[k >> 6] ^= UINT64_C(1) << (k & 63);
  }
}

static GrB_Info exchange_masks(grid_product *p, const grid_axis *axis, GrB_Info info, grid_kernel_mask *a) {
  size_t S = (size_t)grid_set_size(p->out.set);
  grid_entries_out e = {0};
  grid_received got;
  void *owned = NULL;
  uint64_t *bits = a->owned = grid_calloc(grid_words(axis->ids ? axis->n : axis->dim), sizeof *bits);
  if (info == GrB_SUCCESS && !bits) info = grid_fail_memory(NULL, "mask bits", axis->n / 8, 1);
  if (info == GrB_SUCCESS) info = count_mask_entries(&p->mask, &e, &owned);
  grid_count_messages(p, &e, (int)S - 1);
  info = grid_allgather_messages(&p->A->cached.buffers, p->out.set, info, &e, &got, &p->stats.mask_bytes);
  for (size_t s = 0; s < S && info == GrB_SUCCESS; s++) {
    grid_message m = grid_received_message(&got, s);
    const uint64_t first = grid_out_offset(p, s);
    unpack_mask(axis, &m, m.tag, first, grid_out_offset(p, s + 1) - first, bits);
  }
  a->bits = bits;
  grid_free(owned);
  return info;
}

GrB_Info grid_make_block_mask(grid_product *p, GrB_Info info, grid_kernel_mask *a) {
  const grid_axis *axis = grid_out_axis(p, &p->A->block);
  *a = (grid_kernel_mask){0};
  if (grid_set_size(p->out.set) > 1 && p->choice.spreads_mask)
    info = exchange_masks(p, axis, info, a);
  else if (grid_set_size(p->out.set) == 1 && info == GrB_SUCCESS)
    info = grid_make_chunk_mask(p, axis, a);
  if (info != GrB_SUCCESS) {
    grid_free(a->owned);
    *a = (grid_kernel_mask){0};
  }
  return info;
}
