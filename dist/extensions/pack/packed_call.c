/* See packed_call.h. */
#include "dist/extensions/pack/packed_call.h"

static GrB_Info check(grid_head *head, const grid_packed_pointers *at, unsigned has, bool sizes,
                      GrB_Descriptor desc, const char *call) {
  const struct {
    const void *place, *size;
    const char *name;
    bool is_needed;
  } need[] = {{at->p, at->p_size, "p", has & GRID_HAS_P},
              {at->h, at->h_size, "h", has & GRID_HAS_H},
              {at->i, at->i_size, "i", has & GRID_HAS_I},
              {at->b, at->b_size, "b", has & GRID_HAS_B},
              {at->x, at->x_size, "x", true}};
  for (size_t k = 0; k < sizeof need / sizeof *need; k++)
    if (need[k].is_needed && (!need[k].place || (sizes && !need[k].size)))
      return grid_fail(head, GrB_NULL_POINTER, "%s: the pointer to %s%s is NULL", call, need[k].name,
                       need[k].place ? "'s size" : "");
  if (sizes && (((has & GRID_HAS_H) && !at->nvec) || ((has & GRID_HAS_NVALS) && !at->nvals)))
    return grid_fail(head, GrB_NULL_POINTER, "%s: argument %s is NULL", call,
                     has & GRID_HAS_H ? "nvec" : "nvals");
  if (!desc) return GrB_SUCCESS;
  return grid_check_object(desc, head, call, "desc");
}

GrB_Info grid_packed_check(grid_head *head, const grid_packed_pointers *at, unsigned has, bool sizes,
                           GrB_Descriptor desc, const char *call) {
  return grid_agree(head, check(head, at, has, sizes, desc, call));
}

void grid_packed_take(grid_packed *a, const grid_packed_pointers *at, GrB_Descriptor desc) {
  a->p = at->p ? *at->p : NULL;
  a->h = at->h ? *at->h : NULL;
  a->i = at->i ? *at->i : NULL;
  a->b = at->b ? *at->b : NULL;
  a->x = *at->x;
  a->strict = desc && desc->option[GRID_IMPORT] == GxB_SECURE_IMPORT;
}

#define RELEASE(array)        \
  if (array) {                \
    grid_user_free(*(array)); \
    *(array) = NULL;          \
  }

void grid_packed_release(const grid_packed_pointers *at) {
  RELEASE(at->p)
  RELEASE(at->h)
  RELEASE(at->i)
  RELEASE(at->b)
  RELEASE(at->x)
}

#define GIVE(NAME) \
  if (at->NAME) *at->NAME = a->NAME;

void grid_packed_give(const grid_packed_pointers *at, const grid_packed *a) {
  GIVE(p)
  GIVE(h)
  GIVE(i)
  GIVE(b)
  GIVE(x)
  GIVE(p_size)
  GIVE(h_size)
  GIVE(i_size)
  GIVE(b_size)
  GIVE(x_size)
  GIVE(nvec)
  GIVE(nvals)
  GIVE(iso)
  if (at->jumbled) *at->jumbled = false;
}
