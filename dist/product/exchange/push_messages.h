/* Vertices of a block tell the owners of what they meet: first their own number, where that counts, then
 * their targets by the distances between them, then 0: a byte or two a target where they have many. No second
 * orientation of the block is wanted for it. */
#ifndef GRID_PUSH_MESSAGES_H
#define GRID_PUSH_MESSAGES_H
#include "dist/comm/comm_buffers.h"
#include "dist/product/dist_product.h"

typedef struct {
  grid_product *p;
  bool from_rows;           /* rows tell, of the columns they meet; else the other way */
  const uint64_t *left_out; /* bits: targets that are not told; or NULL */
  const uint32_t *list;     /* who tells, compact indices; NULL: all below n */
  uint64_t n;
  size_t head;     /* of each segment, that numbers are written into (dist/comm/comm_buffers.h); 0: they go alone */
  bool prefetched; /* with numbers, before the product began: grid_prefetched */
} grid_push_messages;

/* The owners of targets, and who they are in the set. */
static inline grid_set grid_push_owner_set(bool from_rows) {
  return from_rows ? GRID_SET_COL : GRID_SET_ROW;
}

/* Tells all but the own targets, and gets what others tell. info: the outcome so far. Collective over the
 * set; a failure is carried along. */
GrB_Info grid_push_messages_exchange(const grid_push_messages *d, GrB_Info info, grid_received *got);
/* Writes the segments alone, behind heads of d->head bytes. Local. */
GrB_Info grid_push_write(const grid_push_messages *d);
/* Vector k's own targets: entries [*from, *to), of which entry e is own vertex grid_push_local_target(d, e).
 */
void grid_push_local_range(const grid_push_messages *d, uint64_t k, uint64_t *from, uint64_t *to);
uint64_t grid_push_local_target(const grid_push_messages *d, uint64_t e);
/* The number of vector k's vertex in the whole. */
uint64_t grid_push_message_vertex(const grid_push_messages *d, uint64_t k);

/* Visits what came: target r of this process, vertex u (of products that are structural 0). */
typedef struct {
  const grid_push_messages *d;
  const grid_received *got;
  int next; /* member whose segment comes next */
  const uint8_t *at, *end;
  uint64_t low; /* of the vertices of the process that is read */
  bool open;    /* inside a vertex's targets */
  uint64_t r, u;
} grid_push_reader;
static inline grid_push_reader grid_push_reader_begin(const grid_push_messages *d, const grid_received *got) {
  return (grid_push_reader){.d = d, .got = got};
}
bool grid_push_reader_next(grid_push_reader *t);
#endif
