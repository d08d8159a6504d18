/* See fields.h. One table says which objects have which field, the kind of its value, and the functions
 * that read and write it. */
#include "dist/fields/fields.h"

#include <stdio.h>
#include <string.h>

#include "dist/outofcore/file/memory_budget.h"
#include "semiring/descriptor.h"
#include "spmat/device/device.h"
#include "semiring/support/no_value.h"

#define HEAD(s) GRID_HEAD(s)

/* ---- types of objects and operands ---- */

/* Operand types of a BinaryOp or an object based on one (a semiring: its multiplication). */
static GrB_Type binary_type(GrB_BinaryOp op, int operand) {
  if (operand == GRID_OUTPUT) return op->z;
  return operand == GRID_INPUT_0 ? op->x : op->y;
}

static GrB_Type unary_type(GrB_UnaryOp op, int operand) {
  return operand == GRID_OUTPUT ? op->z : operand == GRID_INPUT_0 ? op->x : NULL;
}

static GrB_Type index_type(GrB_IndexUnaryOp op, int operand) {
  return operand == GRID_OUTPUT ? op->z : operand == GRID_INPUT_0 ? op->x : op->y;
}

static GrB_Type index_binary_type(GxB_IndexBinaryOp op, int operand) {
  return operand == GRID_OUTPUT ? op->z : operand == GRID_INPUT_0 ? op->x : op->y;
}

GrB_Type grid_type_of_operand(const grid_subject *s, int operand) {
  void *o = s->object;
  switch (s->kind) {
    case GRID_ON_Type:
      return o;
    case GRID_ON_UnaryOp:
      return unary_type(o, operand);
    case GRID_ON_BinaryOp:
      return binary_type(o, operand);
    case GRID_ON_IndexUnaryOp:
      return index_type(o, operand);
    case GRID_ON_IndexBinaryOp:
      return index_binary_type(o, operand);
    case GRID_ON_Monoid:
      return binary_type(((GrB_Monoid)o)->op, operand);
    case GRID_ON_Semiring:
      return binary_type(((GrB_Semiring)o)->mul, operand);
    case GRID_ON_Scalar:
      return ((GrB_Scalar)o)->type;
    case GRID_ON_Vector:
      return ((GrB_Vector)o)->type;
    default:
      return ((GrB_Matrix)o)->type;
  }
}

static GrB_Info get_type_code(const grid_subject *s, const grid_field *f, int64_t *value) {
  const GrB_Type t = grid_type_of_operand(s, f->which);
  if (!t) return grid_no_value();
  *value = grid_type_code(t);
  return GrB_SUCCESS;
}

static GrB_Info get_type_name(const grid_subject *s, const grid_field *f, const char **value) {
  const GrB_Type t = grid_type_of_operand(s, f->which);
  if (!t) return grid_no_value();
  *value = t->head.name ? t->head.name : "";
  return GrB_SUCCESS;
}

static GrB_Info get_size(const grid_subject *s, const grid_field *f, int64_t *value) {
  (void)f;
  *value = (int64_t)((GrB_Type)s->object)->size;
  return GrB_SUCCESS;
}

/* ---- names ---- */

static GrB_Info get_name(const grid_subject *s, const grid_field *f, const char **value) {
  (void)f;
  *value = HEAD(s)->name ? HEAD(s)->name : "";
  return GrB_SUCCESS;
}

/* Each process creates types and operators for itself, collections are collective (specification 3.7.3: a
 * collection's or descriptor's name may change). */
static GrB_Info set_name(const grid_subject *s, const grid_field *f, const char *value) {
  grid_head *h = HEAD(s);
  if (h->builtin)
    return grid_fail(h, GrB_INVALID_VALUE, "%s: field %s of a predefined object is read only", s->call,
                     f->name);
  if (h->name && !(s->kind & (GRID_ON_COLLECTIONS | GRID_ON_Descriptor | GRID_ON_Context)))
    return grid_fail(h, GrB_ALREADY_SET, "%s: field %s is \"%s\" already, and may be set once", s->call,
                     f->name, h->name);
  const size_t bytes = strlen(value) + 1;
  char *copy = bytes > 1 ? grid_malloc(bytes, 1) : NULL;
  GrB_Info info = GrB_SUCCESS;
  if (bytes > 1 && !copy) info = grid_fail_memory(h, "a name", bytes, 1);
  if (s->kind & GRID_ON_COLLECTIONS) info = grid_agree(h, info);
  if (info != GrB_SUCCESS) {
    grid_free(copy);
    return info;
  }
  if (copy) memcpy(copy, value, bytes);
  grid_free((char *)(uintptr_t)h->name);
  h->name = copy;
  return GrB_SUCCESS;
}

/* ---- the library ---- */

