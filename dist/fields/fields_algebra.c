/* SuiteSparse's fields of types, operators, monoids and semirings (gridblas_gxb_objects.h). */
#include <ctype.h>
#include <string.h>

#include "dist/fields/fields.h"
#include "semiring/user_text.h"
#include "semiring/support/no_value.h"
#include "semiring/threads/thread_texts.h"

/* ---- names and texts in C ---- */

/* Where an operator has its name and text. */
typedef struct {
  const char **name, **text;
} texts;

static texts find_texts(const grid_subject *s) {
  void *o = s->object;
  switch (s->kind) {
    case GRID_ON_UnaryOp:
      return (texts){&((GrB_UnaryOp)o)->name, &((GrB_UnaryOp)o)->text};
    case GRID_ON_BinaryOp:
      return (texts){&((GrB_BinaryOp)o)->name, &((GrB_BinaryOp)o)->text};
    case GRID_ON_IndexUnaryOp:
      return (texts){&((GrB_IndexUnaryOp)o)->name, &((GrB_IndexUnaryOp)o)->text};
    default:
      return (texts){&((GxB_IndexBinaryOp)o)->name, &((GxB_IndexBinaryOp)o)->text};
  }
}

/* "plus" of "GrB_PLUS_FP64". */
static const char *short_name(const char *name) {
  char *text = grid_thread_texts_get()->short_name;
  const char *from = strchr(name, '_'), *last = strrchr(name, '_');
  size_t n = 0;
  from = from ? from + 1 : name;
  const size_t length = last > from ? (size_t)(last - from) : strlen(from);
  for (; n < length && n + 1 < GxB_MAX_NAME_LEN; n++) text[n] = (char)tolower((unsigned char)from[n]);
  text[n] = 0;
  return text;
}

static GrB_Info get_c_name(const grid_subject *s, const grid_field *f, const char **value) {
  const GrB_Type type = s->object;
  (void)f;
  if (s->kind == GRID_ON_Type)
    *value = type->code != GRID_T_UDT ? grid_type_c_name(type) : type->named ? type->name : "";
  else if (GRID_HEAD(s)->builtin)
    *value = short_name(GRID_HEAD(s)->name);
  else
    *value = *find_texts(s).name == grid_no_name ? "" : *find_texts(s).name;
  return GrB_SUCCESS;
}

static GrB_Info get_definition(const grid_subject *s, const grid_field *f, const char **value) {
  const char *text = s->kind == GRID_ON_Type ? ((GrB_Type)s->object)->text : *find_texts(s).text;
  (void)f;
  *value = text ? text : "";
  return GrB_SUCCESS;
}

static GrB_Info check_set_once(const grid_subject *s, const grid_field *f, const char *have) {
  if (GRID_HEAD(s)->builtin)
    return grid_fail(GRID_HEAD(s), GrB_INVALID_VALUE, "%s: field %s of a predefined object is read only",
                     s->call, f->name);
  if (*have)
    return grid_fail(GRID_HEAD(s), GrB_ALREADY_SET, "%s: field %s is \"%.60s\" already, and may be set once",
                     s->call, f->name, have);
  return GrB_SUCCESS;
}

/* A copy that lives as long as the object. */
static GrB_Info copy_text(const grid_subject *s, const char *value, const char **to) {
  char *copy = grid_head_alloc(GRID_HEAD(s), strlen(value) + 1);
  if (!copy) return grid_fail_memory(GRID_HEAD(s), s->call, strlen(value) + 1, 1);
  strcpy(copy, value);
  *to = copy;
  return GrB_SUCCESS;
}

static GrB_Info set_c_name(const grid_subject *s, const grid_field *f, const char *value) {
  const GrB_Type type = s->object;
  const char *have = "";
  GrB_Info info = get_c_name(s, f, &have);
  if (info == GrB_SUCCESS) info = check_set_once(s, f, have);
  if (info != GrB_SUCCESS || !*value) return info;
  /* kernels use a name with a text; one that is not an identifier must not get there */
  info = grid_user_text_check(&(grid_user_text){value, value}, s->call);
  if (info != GrB_SUCCESS) return info;
  if (s->kind != GRID_ON_Type) return copy_text(s, value, find_texts(s).name);
  strcpy(type->name, value);
  type->named = true;
  return GrB_SUCCESS;
}

