/* What the element-wise operations of vec_ewise.c and vec_ewise_lists.c share. */
#ifndef GRID_VEC_EWISE_H
#define GRID_VEC_EWISE_H
#include "spmat/cpu/vector/vec_cpu.h"

/* An operand, and where a loop over words is in it. */
typedef struct {
  const grid_chunk *c;
  grid_cursor set;
  uint64_t word; /* the word read last */
  size_t size;
  grid_copier unpaired; /* its value where the other operand has none ... */
  /* ... or, instead, op of it and the other operand's default */
  grid_binary *with_default;
  const void *other;
  bool first; /* it is op's first operand */
} grid_ewise_operand;

typedef struct {
  grid_chunk *t;
  grid_ewise_operand u, v;
  grid_binary op;
  bool add;
} grid_ewise;

static inline void grid_ewise_unpaired_value(const grid_ewise_operand *o, char *z, const char *x) {
  if (!o->with_default)
    grid_copy_value(&o->unpaired, z, x);
  else
    grid_binary_apply(o->with_default, z, o->first ? x : o->other, o->first ? o->other : x);
}

/* At the bits of s, from the word of values x. */
static inline void grid_ewise_unpaired_bits(const grid_ewise_operand *o, char *z, const char *x, uint64_t s) {
  if (!s) return;
  if (!o->with_default)
    grid_copy_bits(&o->unpaired, z, x, !o->c->iso, s);
  else if (o->first)
    grid_binary_bits(o->with_default, z, x, !o->c->iso, o->other, 0, s);
  else
    grid_binary_bits(o->with_default, z, o->other, 0, x, !o->c->iso, s);
}

/* t of two lists: their union; their intersection, where they are of similar length. */
void grid_ewise_unite_lists(const grid_ewise *e);
void grid_ewise_match_lists(const grid_ewise *e);
/* t of a list and an operand of any form, or of a list and a full one: the intersection. */
void grid_ewise_intersect_list(const grid_ewise *e);
void grid_ewise_intersect_full(const grid_ewise *e);
#endif