GrB_Info grid_get_constant(const grid_subject *s, const grid_field *f, int64_t *value) {
  (void)s;
  *value = f->which;
  return GrB_SUCCESS;
}

static GrB_Info get_mode(const grid_subject *s, const grid_field *f, int64_t *value) {
  (void)s, (void)f;
  *value = grid_ctx.blocking ? GrB_BLOCKING : GrB_NONBLOCKING;
  return GrB_SUCCESS;
}

/* A budget in bytes; 0: not set. The text is valid until the next call. */
static GrB_Info get_budget(const grid_subject *s, const grid_field *f, const char **value) {
  char *text = grid_global.memory_budget;
  const uint64_t bytes = f->which ? grid_device_get_limit() : grid_budget_is_set() ? grid_budget() : 0;
  (void)s;
  text[0] = '\0';
  if (bytes) snprintf(text, sizeof grid_global.memory_budget, "%llu", (unsigned long long)bytes);
  *value = text;
  return GrB_SUCCESS;
}

static GrB_Info set_budget(const grid_subject *s, const grid_field *f, const char *value) {
  uint64_t bytes = 0;
  if (*value && !grid_parse_size(value, &bytes))
    return grid_fail(HEAD(s), GrB_INVALID_VALUE, "%s: field %s is \"%.40s\", not a size such as 4G or 500M",
                     s->call, f->name, value);
  return f->which ? Grid_device_memory_limit(bytes) : Grid_memory_limit(bytes);
}

/* ---- hints ---- */

static int32_t *find_orientation(const grid_subject *s) {
  void *o = s->object;
  switch (s->kind) {
    case GRID_ON_Scalar:
      return &((GrB_Scalar)o)->orientation;
    case GRID_ON_Vector:
      return &((GrB_Vector)o)->orientation;
    case GRID_ON_Matrix:
      return &((GrB_Matrix)o)->hints.orientation;
    default:
      return &grid_global.orientation;
  }
}

static GrB_Info get_orientation(const grid_subject *s, const grid_field *f, int64_t *value) {
  (void)f;
  *value = *find_orientation(s);
  return GrB_SUCCESS;
}

static GrB_Info set_orientation(const grid_subject *s, const grid_field *f, int32_t value) {
  if (value < GrB_ROWMAJOR || value > GrB_UNKNOWN)
    return grid_fail(HEAD(s), GrB_INVALID_VALUE, "%s: argument value is %d, not an orientation for %s",
                     s->call, (int)value, f->name);
  *find_orientation(s) = value;
  return GrB_SUCCESS;
}

static GrB_Info get_delegates(const grid_subject *s, const grid_field *f, int64_t *value) {
  (void)f;
  *value = ((GrB_Matrix)s->object)->hints.delegates;
  return GrB_SUCCESS;
}

static GrB_Info set_delegates(const grid_subject *s, const grid_field *f, int32_t value) {
  GrB_Matrix A = s->object;
  (void)f;
  if (value < Grid_DELEGATES_OFF)
    return grid_fail(&A->head, GrB_INVALID_VALUE, "%s: %d is not a delegate threshold", s->call, (int)value);
  if (value >= 0 && A->nrows != A->ncols)
    return grid_fail(&A->head, GrB_INVALID_VALUE, "%s: only a square matrix has delegates, A is %llu x %llu",
                     s->call, (unsigned long long)A->nrows, (unsigned long long)A->ncols);
  if (value != A->hints.delegates) A->delegates.decided = false;
  A->hints.delegates = value;
  return GrB_SUCCESS;
}

static GrB_Info get_direction(const grid_subject *s, const grid_field *f, int64_t *value) {
  (void)f;
  *value = ((GrB_Matrix)s->object)->hints.direction;
  return GrB_SUCCESS;
}

static GrB_Info set_direction(const grid_subject *s, const grid_field *f, int32_t value) {
  GrB_Matrix A = s->object;
  (void)f;
  if (value < Grid_DIRECTION_AUTO || value > Grid_DIRECTION_PULL)
    return grid_fail(&A->head, GrB_INVALID_VALUE, "%s: %d is no direction", s->call, (int)value);
  A->hints.direction = value;
  return GrB_SUCCESS;
}

/* ---- descriptors ---- */

static GrB_Info get_descriptor(const grid_subject *s, const grid_field *f, int64_t *value) {
  *value = grid_descriptor_value(s->object, (GrB_Desc_Field)f->field);
  return GrB_SUCCESS;
}

static GrB_Info set_descriptor(const grid_subject *s, const grid_field *f, int32_t value) {
  return grid_descriptor_set(s->object, (GrB_Desc_Field)f->field, value, s->call);
}

/* ---- the table ---- */

