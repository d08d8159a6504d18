/* Descriptors: predefined ones from the table, and user-created ones. */
#include "semiring/descriptor.h"

#include "gridblas_gxb_objects.h"
#include "semiring/builtin.h"

#define OBJECT(NAME, r, s, c, t0, t1)                                        \
  static struct GrB_Descriptor_opaque desc_##NAME = {                        \
      GRID_BUILTIN(GRID_IS_DESCRIPTOR, "GrB_DESC_" #NAME), r, c, s, t0, t1}; \
  GrB_Descriptor GrB_DESC_##NAME = &desc_##NAME;
GRID_DESCRIPTORS(OBJECT)

GrB_Info GrB_Descriptor_new(GrB_Descriptor *desc) {
  const char *call = "GrB_Descriptor_new";
  GrB_Info info = grid_semiring_check_init(call);
  if (info != GrB_SUCCESS) return info;
  if (desc == NULL) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument desc is NULL", call);
  GrB_Descriptor d = grid_calloc(1, sizeof *d);
  if (d == NULL) return grid_fail_memory(NULL, call, 1, sizeof *d);
  d->head = (grid_head)GRID_NEW_HEAD(GRID_IS_DESCRIPTOR);
  *desc = d;
  return GrB_SUCCESS;
}

/* Sets one flag from a value that is the default or `on`. */
static bool set_switch(bool *b, int32_t value, GrB_Desc_Value on) {
  if (value != GrB_DEFAULT && value != (int32_t)on) return false;
  *b = value == (int32_t)on;
  return true;
}

/* Mask values accumulate, as in the specification's table of descriptor values; the default clears both
 * flags. */
static bool set_mask(GrB_Descriptor d, int32_t value) {
  switch (value) {
    case GrB_DEFAULT:
      d->complement = d->structure = false;
      return true;
    case GrB_COMP:
      d->complement = true;
      return true;
    case GrB_STRUCTURE:
      d->structure = true;
      return true;
    case GrB_COMP_STRUCTURE:
      d->complement = d->structure = true;
      return true;
    default:
      return false;
  }
}

GrB_Info grid_descriptor_set(GrB_Descriptor desc, GrB_Desc_Field field, int32_t value, const char *call) {
  if (desc->head.builtin)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: argument desc is predefined and cannot be changed", call);
  const char *name;
  bool good;
  switch (field) {
    case GrB_OUTP:
      name = "GrB_OUTP", good = set_switch(&desc->replace, value, GrB_REPLACE);
      break;
    case GrB_MASK:
      name = "GrB_MASK", good = set_mask(desc, value);
      break;
    case GrB_INP0:
      name = "GrB_INP0", good = set_switch(&desc->tran0, value, GrB_TRAN);
      break;
    default:
      name = "GrB_INP1", good = set_switch(&desc->tran1, value, GrB_TRAN);
  }
  if (!good)
    return grid_fail(&desc->head, GrB_INVALID_VALUE,
                     "%s: argument value is %d, which is not valid for field %s", call, (int)value, name);
  return GrB_SUCCESS;
}

GrB_Info grid_descriptor_set_option(GrB_Descriptor desc, int option, int32_t value, const char *name,
                                    const char *call) {
  bool good = true;
  if (desc->head.builtin)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: argument desc is predefined and cannot be changed", call);
  switch (option) {
    case GRID_AXB_METHOD:
      good = value == GxB_DEFAULT || value == GxB_AxB_GUSTAVSON || value == GxB_AxB_DOT ||
             value == GxB_AxB_HASH || value == GxB_AxB_SAXPY;
      break;
    case GRID_SORT:
      value = value != 0;
      break;
    case GRID_IMPORT:
      value = value == GxB_FAST_IMPORT ? GxB_FAST_IMPORT : GxB_SECURE_IMPORT;
      break;
    case GRID_DESC_ROWINDEX_LIST:
    case GRID_DESC_COLINDEX_LIST:
    case GRID_DESC_VALUE_LIST:
      good = value == GxB_USE_VALUES || value == GxB_USE_INDICES ||
             (value == GxB_IS_STRIDE && option != GRID_DESC_VALUE_LIST); /* values are no stride */
  }
  if (!good)
    return grid_fail(&desc->head, GrB_INVALID_VALUE,
                     "%s: argument value is %d, which is not valid for field %s", call, (int)value, name);
  desc->option[option] = value;
  return GrB_SUCCESS;
}

GrB_Desc_Value grid_descriptor_value(GrB_Descriptor desc, GrB_Desc_Field field) {
  switch (field) {
    case GrB_OUTP:
      return desc->replace ? GrB_REPLACE : GrB_DEFAULT;
    case GrB_MASK:
      return (GrB_Desc_Value)((desc->complement ? GrB_COMP : 0) | (desc->structure ? GrB_STRUCTURE : 0));
    case GrB_INP0:
      return desc->tran0 ? GrB_TRAN : GrB_DEFAULT;
    default:
      return desc->tran1 ? GrB_TRAN : GrB_DEFAULT;
  }
}

GrB_Info grid_desc_get(GrB_Descriptor desc, const char *call, grid_desc *d) {
  *d = (grid_desc){false, false, false, false, false};
  if (desc == NULL) return GrB_SUCCESS;
  GrB_Info info = grid_check_argument(desc, call, "desc");
  if (info != GrB_SUCCESS) return info;
  *d = (grid_desc){desc->replace, desc->complement, desc->structure, desc->tran0, desc->tran1};
  return GrB_SUCCESS;
}
