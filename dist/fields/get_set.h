/* What the calls of get_set.c and options.c do, for any kind of object. */
#ifndef GRID_GET_SET_H
#define GRID_GET_SET_H
#include "dist/fields/fields.h"

/* The field, or NULL with the error in *info. get is local: all processes hold the same fields. set is
 * collective for collections. */
const grid_field *grid_get_start(const grid_subject *s, const void *value, int field, GrB_Info *info);
const grid_field *grid_set_start(const grid_subject *s, const void *value, int field, GrB_Info *info);

GrB_Info grid_get_number(const grid_subject *s, int32_t *value, int field);
GrB_Info grid_get_bytes(const grid_subject *s, void *value, int field);
/* Of a field of int32_t or of double. */
GrB_Info grid_set_number(const grid_subject *s, double value, int field);
GrB_Info grid_set_text(const grid_subject *s, const char *value, int field);
GrB_Info grid_set_bytes(const grid_subject *s, const void *value, int field, size_t size);
#endif
