/* Encodes and decodes messages, in the byte order of the machine. A message without entries has no bytes, or,
 * if tagged, the header alone.
 *
 *   header   32 bytes: bytes of the whole, entries, length n of the chunk, flags (below; from bit 8 on the
 *            bytes of a value)
 *
 *   indices  IS_LIST: 32 bits each, 64 where grid_index_fits32(n) is false; IS_ALL: nothing; else a bitmap
 *            of n bits
 *
 *   values   ascending by index; one if IS_ISO; none if the receiver needs none; 4 bytes each if IS_NARROW
 *
 * Indices and values are each padded to 8 bytes. IS_TAGGED of a mask: the indices are those that it forbids.
 */
#include "dist/comm/transport/message.h"

#include <string.h>

#include "semiring/support/tuning.h"
#include "spmat/vector/pack.h"

enum { IS_LIST = 1, IS_ALL = 2, IS_ISO = 4, INDEX64 = 8, IS_NARROW = 16, IS_TAGGED = 32, SIZE_SHIFT = 8 };
typedef struct {
  uint64_t length; /* of the whole message, first as alltoallv_nocounts requires */
  uint64_t count_n[2];
  uint64_t flags;
} head;

static uint64_t pad8(uint64_t bytes) {
  return (bytes + 7) / 8 * 8;
}

static uint64_t list_bytes(uint64_t n, uint64_t count) {
  return !grid_index_fits32(n) ? 8 * count : pad8(4 * count);
}

/* Indices take the smaller of list and bitmap; none are sent when all n entries are present. */
static uint64_t index_flags(const grid_entries_out *e, uint64_t *bytes) {
  if (e->count == e->n) {
    *bytes = 0;
    return IS_ALL;
  }
  uint64_t list = list_bytes(e->n, e->count);
  const bool as_list = list <= grid_words(e->n) * 8;
  *bytes = as_list ? list : grid_words(e->n) * 8;
  return (as_list ? IS_LIST : 0) | (!grid_index_fits32(e->n) ? INDEX64 : 0);
}

bool grid_message_is_list(const grid_entries_out *e) {
  uint64_t bytes;
  return e->count && index_flags(e, &bytes) & IS_LIST;
}

static uint64_t sent_size(const grid_entries_out *e) {
  return e->narrow ? 4 : e->size;
}

uint64_t grid_message_size(const grid_entries_out *e) {
  if (e->count == 0) return e->tag ? sizeof(head) : 0;
  uint64_t index;
  index_flags(e, &index);
  uint64_t values = !e->val ? 0 : (e->iso ? 1 : e->count) * sent_size(e);
  return sizeof(head) + index + pad8(values);
}

/* ---- writing ---- */

static void write_list_index(const grid_entries_out *e, void *to, bool index64) {
  uint64_t at = 0;
  uint32_t *narrow = to;
  uint64_t *to64 = to;
  if (e->list) {
    for (uint64_t k = 0; k < e->count; k++) {
      if (index64)
        to64[k] = e->list[k];
      else
        narrow[k] = (uint32_t)e->list[k];
    }
    return;
  }
  for (uint64_t w = 0; w < grid_words(e->n); w++)
    for (uint64_t bits = e->bits[w]; bits; bits &= bits - 1) {
      uint64_t i = 64 * w + (uint64_t)__builtin_ctzll(bits);
      if (index64)
        to64[at++] = i;
      else
        narrow[at++] = (uint32_t)i;
    }
}

static void write_bitmap_index(const grid_entries_out *e, uint64_t *to) {
  if (e->bits) {
    memcpy(to, e->bits, grid_words(e->n) * 8);
    return;
  }
  memset(to, 0, grid_words(e->n) * 8);
  for (uint64_t k = 0; k < e->count; k++) to[e->list[k] >> 6] |= UINT64_C(1) << (e->list[k] & 63);
}

static char *store_value(const grid_entries_out *e, char *to, uint64_t at) {
  const char *v = e->val + at * e->size;
  if (!e->narrow) {
    memcpy(to, v, e->size);
    return to + e->size;
  }
  uint64_t index64 = 0;
  if (e->size == 8)
    memcpy(&index64, v, 8);
  else
    memcpy(&index64, v, 4);
  uint32_t low32 = (uint32_t)index64;
  memcpy(to, &low32, 4);
  return to + 4;
}

