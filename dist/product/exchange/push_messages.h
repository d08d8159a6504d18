/* Push messages: the targets of a push, sent to their owners as compressed lists. A segment has for each
 * vertex its number (not in a structural product), the distances between its targets, and 0. They are
 * varints: one or two bytes a target where a vertex has many. It needs no second orientation of the block. */
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
/* The targets that this process owns. */
typedef struct {
  const grid_compressed *vectors;
  const grid_axis *targets;
  grid_index_map vertices; /* global indices of the vectors' vertices */
  uint64_t low, high;      /* targets by compact index, */
  uint64_t first;          /* and the local id of index 0 of the chunk */
} grid_push_local;
grid_push_local grid_push_local_of(const grid_push_messages *d);
/* Those of vector k: entries [*from, *to); entry e is index grid_push_local_target(l, e) of the chunk. */
static inline void grid_push_local_range(const grid_push_local *l, uint64_t k, uint64_t *from, uint64_t *to) {
  const grid_compressed *c = l->vectors;
  const uint64_t end = grid_vector_start(c, k + 1);
  *from = *to = grid_first_entry(c->idx, grid_vector_start(c, k), end, l->low);
  while (*to < end && c->idx[*to] < l->high) ++*to;
}
static inline uint64_t grid_push_local_target(const grid_push_local *l, uint64_t e) {
  return grid_axis_id(l->targets, l->vectors->idx[e]) - l->first;
}

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