static const grid_field standard_fields[] = {
    GRID_NUMBER(GrB_OUTP_FIELD, GRID_ON_Descriptor, 0, get_descriptor, set_descriptor),
    GRID_NUMBER(GrB_MASK_FIELD, GRID_ON_Descriptor, 0, get_descriptor, set_descriptor),
    GRID_NUMBER(GrB_INP0_FIELD, GRID_ON_Descriptor, 0, get_descriptor, set_descriptor),
    GRID_NUMBER(GrB_INP1_FIELD, GRID_ON_Descriptor, 0, get_descriptor, set_descriptor),
    GRID_TEXT(GrB_NAME, GRID_ON_ALL, 0, get_name, set_name),
    GRID_NUMBER(GrB_LIBRARY_VER_MAJOR, GRID_ON_Global, GRIDBLAS_VERSION_MAJOR, grid_get_constant, NULL),
    GRID_NUMBER(GrB_LIBRARY_VER_MINOR, GRID_ON_Global, GRIDBLAS_VERSION_MINOR, grid_get_constant, NULL),
    GRID_NUMBER(GrB_LIBRARY_VER_PATCH, GRID_ON_Global, GRIDBLAS_VERSION_PATCH, grid_get_constant, NULL),
    GRID_NUMBER(GrB_API_VER_MAJOR, GRID_ON_Global, GRB_VERSION, grid_get_constant, NULL),
    GRID_NUMBER(GrB_API_VER_MINOR, GRID_ON_Global, GRB_SUBVERSION, grid_get_constant, NULL),
    GRID_NUMBER(GrB_API_VER_PATCH, GRID_ON_Global, 0, grid_get_constant, NULL),
    GRID_NUMBER(GrB_BLOCKING_MODE, GRID_ON_Global, 0, get_mode, NULL),
    GRID_NUMBER(GrB_STORAGE_ORIENTATION_HINT, GRID_ON_COLLECTIONS | GRID_ON_Global, 0, get_orientation,
                set_orientation),
    GRID_NUMBER(GrB_EL_TYPE_CODE, GRID_ON_COLLECTIONS | GRID_ON_Type, GRID_ELEMENT, get_type_code, NULL),
    GRID_NUMBER(GrB_INP0_TYPE_CODE, GRID_ON_ALGEBRA, GRID_INPUT_0, get_type_code, NULL),
    GRID_NUMBER(GrB_INP1_TYPE_CODE, GRID_ON_ALGEBRA, GRID_INPUT_1, get_type_code, NULL),
    GRID_NUMBER(GrB_OUTP_TYPE_CODE, GRID_ON_ALGEBRA, GRID_OUTPUT, get_type_code, NULL),
    GRID_TEXT(GrB_EL_TYPE_STRING, GRID_ON_COLLECTIONS | GRID_ON_Type, GRID_ELEMENT, get_type_name, NULL),
    GRID_TEXT(GrB_INP0_TYPE_STRING, GRID_ON_ALGEBRA, GRID_INPUT_0, get_type_name, NULL),
    GRID_TEXT(GrB_INP1_TYPE_STRING, GRID_ON_ALGEBRA, GRID_INPUT_1, get_type_name, NULL),
    GRID_TEXT(GrB_OUTP_TYPE_STRING, GRID_ON_ALGEBRA, GRID_OUTPUT, get_type_name, NULL),
    GRID_TEXT(Grid_MEMORY, GRID_ON_Global, 0, get_budget, set_budget),
    GRID_TEXT(Grid_DEVICE_MEMORY, GRID_ON_Global, 1, get_budget, set_budget),
    GRID_SIZE(GrB_SIZE, GRID_ON_Type, 0, get_size),
    GRID_NUMBER(Grid_DELEGATES, GRID_ON_Matrix, 0, get_delegates, set_delegates),
    GRID_NUMBER(Grid_DIRECTION, GRID_ON_Matrix, 0, get_direction, set_direction),
    GRID_FIELDS_END};

const grid_field *grid_field_find(const grid_subject *s, int field, GrB_Info *info) {
  static const grid_field *const tables[] = {standard_fields, grid_collection_fields, grid_algebra_fields,
                                             grid_global_fields, grid_jit_fields};
  const char *elsewhere = NULL;
  /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of tables */
  for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
    for (const grid_field *f = tables[k]; f->name; f++) {
      if (f->field != field) continue;
      if (f->on & s->kind) return f;
      elsewhere = f->name;
    }
  *info = grid_fail(HEAD(s), GrB_INVALID_VALUE, "%s: argument field is %d%s%s%s", s->call, field,
                    elsewhere ? ", " : "; there is no such field", elsewhere ? elsewhere : "",
                    elsewhere ? ", which objects of this kind do not have" : "");
  return NULL;
}
