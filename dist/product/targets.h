/* Vertices of a block tell the owners of what they meet: first their own number, where that counts, then
 * their targets by the distances between them, then 0: a byte or two a target where they have many. No second
 * orientation of the block is wanted for it. */
#ifndef GRID_TARGETS_H
#define GRID_TARGETS_H
#include "dist/grid/share.h"
#include "dist/product/product.h"

typedef struct {
  grid_product *p;
  bool from_rows;           /* rows tell, of the columns they meet; else the other way */
  const uint64_t *left_out; /* bits: targets that are not told; or NULL */
  const uint32_t *list;     /* who tells, compact indices; NULL: all below n */
  uint64_t n;
  size_t head; /* of each piece, that numbers are written into (dist/grid/share.h); 0: they go alone */
  bool came;   /* with numbers, before the product began: grid_arrived */
} grid_telling;

/* The owners of targets, and who they are in the set. */
static inline grid_set grid_targets_set(bool from_rows) {
  return from_rows ? GRID_SET_COL : GRID_SET_ROW;
}

/* Tells all but the own targets, and gets what others tell. info: the outcome so far. Collective over the
 * set; a failure is carried along. */
GrB_Info grid_targets_tell(const grid_telling *d, GrB_Info info, grid_received *got);
/* Writes the pieces alone, behind heads of d->head bytes. Local. */
GrB_Info grid_targets_write(const grid_telling *d);
/* Vector k's own targets: entries [*from, *to), of which entry e is own vertex grid_own_target(d, e). */
void grid_own_targets(const grid_telling *d, uint64_t k, uint64_t *from, uint64_t *to);
uint64_t grid_own_target(const grid_telling *d, uint64_t e);
/* The number of vector k's vertex in the whole. */
uint64_t grid_telling_vertex(const grid_telling *d, uint64_t k);

/* Visits what came: target r of this process, vertex u (of products that are structural 0). */
typedef struct {
  const grid_telling *d;
  const grid_received *got;
  int next; /* member whose piece comes next */
  const uint8_t *at, *end;
  uint64_t low; /* of the vertices of the process that is read */
  bool open;    /* inside a vertex's targets */
  uint64_t r, u;
} grid_targets;
static inline grid_targets grid_targets_begin(const grid_telling *d, const grid_received *got) {
  return (grid_targets){.d = d, .got = got};
}
bool grid_targets_next(grid_targets *t);
#endif
