/* SuiteSparse's fields of scalars, vectors, matrices and descriptors: how they are stored here, and hints
 * that are stored and returned (gridblas_gxb_objects.h). */
#include "dist/fields/fields.h"
#include "dist/fields/storage_form.h"
#include "semiring/descriptor.h"

/* ---- how it is stored: this process's share ---- */

static int format_of_chunk(const grid_chunk *c) {
  return c->format == GRID_LIST ? GxB_SPARSE : c->format == GRID_BITMAP ? GxB_BITMAP : GxB_FULL;
}

/* Scalars are full or sparse, as vectors of one element. */
static int status_of(const grid_subject *s) {
  void *o = s->object;
  const GrB_Matrix A = o;
  if (s->kind == GRID_ON_Scalar) return ((GrB_Scalar)o)->present ? GxB_FULL : GxB_SPARSE;
  if (s->kind == GRID_ON_Vector) return format_of_chunk(&((GrB_Vector)o)->chunk);
  return grid_matrix_form(A);
}

static GrB_Info get_status(const grid_subject *s, const grid_field *f, int64_t *value) {
  const int status = status_of(s);
  *value = f->field == GxB_IS_HYPER ? status == GxB_HYPERSPARSE : status;
  return GrB_SUCCESS;
}

/* Bits of an index or offset: of a matrix by rows 32, or 64 where they need it; of a vector 64. */
static GrB_Info get_bits(const grid_subject *s, const grid_field *f, int64_t *value) {
  const GrB_Matrix A = s->object;
  *value = 64;
  if (s->kind != GRID_ON_Matrix) return GrB_SUCCESS;
  if (f->field == GxB_ROWINDEX_INTEGER_BITS) *value = grid_axis_has_ids64(&A->block.row) ? 64 : 32;
  if (f->field == GxB_COLINDEX_INTEGER_BITS) *value = grid_axis_has_ids64(&A->block.col) ? 64 : 32;
  if (f->field == GxB_OFFSET_INTEGER_BITS) *value = A->block.by_row.offsets64 ? 64 : 32;
  return GrB_SUCCESS;
}

static GrB_Info get_will_wait(const grid_subject *s, const grid_field *f, int64_t *value) {
  (void)f;
  *value = 0;
  if (s->kind == GRID_ON_Vector) *value = ((GrB_Vector)s->object)->pending.n > 0;
  if (s->kind == GRID_ON_Matrix) *value = ((GrB_Matrix)s->object)->pending.n > 0;
  return GrB_SUCCESS;
}

static GrB_Info get_iso(const grid_subject *s, const grid_field *f, int64_t *value) {
  const GrB_Matrix A = s->object;
  (void)f;
  *value = 0;
  if (s->kind == GRID_ON_Vector) *value = ((GrB_Vector)s->object)->chunk.iso;
  if (s->kind == GRID_ON_Matrix) *value = A->bitmap.only ? A->bitmap.chunk.iso : A->block.iso;
  return GrB_SUCCESS;
}

static GrB_Info get_c_name(const grid_subject *s, const grid_field *f, const char **value) {
  (void)f;
  *value = grid_type_c_name(grid_type_of_operand(s, GRID_ELEMENT));
  return GrB_SUCCESS;
}

/* ---- hints ---- */

static grid_stored_options *options_of(const grid_subject *s) {
  return s->kind == GRID_ON_Vector ? &((GrB_Vector)s->object)->options
                                   : &((GrB_Matrix)s->object)->hints.options;
}

static double *find_real(const grid_subject *s, const grid_field *f) {
  grid_stored_options *o = options_of(s);
  return f->field == GxB_HYPER_SWITCH ? &o->hyper_switch : &o->bitmap_switch;
}

static GrB_Info get_real(const grid_subject *s, const grid_field *f, double *value) {
  *value = *find_real(s, f);
  return GrB_SUCCESS;
}

static GrB_Info set_real(const grid_subject *s, const grid_field *f, double value) {
  *find_real(s, f) = value;
  return GrB_SUCCESS;
}

