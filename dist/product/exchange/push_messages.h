/* Push messages: the targets of a push, sent to their owners as compressed lists. A segment has for each
 * vertex its number (not in a structural product), the distances between its targets, and 0, as varints: one
 * or two bytes a target where a vertex has many. It needs no second orientation of the block. */
#ifndef GRID_PUSH_MESSAGES_H
#define GRID_PUSH_MESSAGES_H
#include "dist/comm/comm_buffers.h"
#include "dist/product/dist_product.h"

typedef struct {
  grid_product *p;
  bool from_rows;           /* vertices are rows and targets columns; else the other way */
  const uint64_t *left_out; /* bits by compact index: targets that are not sent; or NULL */
  const uint32_t *list;     /* positions of the vertices on their axis; NULL: all below n */
  uint64_t n;
  size_t
      head; /* bytes before each segment for the counts it is sent with (dist/comm/comm_buffers.h); 0: none */
  bool prefetched; /* received with the counts, before the product began: grid_prefetched */
} grid_push_messages;

/* The set of the owners of targets. */
static inline grid_set grid_push_owner_set(bool from_rows) {
  return from_rows ? GRID_SET_COL : GRID_SET_ROW;
}

/* Sends the targets of other owners, and receives those of this one. info: the outcome so far, which is sent
 * with the messages. Collective over the set. */
GrB_Info grid_push_messages_exchange(const grid_push_messages *d, GrB_Info info, grid_received *got);
/* Only writes the segments, behind heads of d->head bytes. Local. */
GrB_Info grid_push_write(const grid_push_messages *d);
/* The targets of vector k that this process owns: entries [*from, *to); entry e is index
 * grid_push_local_target(d, e) of its chunk. */
void grid_push_local_range(const grid_push_messages *d, uint64_t k, uint64_t *from, uint64_t *to);
uint64_t grid_push_local_target(const grid_push_messages *d, uint64_t e);
/* The global index of vector k's vertex. */
uint64_t grid_push_message_vertex(const grid_push_messages *d, uint64_t k);

/* Reads the received targets: target r, an index of this process's chunk, of vertex u (0 in a structural
 * product). */
typedef struct {
  const grid_push_messages *d;
  const grid_received *got;
  int next; /* rank of the next segment's sender */
  const uint8_t *at, *end;
  uint64_t low; /* first vertex of the sender */
  bool open;    /* more targets of u may follow */
  uint64_t r, u;
} grid_push_reader;
static inline grid_push_reader grid_push_reader_begin(const grid_push_messages *d, const grid_received *got) {
  return (grid_push_reader){.d = d, .got = got};
}
bool grid_push_reader_next(grid_push_reader *t);
#endif