/* 8-byte indices of a bitmap, truncated to 4 bytes. */
static void write_narrow(const grid_entries_out *e, uint32_t *to) {
  const uint64_t *val = (const uint64_t *)(const void *)e->val;
  for (uint64_t w = 0; w < grid_words(e->n); w++)
    for (uint64_t bits = e->bits[w]; bits; bits &= bits - 1)
      *to++ = (uint32_t)val[64 * w + (uint64_t)__builtin_ctzll(bits)];
}

static void write_values(const grid_entries_out *e, char *to) {
  if (e->iso) {
    store_value(e, to, 0);
  } else if (e->value_index) {
    grid_value_gather(to, e->val, e->value_index, e->size, e->count);
  } else if (e->bits && e->size == sent_size(e)) {
    for (uint64_t w = 0; w < grid_words(e->n); w++)
      to += e->size * grid_pack_word(to, e->val + 64 * w * e->size, e->bits[w], e->size);
  } else if (e->bits) {
    write_narrow(e, (uint32_t *)(void *)to);
  } else if (!e->narrow) {
    memcpy(to, e->val, e->count * e->size);
  } else {
    for (uint64_t k = 0; k < e->count; k++) to = store_value(e, to, k);
  }
}

void grid_message_write(const grid_entries_out *e, void *to) {
  if (e->count == 0) {
    head h = {.length = sizeof h, .count_n = {0, e->n}, .flags = IS_TAGGED};
    if (e->tag) memcpy(to, &h, sizeof h);
    return;
  }
  uint64_t index;
  head h = {.length = grid_message_size(e), .count_n = {e->count, e->n}, .flags = index_flags(e, &index)};
  if (e->tag) h.flags |= IS_TAGGED;
  if (e->val)
    h.flags |= (uint64_t)sent_size(e) << SIZE_SHIFT | (e->iso ? IS_ISO : 0) | (e->narrow ? IS_NARROW : 0);
  char *body = (char *)to + sizeof h;
  /* zero padding, so that equal entries give equal messages */
  memset(body + (index >= 8 ? index - 8 : 0), 0, index >= 8 ? 8 : 0);
  memset((char *)to + grid_message_size(e) - 8, 0, 8);
  memcpy(to, &h, sizeof h);
  if (h.flags & IS_LIST)
    write_list_index(e, body, h.flags & INDEX64);
  else if (!(h.flags & IS_ALL))
    write_bitmap_index(e, (uint64_t *)(void *)body);
  if (e->val) write_values(e, body + index);
}

/* ---- reading ---- */

grid_message grid_message_read(const void *from, uint64_t bytes) {
  grid_message m = {0};
  if (bytes == 0) return m;
  head h;
  memcpy(&h, from, sizeof h);
  m.count = h.count_n[0];
  m.n = h.count_n[1];
  m.is_list = h.flags & IS_LIST;
  m.is_all = h.flags & IS_ALL;
  m.iso = h.flags & IS_ISO;
  m.index64 = h.flags & INDEX64;
  m.narrow = h.flags & IS_NARROW;
  m.tag = h.flags & IS_TAGGED;
  m.size = h.flags >> SIZE_SHIFT;
  m.index = (const char *)from + sizeof h;
  uint64_t index = m.is_all ? 0 : m.is_list ? list_bytes(m.n, m.count) : grid_words(m.n) * 8;
  m.val = m.size ? (const char *)m.index + index : NULL;
  return m;
}

grid_message_iter grid_message_begin(const grid_message *m) {
  grid_message_iter it = {.m = m};
  if (m->count && !m->is_list && !m->is_all) it.word = ((const uint64_t *)m->index)[0];
  return it;
}

bool grid_message_next(grid_message_iter *it) {
  const grid_message *m = it->m;
  if (it->k >= m->count) return false;
  if (m->is_all) {
    it->i = it->k;
  } else if (m->is_list) {
    it->i = m->index64 ? ((const uint64_t *)m->index)[it->k] : ((const uint32_t *)m->index)[it->k];
  } else {
    const uint64_t *words = m->index;
    while (it->word == 0) it->word = words[++it->at];
    it->i = 64 * it->at + (uint64_t)__builtin_ctzll(it->word);
    it->word &= it->word - 1;
  }
  if (m->val) {
    it->v = m->val + (m->iso ? 0 : it->k) * m->size;
    if (m->narrow) {
      uint32_t low32;
      memcpy(&low32, it->v, 4);
      it->widened = low32; /* on a little-endian machine the low half is also the 4-byte value */
      it->v = (const char *)&it->widened;
    }
  }
  it->k++;
  return true;
}