static GrB_Info get_sparsity_control(const grid_subject *s, const grid_field *f, int64_t *value) {
  (void)f;
  *value = s->kind == GRID_ON_Scalar ? GxB_AUTO_SPARSITY : options_of(s)->sparsity_control;
  return GrB_SUCCESS;
}

/* The low four bits count, so that a format can be excluded by ~GxB_FULL. */
static GrB_Info set_sparsity_control(const grid_subject *s, const grid_field *f, int32_t value) {
  (void)f;
  options_of(s)->sparsity_control = value & GxB_ANY_SPARSITY ? value & GxB_ANY_SPARSITY : GxB_AUTO_SPARSITY;
  return GrB_SUCCESS;
}

static GrB_Info get_hyper_hash(const grid_subject *s, const grid_field *f, int64_t *value) {
  (void)f;
  *value = s->kind == GRID_ON_Scalar ? 1 : options_of(s)->hyper_hash;
  return GrB_SUCCESS;
}

static GrB_Info set_hyper_hash(const grid_subject *s, const grid_field *f, int32_t value) {
  (void)f;
  options_of(s)->hyper_hash = value != 0;
  return GrB_SUCCESS;
}

/* ---- sizes of integers, of GrB_GLOBAL too ---- */

static int32_t *find_hint(const grid_subject *s, const grid_field *f) {
  grid_stored_options *o = options_of(s);
  return f->field == GxB_ROWINDEX_INTEGER_HINT   ? &o->row_bits
         : f->field == GxB_COLINDEX_INTEGER_HINT ? &o->col_bits
                                                 : &o->offset_bits;
}

static int32_t *find_global_hint(const grid_field *f) {
  return f->field == GxB_ROWINDEX_INTEGER_HINT   ? &grid_global.row_bits
         : f->field == GxB_COLINDEX_INTEGER_HINT ? &grid_global.col_bits
                                                 : &grid_global.offset_bits;
}

static GrB_Info get_hint(const grid_subject *s, const grid_field *f, int64_t *value) {
  *value = s->kind == GRID_ON_Scalar   ? 0
           : s->kind == GRID_ON_Global ? *find_global_hint(f)
                                       : *find_hint(s, f);
  return GrB_SUCCESS;
}

static GrB_Info set_hint(const grid_subject *s, const grid_field *f, int32_t value) {
  if (value != 0 && value != 32 && value != 64)
    return grid_fail(GRID_HEAD(s), GrB_INVALID_VALUE, "%s: argument value is %d; field %s is 0, 32 or 64",
                     s->call, (int)value, f->name);
  *(s->kind == GRID_ON_Global ? find_global_hint(f) : find_hint(s, f)) = value;
  return GrB_SUCCESS;
}

/* ---- GxB_FORMAT: the orientation by another name ---- */

static GrB_Info get_format(const grid_subject *s, const grid_field *f, int64_t *value) {
  GrB_Info info = GrB_SUCCESS;
  const grid_field *orientation = grid_field_find(s, GrB_STORAGE_ORIENTATION_HINT, &info);
  (void)f;
  if (orientation) info = orientation->get.number(s, orientation, value);
  *value = *value == GrB_COLMAJOR ? GxB_BY_COL : GxB_BY_ROW;
  return info;
}

static GrB_Info set_format(const grid_subject *s, const grid_field *f, int32_t value) {
  GrB_Info info = GrB_SUCCESS;
  const grid_field *orientation = grid_field_find(s, GrB_STORAGE_ORIENTATION_HINT, &info);
  if (value != GxB_BY_ROW && value != GxB_BY_COL)
    return grid_fail(GRID_HEAD(s), GrB_INVALID_VALUE,
                     "%s: argument value is %d; field %s is GxB_BY_ROW or GxB_BY_COL", s->call, (int)value,
                     f->name);
  return orientation ? orientation->set.number(s, orientation, value) : info;
}

/* ---- descriptors ---- */

static GrB_Info get_descriptor(const grid_subject *s, const grid_field *f, int64_t *value) {
  const GrB_Descriptor d = s->object;
  *value = d->option[f->which];
  return GrB_SUCCESS;
}

static GrB_Info set_descriptor(const grid_subject *s, const grid_field *f, int32_t value) {
  return grid_descriptor_set_option(s->object, f->which, value, f->name, s->call);
}

