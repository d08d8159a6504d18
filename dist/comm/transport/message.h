/* Messages of a product: some entries of one chunk, as a list of 32-bit indices or a bitmap, whichever is
 * smaller, with the values packed beside (none if the receiver needs none, one if all are equal).
 * docs/design.md, "Messages"; Bisson et al., section 5. */
#ifndef GRID_MESSAGE_H
#define GRID_MESSAGE_H
#include "spmat/vector/chunk.h"

/* Entries to send, below n: either an ascending list of indices (values packed) or words of a bitmap (values
 * dense). */
typedef struct {
  uint64_t n, count;
  const uint64_t *list;
  const uint64_t *bits; /* neither: all n */
  const char *val;      /* NULL: no values are sent */
  size_t size;          /* of a value */
  bool iso;             /* one value at val */
  /* values are int32/int64 indices that fit 32 bits: sent as such (size 4 or 8 in memory) */
  bool narrow;
  bool tag; /* a mark for the receiver, sent even without entries */
} grid_entries_out;

/* Bytes that grid_message_write will write. */
uint64_t grid_message_size(const grid_entries_out *e);
void grid_message_write(const grid_entries_out *e, void *to);
/* Is it a list (and no bitmap)? */
bool grid_message_is_list(const grid_entries_out *e);

/* A message as received: cursor over it. */
typedef struct {
  uint64_t n, count;
  bool is_list, is_all, iso, index64, narrow, tag;
  const void *index; /* list or words */
  const char *val;
  size_t size; /* bytes of a value as sent */
} grid_message;
grid_message grid_message_read(const void *from, uint64_t bytes);

/* Visits the entries in ascending order: i is the index, v the value (NULL without values). */
typedef struct {
  const grid_message *m;
  uint64_t k, word, at, i;
  const char *v;
  uint64_t widened;
} grid_message_iter;
grid_message_iter grid_message_begin(const grid_message *m);
bool grid_message_next(grid_message_iter *it);

/* expand.c: the entries of a chunk as something to send. */
grid_entries_out grid_entries_of_chunk(const grid_chunk *x, bool values);
#endif
