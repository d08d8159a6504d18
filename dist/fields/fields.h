/* The fields of objects, which GrB_get and GrB_set read and write (specification 3.7, 4.2.1). */
#ifndef GRID_FIELDS_H
#define GRID_FIELDS_H
#include "dist/matrix/matrix.h"
#include "gridblas_gxb_objects.h"

/* Kinds of objects, one bit each. */
enum {
  GRID_ON_Type = 1 << GRID_IS_TYPE,
  GRID_ON_UnaryOp = 1 << GRID_IS_UNARY_OP,
  GRID_ON_BinaryOp = 1 << GRID_IS_BINARY_OP,
  GRID_ON_IndexUnaryOp = 1 << GRID_IS_INDEX_UNARY_OP,
  GRID_ON_Monoid = 1 << GRID_IS_MONOID,
  GRID_ON_Semiring = 1 << GRID_IS_SEMIRING,
  GRID_ON_Descriptor = 1 << GRID_IS_DESCRIPTOR,
  GRID_ON_Scalar = 1 << GRID_IS_SCALAR,
  GRID_ON_Vector = 1 << GRID_IS_VECTOR,
  GRID_ON_Matrix = 1 << GRID_IS_MATRIX,
  GRID_ON_Global = 1 << GRID_IS_GLOBAL,
  GRID_ON_Context = 1 << GRID_IS_CONTEXT,
  GRID_ON_IndexBinaryOp = 1 << GRID_IS_INDEX_BINARY_OP,
  GRID_ON_COLLECTIONS = GRID_ON_Scalar | GRID_ON_Vector | GRID_ON_Matrix,
  GRID_ON_OPERATORS = GRID_ON_UnaryOp | GRID_ON_BinaryOp | GRID_ON_IndexUnaryOp | GRID_ON_IndexBinaryOp,
  GRID_ON_ALGEBRA = GRID_ON_OPERATORS | GRID_ON_Monoid | GRID_ON_Semiring,
  GRID_ON_ALL = GRID_ON_Type | GRID_ON_ALGEBRA | GRID_ON_Descriptor | GRID_ON_COLLECTIONS | GRID_ON_Global |
                GRID_ON_Context
};

/* An object whose field is read or written. */
typedef struct {
  unsigned kind; /* one bit */
  void *object;  /* its first member is a grid_head */
  const char *call;
} grid_subject;
#define GRID_HEAD(s) ((grid_head *)(s)->object)

typedef struct grid_field grid_field;
/* Getters. GrB_NO_VALUE: this object has no value. */
typedef GrB_Info (*grid_number_get)(const grid_subject *s, const grid_field *f, int64_t *value);
typedef GrB_Info (*grid_real_get)(const grid_subject *s, const grid_field *f, double *value);
/* A text that lives as long as the object, or until the thread's next such call. */
typedef GrB_Info (*grid_text_get)(const grid_subject *s, const grid_field *f, const char **value);
/* A value of *type; *value NULL: there is none. */
typedef GrB_Info (*grid_value_get)(const grid_subject *s, const grid_field *f, const void **value,
                                   GrB_Type *type);
typedef GrB_Info (*grid_bytes_get)(const grid_subject *s, const grid_field *f, const void **value,
                                   size_t *bytes);
/* Setters check the value; NULL: the field is read only. */
typedef GrB_Info (*grid_number_set)(const grid_subject *s, const grid_field *f, int32_t value);
typedef GrB_Info (*grid_real_set)(const grid_subject *s, const grid_field *f, double value);
typedef GrB_Info (*grid_text_set)(const grid_subject *s, const grid_field *f, const char *value);
typedef GrB_Info (*grid_bytes_set)(const grid_subject *s, const grid_field *f, const void *value,
                                   size_t bytes);

typedef enum {
  GRID_FIELD_NUMBER, /* an int32_t */
  GRID_FIELD_SIZE,   /* a size_t */
  GRID_FIELD_REAL,   /* a double */
  GRID_FIELD_TEXT,
  GRID_FIELD_VALUE, /* of any type, got into a GrB_Scalar */
  GRID_FIELD_BYTES  /* an array, a handle, a function's address: VOID */
} grid_field_kind;

struct grid_field {
  int field;
  const char *name;
  unsigned on; /* kinds of objects that have it */
  grid_field_kind kind;
  union {
    grid_number_get number; /* also of a GRID_FIELD_SIZE */
    grid_real_get real;
    grid_text_get text;
    grid_value_get value;
    grid_bytes_get bytes;
  } get;
  union {
    grid_number_set number;
    grid_real_set real;
    grid_text_set text;
    grid_bytes_set bytes;
  } set;
  int which; /* argument of the functions: which type, version, ... */
};

/* Rows of tables of fields. */
#define GRID_NUMBER(FIELD, ON, WHICH, GET, SET) \
  { FIELD, #FIELD, ON, GRID_FIELD_NUMBER, {.number = (GET)}, {.number = (SET)}, WHICH }
#define GRID_SIZE(FIELD, ON, WHICH, GET) \
  { FIELD, #FIELD, ON, GRID_FIELD_SIZE, {.number = (GET)}, {.number = NULL}, WHICH }
#define GRID_REAL(FIELD, ON, WHICH, GET, SET) \
  { FIELD, #FIELD, ON, GRID_FIELD_REAL, {.real = (GET)}, {.real = (SET)}, WHICH }
#define GRID_TEXT(FIELD, ON, WHICH, GET, SET) \
  { FIELD, #FIELD, ON, GRID_FIELD_TEXT, {.text = (GET)}, {.text = (SET)}, WHICH }
#define GRID_VALUE(FIELD, ON, WHICH, GET) \
  { FIELD, #FIELD, ON, GRID_FIELD_VALUE, {.value = (GET)}, {.number = NULL}, WHICH }
#define GRID_BYTES(FIELD, ON, WHICH, GET, SET) \
  { FIELD, #FIELD, ON, GRID_FIELD_BYTES, {.bytes = (GET)}, {.bytes = (SET)}, WHICH }
#define GRID_FIELDS_END \
  { 0, NULL, 0, GRID_FIELD_NUMBER, {.number = NULL}, {.number = NULL}, 0 }

/* The tables beside that of fields.c; each ends with GRID_FIELDS_END. */
extern const grid_field grid_collection_fields[]; /* fields_collection.c */
extern const grid_field grid_algebra_fields[];    /* fields_algebra.c */
extern const grid_field grid_global_fields[];     /* fields_global.c */
extern const grid_field grid_jit_fields[];        /* fields_jit.c */

/* The field's row; NULL, with the error in *info, if the object has no such field. */
const grid_field *grid_field_find(const grid_subject *s, int field, GrB_Info *info);

/* Getter of numbers that are `which`. */
GrB_Info grid_get_constant(const grid_subject *s, const grid_field *f, int64_t *value);
/* The type of an operand of an operator, monoid or semiring; of a collection; of a type. NULL: none. */
enum { GRID_ELEMENT, GRID_INPUT_0, GRID_INPUT_1, GRID_OUTPUT };
GrB_Type grid_type_of_operand(const grid_subject *s, int operand);
#endif
