/* Messages of a product: entries of one chunk, as a list of 32-bit indices or a bitmap, whichever is smaller.
 * Values are packed: none if the receiver needs none, one if all are equal. docs/how/communication.md; Bisson
 * et al., section 5. */
#ifndef GRID_MESSAGE_H
#define GRID_MESSAGE_H
#include "spmat/vector/chunk.h"

/* Entries to send, with indices below n: an ascending list with packed values, or a bitmap with dense
 * values. */
typedef struct {
  uint64_t n, count;
  const uint64_t *list;
  const uint64_t *bits;        /* if list and bits are NULL: all n entries */
  const uint32_t *value_index; /* not NULL: entry k of all n has value value_index[k] */
  const char *val;             /* NULL: no values are sent */
  size_t size;                 /* bytes of a value */
  bool iso;                    /* val is one value, that of all entries */
  /* values are int32/int64 indices that fit 32 bits: sent as such (size 4 or 8 in memory) */
  bool narrow;
  bool tag; /* a flag for the receiver, sent even without entries */
} grid_entries_out;

/* The size in bytes of the encoded message. */
uint64_t grid_message_size(const grid_entries_out *e);
void grid_message_write(const grid_entries_out *e, void *to);
/* Is it encoded as a list, not a bitmap? */
bool grid_message_is_list(const grid_entries_out *e);

/* A received message, decoded in place. */
typedef struct {
  uint64_t n, count;
  bool is_list, is_all, iso, index64, narrow, tag;
  const void *index; /* index list or bitmap words */
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

/* expand.c: a chunk's entries as a message to send. */
grid_entries_out grid_entries_of_chunk(const grid_chunk *x, bool values);
#endif
