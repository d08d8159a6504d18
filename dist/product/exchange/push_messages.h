/* Push messages: the targets of a push, sent to their owners as compressed lists. A segment has for each
 * vertex its number (of positions; not in a structural product), the distances between its targets, and 0, as
 * varints: one or two bytes a target where a vertex has many. Where values are multiplied, the product stands
 * in place of the number; or, if A's values are used, behind each target. It needs no second orientation of
 * the block. */
#ifndef GRID_PUSH_MESSAGES_H
#define GRID_PUSH_MESSAGES_H
#include "dist/comm/comm_buffers.h"
#include "dist/product/dist_product.h"

typedef struct {
  grid_product *p;
  bool from_rows;           /* vertices are rows and targets columns; else the other way */
  const uint64_t *left_out; /* bits: targets that are not sent; or NULL */
  const grid_input *in;     /* the vertices' positions on their axis, and values */
  uint64_t n;               /* how many there are; 0 where the block is empty */
  size_t
      head; /* bytes before each segment for the counts it is sent with (dist/comm/comm_buffers.h); 0: none */
  bool prefetched; /* received with the counts, before the product began: grid_prefetched */
} grid_push_messages;

/* The largest product that is sent. */
enum { GRID_PUSH_MAX_VALUE = 16 };
typedef struct {
  _Alignas(GRID_PUSH_MAX_VALUE) char z[GRID_PUSH_MAX_VALUE];
} grid_push_value;

/* Are products of values sent, not positions, nor targets alone? */
static inline bool grid_push_sends_values(const grid_product *p) {
  return !p->values.structural && p->s->mul->f;
}

/* The position of the k-th vertex. */
static inline uint64_t grid_push_vector(const grid_push_messages *d, uint64_t k) {
  return d->in->list ? d->in->list[k] : k;
}
/* z = the product of the k-th vertex's value and entry e of its vector. */
void grid_push_multiply(const grid_push_messages *d, uint64_t k, uint64_t e, grid_push_value *z);

/* The set of the owners of targets. */
static inline grid_set grid_push_owner_set(bool from_rows) {
  return from_rows ? GRID_SET_COL : GRID_SET_ROW;
}

/* Sends the targets of other owners, and receives those of this one. info: the outcome so far, which is sent
 * with the messages. Collective over the set. */
GrB_Info grid_push_messages_exchange(const grid_push_messages *d, GrB_Info info, grid_received *got);
/* Only writes the segments, behind heads of d->head bytes. Local. */
GrB_Info grid_push_write(const grid_push_messages *d);
/* The targets of vector v that this process owns: entries [*from, *to); entry e is index
 * grid_push_local_target(d, e) of its chunk. */
void grid_push_local_range(const grid_push_messages *d, uint64_t v, uint64_t *from, uint64_t *to);
uint64_t grid_push_local_target(const grid_push_messages *d, uint64_t e);
/* The global index of vector v's vertex. */
uint64_t grid_push_message_vertex(const grid_push_messages *d, uint64_t v);

/* Reads the targets received from processes [next, last) of the set: target r, an index of this process's
 * chunk, of vertex u (0 if no numbers are sent), with the product value. */
typedef struct {
  const grid_push_messages *d;
  const grid_received *got;
  int next, last; /* rank of the next segment's sender; the end of the ranks */
  const uint8_t *at, *end;
  uint64_t low; /* first vertex of the sender */
  bool open;    /* more targets of u may follow */
  uint64_t r, u;
  grid_push_value value;
} grid_push_reader;
static inline grid_push_reader grid_push_reader_begin(const grid_push_messages *d, const grid_received *got,
                                                      int first, int last) {
  return (grid_push_reader){.d = d, .got = got, .next = first, .last = last};
}
bool grid_push_reader_next(grid_push_reader *t);
#endif
