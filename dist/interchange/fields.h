/* The fields of objects, which GrB_get and GrB_set read and write (specification 3.7, 4.2.1). */
#ifndef GRID_FIELDS_H
#define GRID_FIELDS_H
#include "dist/matrix/matrix.h"

/* Kinds of objects, one bit each. */
enum {
  GRID_ON_Type = 1,
  GRID_ON_UnaryOp = 2,
  GRID_ON_BinaryOp = 4,
  GRID_ON_IndexUnaryOp = 8,
  GRID_ON_Monoid = 16,
  GRID_ON_Semiring = 32,
  GRID_ON_Descriptor = 64,
  GRID_ON_Scalar = 128,
  GRID_ON_Vector = 256,
  GRID_ON_Matrix = 512,
  GRID_ON_Global = 1024
};

/* An object whose field is read or written. */
typedef struct {
  unsigned kind; /* one bit */
  void *object;  /* its first member is a grid_head */
  const char *call;
} grid_subject;

typedef struct grid_field grid_field;
/* Getters: a number for an INT32 or SIZE field, a text owned by the object for a string field;
 * GrB_NO_VALUE: this object has no value. */
typedef GrB_Info (*grid_real_get)(const grid_subject *s, const grid_field *f, double *value);
typedef GrB_Info (*grid_number_get)(const grid_subject *s, const grid_field *f, int64_t *value);
typedef GrB_Info (*grid_text_get)(const grid_subject *s, const grid_field *f, const char **value);
/* Setters check the value; NULL: the field is read only. */
typedef GrB_Info (*grid_real_set)(const grid_subject *s, const grid_field *f, double value);
typedef GrB_Info (*grid_number_set)(const grid_subject *s, const grid_field *f, int32_t value);
typedef GrB_Info (*grid_text_set)(const grid_subject *s, const grid_field *f, const char *value);

struct grid_field {
  int field;
  const char *name;
  unsigned on; /* kinds of objects that have it */
  bool size;   /* the number is a size_t; else an int32_t */
  grid_number_get number;
  grid_number_set set_number;
  grid_text_get text;
  grid_text_set set_text;
  int which;          /* argument of the functions: which type, version, ... */
  grid_real_get real; /* a double, which only forms with a scalar give and take */
  grid_real_set set_real;
};

/* The field's row; NULL, with the error in *info, if the object has no such field. */
const grid_field *grid_field_find(const grid_subject *s, int field, GrB_Info *info);
#endif