static GrB_Info set_definition(const grid_subject *s, const grid_field *f, const char *value) {
  const char *have = "", *name = "";
  GrB_Info info = get_definition(s, f, &have);
  if (info == GrB_SUCCESS) info = check_set_once(s, f, have);
  if (info == GrB_SUCCESS) info = get_c_name(s, f, &name);
  if (info != GrB_SUCCESS || !*value) return info;
  if (!*name)
    return grid_fail(GRID_HEAD(s), GrB_INVALID_VALUE, "%s: field GxB_JIT_C_NAME must be set before %s",
                     s->call, f->name);
  info = grid_user_text_check(&(grid_user_text){name, value}, s->call);
  if (info != GrB_SUCCESS) return info;
  if (s->kind == GRID_ON_UnaryOp) ((GrB_UnaryOp)s->object)->text_settings = grid_text_settings;
  if (s->kind == GRID_ON_BinaryOp) ((GrB_BinaryOp)s->object)->text_settings = grid_text_settings;
  return copy_text(s, value, s->kind == GRID_ON_Type ? &((GrB_Type)s->object)->text : find_texts(s).text);
}

/* ---- monoids and semirings ---- */

static const struct GrB_Monoid_opaque *monoid_of(const grid_subject *s) {
  return s->kind == GRID_ON_Semiring ? ((GrB_Semiring)s->object)->add : s->object;
}

static GrB_Info get_identity(const grid_subject *s, const grid_field *f, const void **value, GrB_Type *type) {
  const struct GrB_Monoid_opaque *m = monoid_of(s);
  *value = f->field == GxB_MONOID_TERMINAL ? m->terminal : m->identity;
  *type = m->op->z;
  return GrB_SUCCESS;
}

static GrB_Info get_part(const grid_subject *s, const grid_field *f, const void **value, size_t *bytes) {
  const GrB_Semiring semiring = s->object;
  *bytes = sizeof(void *);
  *value = f->field == GxB_MONOID_OPERATOR   ? (const void *)&monoid_of(s)->op
           : f->field == GxB_SEMIRING_MONOID ? (const void *)&semiring->add
                                             : (const void *)&semiring->mul;
  return GrB_SUCCESS;
}

/* ---- theta ---- */

/* The value that a binary operator is bound to, if it is an index-binary one, and its type. */
static GrB_Type theta_type(const grid_subject *s, const void **theta) {
  const void *o = s->object;
  const struct GrB_BinaryOp_opaque *op = NULL;
  *theta = NULL;
  if (s->kind == GRID_ON_IndexBinaryOp) return ((const struct GxB_IndexBinaryOp_opaque *)o)->theta;
  if (s->kind == GRID_ON_BinaryOp) op = o;
  if (s->kind == GRID_ON_Semiring) op = ((const struct GrB_Semiring_opaque *)o)->mul;
  if (!op || !op->index || !op->index->theta_type) return NULL;
  *theta = op->index->theta;
  return op->index->theta_type;
}

static GrB_Info get_theta_code(const grid_subject *s, const grid_field *f, int64_t *value) {
  const void *theta;
  const GrB_Type t = theta_type(s, &theta);
  (void)f;
  if (!t) return grid_no_value();
  *value = grid_type_code(t);
  return GrB_SUCCESS;
}

static GrB_Info get_theta_name(const grid_subject *s, const grid_field *f, const char **value) {
  const void *theta;
  const GrB_Type t = theta_type(s, &theta);
  (void)f;
  if (!t) return grid_no_value();
  *value = t->head.name ? t->head.name : "";
  return GrB_SUCCESS;
}

static GrB_Info get_theta(const grid_subject *s, const grid_field *f, const void **value, GrB_Type *type) {
  const GrB_Type t = theta_type(s, value);
  (void)f;
  if (!t || !*value) return grid_no_value();
  *type = t;
  return GrB_SUCCESS;
}

/* ---- the table ---- */

enum { NAMED = GRID_ON_Type | GRID_ON_OPERATORS, MONOIDS = GRID_ON_Monoid | GRID_ON_Semiring };

const grid_field grid_algebra_fields[] = {
    GRID_TEXT(GxB_JIT_C_NAME, NAMED, 0, get_c_name, set_c_name),
    GRID_TEXT(GxB_JIT_C_DEFINITION, NAMED, 0, get_definition, set_definition),
    GRID_VALUE(GxB_MONOID_IDENTITY, MONOIDS, 0, get_identity),
    GRID_VALUE(GxB_MONOID_TERMINAL, MONOIDS, 0, get_identity),
    GRID_BYTES(GxB_MONOID_OPERATOR, MONOIDS, 0, get_part, NULL),
    GRID_BYTES(GxB_SEMIRING_MONOID, GRID_ON_Semiring, 0, get_part, NULL),
    GRID_BYTES(GxB_SEMIRING_MULTIPLY, GRID_ON_Semiring, 0, get_part, NULL),
    GRID_NUMBER(GxB_THETA_TYPE_CODE, GRID_ON_ALGEBRA, 0, get_theta_code, NULL),
    GRID_TEXT(GxB_THETA_TYPE_STRING, GRID_ON_ALGEBRA, 0, get_theta_name, NULL),
    GRID_VALUE(GxB_THETA, GRID_ON_BinaryOp, 0, get_theta),
    GRID_FIELDS_END};