/* ---- the table ---- */

enum { VECTORS = GRID_ON_Vector | GRID_ON_Matrix };
#define OPTION(FIELD, WHICH) GRID_NUMBER(FIELD, GRID_ON_Descriptor, WHICH, get_descriptor, set_descriptor)

const grid_field grid_collection_fields[] = {
    GRID_NUMBER(GxB_SPARSITY_STATUS, GRID_ON_COLLECTIONS, 0, get_status, NULL),
    GRID_NUMBER(GxB_IS_HYPER, VECTORS, 0, get_status, NULL),
    GRID_NUMBER(GxB_ROWINDEX_INTEGER_BITS, GRID_ON_COLLECTIONS, 0, get_bits, NULL),
    GRID_NUMBER(GxB_COLINDEX_INTEGER_BITS, GRID_ON_COLLECTIONS, 0, get_bits, NULL),
    GRID_NUMBER(GxB_OFFSET_INTEGER_BITS, GRID_ON_COLLECTIONS, 0, get_bits, NULL),
    GRID_NUMBER(GxB_WILL_WAIT, GRID_ON_COLLECTIONS, 0, get_will_wait, NULL),
    GRID_NUMBER(GxB_IS_READONLY, GRID_ON_COLLECTIONS, 0, grid_get_constant, NULL),
    GRID_NUMBER(GxB_ISO, GRID_ON_COLLECTIONS, 0, get_iso, NULL),
    GRID_TEXT(GxB_JIT_C_NAME, GRID_ON_COLLECTIONS, 0, get_c_name, NULL),
    GRID_REAL(GxB_HYPER_SWITCH, GRID_ON_Matrix, 0, get_real, set_real),
    GRID_REAL(GxB_BITMAP_SWITCH, VECTORS, 0, get_real, set_real),
    GRID_NUMBER(GxB_SPARSITY_CONTROL, VECTORS, 0, get_sparsity_control, set_sparsity_control),
    GRID_NUMBER(GxB_SPARSITY_CONTROL, GRID_ON_Scalar, 0, get_sparsity_control, NULL),
    GRID_NUMBER(GxB_HYPER_HASH, VECTORS, 0, get_hyper_hash, set_hyper_hash),
    GRID_NUMBER(GxB_HYPER_HASH, GRID_ON_Scalar, 0, get_hyper_hash, NULL),
    GRID_NUMBER(GxB_ROWINDEX_INTEGER_HINT, VECTORS | GRID_ON_Global, 0, get_hint, set_hint),
    GRID_NUMBER(GxB_COLINDEX_INTEGER_HINT, VECTORS | GRID_ON_Global, 0, get_hint, set_hint),
    GRID_NUMBER(GxB_OFFSET_INTEGER_HINT, VECTORS | GRID_ON_Global, 0, get_hint, set_hint),
    GRID_NUMBER(GxB_ROWINDEX_INTEGER_HINT, GRID_ON_Scalar, 0, get_hint, NULL),
    GRID_NUMBER(GxB_COLINDEX_INTEGER_HINT, GRID_ON_Scalar, 0, get_hint, NULL),
    GRID_NUMBER(GxB_OFFSET_INTEGER_HINT, GRID_ON_Scalar, 0, get_hint, NULL),
    GRID_NUMBER(GxB_FORMAT, VECTORS | GRID_ON_Global, 0, get_format, set_format),
    GRID_NUMBER(GxB_FORMAT, GRID_ON_Scalar, 0, get_format, NULL),
    OPTION(GxB_AxB_METHOD, GRID_AXB_METHOD),
    OPTION(GxB_SORT, GRID_SORT),
    OPTION(GxB_COMPRESSION, GRID_COMPRESSION),
    OPTION(GxB_IMPORT, GRID_IMPORT),
    OPTION(GxB_ROWINDEX_LIST, GRID_DESC_ROWINDEX_LIST),
    OPTION(GxB_COLINDEX_LIST, GRID_DESC_COLINDEX_LIST),
    OPTION(GxB_VALUE_LIST, GRID_DESC_VALUE_LIST),
    GRID_FIELDS_END};
