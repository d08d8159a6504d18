/* The GraphBLAS C API 2.1. "Section" means a section of the GraphBLAS C API Specification 2.1. A page that
 * begins with docs/ is one of gridblas's source folder.
 *
 * Notation: w<m> (+)= t is the specification's "mask and accumulate" (section 2.3). With an accumulator, t is
 * merged into w by it; without one t takes w's place. Where the mask m does not allow an index, w keeps its
 * entry, or loses it with GrB_REPLACE. mask, accum and desc may be NULL (no mask; no accumulator; all
 * defaults). The descriptor's GrB_MASK value says whether the mask counts by value or by structure,
 * complemented or not. Outputs may be the same objects as inputs.
 *
 * Collective: every process of the grid makes the same calls with the same arguments, and gets the same
 * answers, as with MPI collectives. Types, operators, monoids, semirings and descriptors are made by each
 * process for itself, without messages.
 *
 * Errors that every function can return and that are not repeated below: GrB_PANIC (the library is not
 * initialised, or a message failed), GrB_NULL_POINTER (a needed argument is NULL), GrB_UNINITIALIZED_OBJECT
 * (an argument is not a live object), GrB_OUT_OF_MEMORY. An error on one process of a collective call is
 * returned by every process. The outputs of a failed call keep their old value. GrB_error says which argument
 * was wrong and how; Grid_last_error (gridblas.h) does so too where there is no object to ask. */
#ifndef GRAPHBLAS_H
#define GRAPHBLAS_H
/* For code that expects GraphBLAS.h to include these. GRIDBLAS_WITHOUT_MATH: not math.h, which takes
 * about 15 % of the time to compile this file. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#ifndef GRIDBLAS_WITHOUT_MATH
#include <math.h>
#endif
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* GRIDBLAS_PREFIXED_NAMES: link names then begin with grid_ (grid_GrB_mxm), those of libgridblas_prefixed,
 * for a program that also links another GraphBLAS library. */
#ifdef GRIDBLAS_PREFIXED_NAMES
#include "gridblas_names.h"
#endif
#include "gridblas_table.h"

#ifdef __cplusplus
extern "C" {
#endif
/* The names below are those of the shared library. */
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* ---- constants --------------------------------------------------------------------------------------- */

#define GRB_VERSION    2
#define GRB_SUBVERSION 1

/* Index of a row, column or entry; dimensions are 0 .. GrB_INDEX_MAX + 1 (section 3.2). The specification has
 * dimensions from 1 on; 0 is allowed here as in SuiteSparse:GraphBLAS. Such an object has no positions and no
 * valid index. Operations compute with it as with any other. */
typedef uint64_t GrB_Index;
#define GrB_INDEX_MAX      ((GrB_Index)((UINT64_C(1) << 60) - 1))
#define GrB_NULL           NULL
#define GrB_INVALID_HANDLE NULL

/* What a call returns (section 3.8). */
typedef enum {
  GrB_SUCCESS = 0,
  GrB_NO_VALUE = 1,
  GrB_UNINITIALIZED_OBJECT = -1,
  GrB_NULL_POINTER = -2,
  GrB_INVALID_VALUE = -3,
  GrB_INVALID_INDEX = -4,
  GrB_DOMAIN_MISMATCH = -5,
  GrB_DIMENSION_MISMATCH = -6,
  GrB_OUTPUT_NOT_EMPTY = -7,
  GrB_NOT_IMPLEMENTED = -8,
  GrB_ALREADY_SET = -9,
  GrB_PANIC = -101,
  GrB_OUT_OF_MEMORY = -102,
  GrB_INSUFFICIENT_SPACE = -103,
  GrB_INVALID_OBJECT = -104,
  GrB_INDEX_OUT_OF_BOUNDS = -105,
  GrB_EMPTY_OBJECT = -106,
  GxB_EXHAUSTED = 7089 /* an iterator is past its last entry (gridblas_gxb_data.h) */
} GrB_Info;

typedef enum { GrB_NONBLOCKING = 0, GrB_BLOCKING = 1 } GrB_Mode;
typedef enum { GrB_COMPLETE = 0, GrB_MATERIALIZE = 1 } GrB_WaitMode;

/* Fields and values of a descriptor (section 3.6, 4.2.6). */
typedef enum { GrB_OUTP = 0, GrB_MASK = 1, GrB_INP0 = 2, GrB_INP1 = 3 } GrB_Desc_Field;
typedef enum {
  GrB_DEFAULT = 0,
  GrB_REPLACE = 1,       /* GrB_OUTP */
  GrB_COMP = 2,          /* GrB_MASK */
  GrB_TRAN = 3,          /* GrB_INP0, GrB_INP1 */
  GrB_STRUCTURE = 4,     /* GrB_MASK */
  GrB_COMP_STRUCTURE = 6 /* GrB_MASK: both */
} GrB_Desc_Value;

/* Fields and values for GrB_set and GrB_get (section 3.7), each with the objects that have it and the kind
 * of its value. Collections are scalars, vectors and matrices; algebraic objects are operators, monoids
 * and semirings. */
typedef enum {
  GrB_OUTP_FIELD = 0, /* descriptors: INT32, a GrB_Desc_Value; may be set */
  GrB_MASK_FIELD = 1,
  GrB_INP0_FIELD = 2,
  GrB_INP1_FIELD = 3,
  GrB_NAME = 10,              /* all: string; may be set where the object is not predefined */
  GrB_LIBRARY_VER_MAJOR = 11, /* GrB_GLOBAL: INT32 */
  GrB_LIBRARY_VER_MINOR = 12,
  GrB_LIBRARY_VER_PATCH = 13,
  GrB_API_VER_MAJOR = 14,
  GrB_API_VER_MINOR = 15,
  GrB_API_VER_PATCH = 16,
  GrB_BLOCKING_MODE = 17,             /* GrB_GLOBAL: INT32, a GrB_Mode */
  GrB_STORAGE_ORIENTATION_HINT = 100, /* collections, GrB_GLOBAL: INT32, a GrB_Orientation; may be set */
  GrB_EL_TYPE_CODE = 102,             /* collections, types: INT32, a GrB_Type_Code */
  GrB_INP0_TYPE_CODE = 103,           /* algebraic: INT32, a GrB_Type_Code */
  GrB_INP1_TYPE_CODE = 104,
  GrB_OUTP_TYPE_CODE = 105,
  GrB_EL_TYPE_STRING = 106,   /* collections, types: string */
  GrB_INP0_TYPE_STRING = 107, /* algebraic: string */
  GrB_INP1_TYPE_STRING = 108,
  GrB_OUTP_TYPE_STRING = 109,
  GrB_SIZE = 110 /* types: SIZE, the bytes of one value */
} GrB_Field;
typedef enum { GrB_ROWMAJOR = 0, GrB_COLMAJOR = 1, GrB_BOTH = 2, GrB_UNKNOWN = 3 } GrB_Orientation;
/* Formats of the arrays for import and export (section 3.5.3). */
typedef enum { GrB_CSR_FORMAT = 0, GrB_CSC_FORMAT = 1, GrB_COO_FORMAT = 2 } GrB_Format;
typedef enum {
  GrB_UDT_CODE = 0,
  GrB_BOOL_CODE = 1,
  GrB_INT8_CODE = 2,
  GrB_UINT8_CODE = 3,
  GrB_INT16_CODE = 4,
  GrB_UINT16_CODE = 5,
  GrB_INT32_CODE = 6,
  GrB_UINT32_CODE = 7,
  GrB_INT64_CODE = 8,
  GrB_UINT64_CODE = 9,
  GrB_FP32_CODE = 10,
  GrB_FP64_CODE = 11
} GrB_Type_Code;

/* ---- opaque objects ---------------------------------------------------------------------------------- */

typedef struct GrB_Type_opaque *GrB_Type;
typedef struct GrB_UnaryOp_opaque *GrB_UnaryOp;
typedef struct GrB_BinaryOp_opaque *GrB_BinaryOp;
typedef struct GrB_IndexUnaryOp_opaque *GrB_IndexUnaryOp;
typedef struct GrB_Monoid_opaque *GrB_Monoid;
typedef struct GrB_Semiring_opaque *GrB_Semiring;
typedef struct GrB_Descriptor_opaque *GrB_Descriptor;
typedef struct GrB_Scalar_opaque *GrB_Scalar;
typedef struct GrB_Vector_opaque *GrB_Vector;
typedef struct GrB_Matrix_opaque *GrB_Matrix;
typedef struct GrB_Global_opaque *GrB_Global;

/* All indices of a dimension, in place of an array of indices (section 3.2). */
extern const GrB_Index *GrB_ALL;
/* The library itself, for GrB_get and GrB_set. */
extern const GrB_Global GrB_GLOBAL;

/* Predefined objects: one per row of gridblas_table.h. Freeing one has no effect.
 *   types      GrB_BOOL, GrB_INT8, ... GrB_FP64
 *   operators  GrB_PLUS_FP64, GrB_LOR, GrB_ABS_INT8, GrB_VALUEGT_FP32, ... and Grid_ANY_FP64, ... (any one of
 *   two values)
 *   monoids    GrB_PLUS_MONOID_FP64, ... Grid_ANY_MONOID_FP64, ...
 *   semirings  GrB_PLUS_TIMES_SEMIRING_FP64, ... Grid_ANY_SECONDI_SEMIRING_INT64, ...
 *   descriptors GrB_DESC_RSC, ...: R replace, S structural mask, C complemented mask, T0/T1 transposed inputs
 *   */
#define GRID_DECLARE_TYPE(T, C)                            extern GrB_Type GrB_##T;
#define GRID_DECLARE_UNARY(P, NAME, OP, T, Z, E)           extern GrB_UnaryOp P##_##NAME;
#define GRID_DECLARE_BINARY(P, NAME, OP, T, Z, UX, UY, E)  extern GrB_BinaryOp P##_##NAME;
#define GRID_DECLARE_INDEX(P, NAME, OP, T, Y, Z, UX, E)    extern GrB_IndexUnaryOp P##_##NAME;
#define GRID_DECLARE_MONOID(P, OP, T, ID, TERM, HAS, IDEM) extern GrB_Monoid P##_##OP##_MONOID_##T;
#define GRID_DECLARE_SEMIRING_GRB(ADD, MUL, T)             extern GrB_Semiring GrB_##ADD##_##MUL##_SEMIRING_##T;
#define GRID_DECLARE_SEMIRING_GRID(ADD, MUL, T)            extern GrB_Semiring Grid_##ADD##_##MUL##_SEMIRING_##T;
#define GRID_DECLARE_DESCRIPTOR(NAME, r, s, c, t0, t1)     extern GrB_Descriptor GrB_DESC_##NAME;
GRID_TYPES(GRID_DECLARE_TYPE)
GRID_UNARY_OPS(GRID_DECLARE_UNARY)
GRID_BINARY_OPS(GRID_DECLARE_BINARY)
GRID_INDEX_OPS(GRID_DECLARE_INDEX)
GRID_MONOIDS(GRID_DECLARE_MONOID)
GRID_SEMIRINGS_GRB(GRID_DECLARE_SEMIRING_GRB)
GRID_SEMIRINGS_GRID(GRID_DECLARE_SEMIRING_GRID)
GRID_DESCRIPTORS(GRID_DECLARE_DESCRIPTOR)

/* In what follows, T stands for each of BOOL, INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64, FP32,
 * FP64 and C for its C type. A form named _UDT takes a pointer to a value of a user-defined type in its
 * place. The forms are declared by macros, one family each. */

/* ---- the library (section 4.1) ----------------------------------------------------------------------- */

/* Initialises the library. Under an MPI launcher it initialises MPI if the program has not, and uses all
 * processes as a grid with few columns (see Grid_init). Else it runs on this process alone. With Grid_init
 * (gridblas.h) the caller chooses. Errors: GrB_INVALID_VALUE (mode, or the library is already initialised).
 * Collective. */
GrB_Info GrB_init(GrB_Mode mode);
/* Finalises the library, which may be initialised again. MPI, if GrB_init initialised it, is finalised at
 * exit. Remaining objects are no longer valid. A second call does nothing. Collective. */
GrB_Info GrB_finalize(void);
/* *version = 2, *subversion = 1: the version of the specification. Works before GrB_init. Local. */
GrB_Info GrB_getVersion(unsigned int *version, unsigned int *subversion);

/* ---- free, wait, error for every kind of object (section 4.2.7 to 4.2.9) ----------------------------- */

/* GrB_K_free(&object) frees the object and sets it to GrB_INVALID_HANDLE; a NULL handle and a predefined
 * object do not change.
 * GrB_K_wait(object, mode) completes pending work. For a matrix GrB_COMPLETE merges changed elements.
 * GrB_MATERIALIZE also prepares it for products if that is expected to pay. It does for a matrix known to be
 * symmetric, one with a delegate split, and any on the device. Otherwise the first product prepares it.
 * Collective for a matrix. Error: GrB_INVALID_VALUE (mode).
 * GrB_K_error(&text, object): *text explains the last error recorded on this object, usually a call's output
 * ("" if there was none). An error found before the output was known to be a live object is in
 * Grid_last_error only. The text belongs to the object and is valid until the next call with it. Local. */
#define GRID_DECLARE_LIFE(K)                                  \
  GrB_Info GrB_##K##_free(GrB_##K *object);                   \
  GrB_Info GrB_##K##_wait(GrB_##K object, GrB_WaitMode mode); \
  GrB_Info GrB_##K##_error(const char **text, const GrB_##K object);
GRID_DECLARE_LIFE(Type)
GRID_DECLARE_LIFE(UnaryOp)
GRID_DECLARE_LIFE(BinaryOp)
GRID_DECLARE_LIFE(IndexUnaryOp)
GRID_DECLARE_LIFE(Monoid)
GRID_DECLARE_LIFE(Semiring)
GRID_DECLARE_LIFE(Descriptor)
GRID_DECLARE_LIFE(Scalar)
GRID_DECLARE_LIFE(Vector)
GRID_DECLARE_LIFE(Matrix)

/* ---- get and set: fields of every kind of object (section 3.7, 4.2.1) -------------------------------- */

/* GrB_K_get_F(object, &value, field): value = the field (GrB_Field, or one of gridblas.h). F is the kind of
 * value the field has: INT32, SIZE (a size_t), String (into an array that is long enough), or VOID, which no
 * field has. A number is also given into a GrB_Scalar of any predefined type; of a string SIZE gives the
 * bytes it takes, its end included. GrB_K_set_F(object, value, field) sets it; VOID comes with its size.
 *   GrB_NAME   predefined objects: their identifier, as "GrB_PLUS_FP64"; others "" until it is set, types and
 *              algebraic objects once, collections and descriptors as often as one likes
 *   *_TYPE_*   of an operand that the operator ignores: GrB_NO_VALUE (a unary operator's second, an
 *              entry of an index-unary operator that works on indices alone). A semiring gives its
 *              multiplication's operands. A type's string is its GrB_NAME.
 *   GrB_STORAGE_ORIENTATION_HINT is stored and returned; a new matrix has GrB_GLOBAL's. The library stores
 *              rows, and columns if an operation needs them, whatever the hint.
 *   GrB_MASK_FIELD  collects, as GrB_Descriptor_set does
 * Errors: GrB_INVALID_VALUE (no such field on this kind of object; another kind of value; a value that the
 * field cannot have; read only), GrB_ALREADY_SET, GrB_EMPTY_OBJECT (an empty scalar to set),
 * GrB_DOMAIN_MISMATCH (a scalar of a user-defined type). get is local; set is collective for collections,
 * else each process sets its own. */
#define GRID_DECLARE_FIELDS(K)                                                      \
  GrB_Info GrB_##K##_get_Scalar(const GrB_##K object, GrB_Scalar value, int field); \
  GrB_Info GrB_##K##_get_String(const GrB_##K object, char *value, int field);      \
  GrB_Info GrB_##K##_get_INT32(const GrB_##K object, int32_t *value, int field);    \
  GrB_Info GrB_##K##_get_SIZE(const GrB_##K object, size_t *value, int field);      \
  GrB_Info GrB_##K##_get_VOID(const GrB_##K object, void *value, int field);        \
  GrB_Info GrB_##K##_set_Scalar(GrB_##K object, GrB_Scalar value, int field);       \
  GrB_Info GrB_##K##_set_String(GrB_##K object, const char *value, int field);      \
  GrB_Info GrB_##K##_set_INT32(GrB_##K object, int32_t value, int field);           \
  GrB_Info GrB_##K##_set_VOID(GrB_##K object, const void *value, int field, size_t size);
GRID_DECLARE_FIELDS(Type)
GRID_DECLARE_FIELDS(UnaryOp)
GRID_DECLARE_FIELDS(BinaryOp)
GRID_DECLARE_FIELDS(IndexUnaryOp)
GRID_DECLARE_FIELDS(Monoid)
GRID_DECLARE_FIELDS(Semiring)
GRID_DECLARE_FIELDS(Descriptor)
GRID_DECLARE_FIELDS(Scalar)
GRID_DECLARE_FIELDS(Vector)
GRID_DECLARE_FIELDS(Matrix)
GRID_DECLARE_FIELDS(Global)

/* ---- algebra (section 4.2.2) ------------------------------------------------------------------------- */

/* *type becomes a new user-defined type of `size` bytes, copied by memcpy, also between processes: without
 * pointers. Errors: GrB_NULL_POINTER, GrB_INVALID_VALUE (size is 0), GrB_OUT_OF_MEMORY. Local. */
GrB_Info GrB_Type_new(GrB_Type *type, size_t size);

/* *op becomes the operator z = f(x): f(&z, &x) with z and x of the types given. f must be safe to call from
 * several threads. */
GrB_Info GrB_UnaryOp_new(GrB_UnaryOp *op, void (*f)(void *, const void *), GrB_Type ztype, GrB_Type xtype);
/* *op becomes the operator z = f(x, y): f(&z, &x, &y). z may be the same place as x or y. */
GrB_Info GrB_BinaryOp_new(GrB_BinaryOp *op, void (*f)(void *, const void *, const void *), GrB_Type ztype,
                          GrB_Type xtype, GrB_Type ytype);
/* *op becomes the operator z = f(x, i, j, y), called as f(&z, &x, i, j, &y) for an entry x in row i and
 * column j (0 for a vector) and a scalar y. */
GrB_Info GrB_IndexUnaryOp_new(GrB_IndexUnaryOp *op,
                              void (*f)(void *, const void *, GrB_Index, GrB_Index, const void *),
                              GrB_Type ztype, GrB_Type xtype, GrB_Type ytype);

/* GrB_Monoid_new_T(&monoid, op, identity): op must be associative and commutative with three equal types, T
 * for the form _T, and f(x, identity) = x. For a predefined op that has a predefined monoid the identity is
 * that monoid's, whatever is given. Errors: GrB_DOMAIN_MISMATCH (types). */
#define GRID_DECLARE_MONOID_NEW(T, C) \
  GrB_Info GrB_Monoid_new_##T(GrB_Monoid *monoid, GrB_BinaryOp op, C identity);
GRID_TYPES(GRID_DECLARE_MONOID_NEW)
GrB_Info GrB_Monoid_new_UDT(GrB_Monoid *monoid, GrB_BinaryOp op, const void *identity);

/* *semiring becomes (add, mul); mul's result type must be add's type, else GrB_DOMAIN_MISMATCH. The parts are
 * borrowed: free them after the semiring only. */
GrB_Info GrB_Semiring_new(GrB_Semiring *semiring, GrB_Monoid add, GrB_BinaryOp mul);

/* *desc becomes a descriptor with all defaults; GrB_Descriptor_set changes one field, which may be a number
 * of GxB_Option_Field, too. GrB_MASK collects: GrB_COMP and GrB_STRUCTURE add up, GrB_DEFAULT clears.
 * Errors: GrB_INVALID_VALUE (field, value, or a predefined descriptor). */
GrB_Info GrB_Descriptor_new(GrB_Descriptor *desc);
GrB_Info GrB_Descriptor_set(GrB_Descriptor desc, GrB_Desc_Field field, GrB_Desc_Value value);

/* ---- scalars (section 4.2.3) ------------------------------------------------------------------------- */

/* *s becomes an empty scalar of the type / a copy of t. */
GrB_Info GrB_Scalar_new(GrB_Scalar *s, GrB_Type type);
GrB_Info GrB_Scalar_dup(GrB_Scalar *s, const GrB_Scalar t);
/* s loses its value. */
GrB_Info GrB_Scalar_clear(GrB_Scalar s);
/* *nvals = 1 if s has a value, else 0. */
GrB_Info GrB_Scalar_nvals(GrB_Index *nvals, const GrB_Scalar s);
/* GrB_Scalar_setElement_T(s, x): s = x. GrB_Scalar_extractElement_T(&x, s): x = s, or GrB_NO_VALUE and x
 * untouched if s is empty. Errors: GrB_DOMAIN_MISMATCH. */
#define GRID_DECLARE_SCALAR(T, C)                        \
  GrB_Info GrB_Scalar_setElement_##T(GrB_Scalar s, C x); \
  GrB_Info GrB_Scalar_extractElement_##T(C *x, const GrB_Scalar s);
GRID_TYPES(GRID_DECLARE_SCALAR)
GrB_Info GrB_Scalar_setElement_UDT(GrB_Scalar s, const void *x);
GrB_Info GrB_Scalar_extractElement_UDT(void *x, const GrB_Scalar s);

/* ---- vectors (section 4.2.4) ------------------------------------------------------------------------- */

/* *v becomes an empty vector of size n, n <= GrB_INDEX_MAX + 1, else GrB_INVALID_VALUE / a copy
 * of u. Collective. */
GrB_Info GrB_Vector_new(GrB_Vector *v, GrB_Type type, GrB_Index n);
GrB_Info GrB_Vector_dup(GrB_Vector *v, const GrB_Vector u);
/* Removes all entries. Collective. */
GrB_Info GrB_Vector_clear(GrB_Vector v);
/* Size, which is local, and number of entries, which is collective. */
GrB_Info GrB_Vector_size(GrB_Index *n, const GrB_Vector v);
GrB_Info GrB_Vector_nvals(GrB_Index *nvals, const GrB_Vector v);
/* Changes the size; entries beyond it are removed. Error: GrB_INVALID_VALUE (n). Collective. */
GrB_Info GrB_Vector_resize(GrB_Vector v, GrB_Index n);
/* Removes entry i if it is there. Error: GrB_INVALID_INDEX. Collective. */
GrB_Info GrB_Vector_removeElement(GrB_Vector w, GrB_Index i);

/* GrB_Vector_build_T(w, indices, values, nvals, dup): w(indices[k]) = values[k], from the same arrays on
 * every process. w must be empty. Entries with the same index are combined by dup in their order; dup ==
 * NULL: they are an error. dup must have three equal types. Errors: GrB_OUTPUT_NOT_EMPTY,
 * GrB_INDEX_OUT_OF_BOUNDS, GrB_INVALID_VALUE (duplicates), GrB_DOMAIN_MISMATCH. Collective.
 * GrB_Vector_setElement_T(w, x, i): w(i) = x. GrB_Vector_extractElement_T(&x, v, i): x = v(i), or
 * GrB_NO_VALUE and x untouched. Errors: GrB_INVALID_INDEX, GrB_DOMAIN_MISMATCH. Collective.
 * GrB_Vector_extractTuples_T(indices, values, &nvals, v): all entries, ascending, on every process; indices
 * or values may be NULL. nvals: in, capacity of the arrays; out, entries. Errors: GrB_INSUFFICIENT_SPACE,
 * GrB_DOMAIN_MISMATCH. Collective. */
#define GRID_DECLARE_VECTOR(T, C)                                                                         \
  GrB_Info GrB_Vector_build_##T(GrB_Vector w, const GrB_Index *indices, const C *values, GrB_Index nvals, \
                                const GrB_BinaryOp dup);                                                  \
  GrB_Info GrB_Vector_setElement_##T(GrB_Vector w, C x, GrB_Index i);                                     \
  GrB_Info GrB_Vector_extractElement_##T(C *x, const GrB_Vector v, GrB_Index i);                          \
  GrB_Info GrB_Vector_extractTuples_##T(GrB_Index *indices, C *values, GrB_Index *nvals, const GrB_Vector v);
GRID_TYPES(GRID_DECLARE_VECTOR)
GrB_Info GrB_Vector_build_UDT(GrB_Vector w, const GrB_Index *indices, const void *values, GrB_Index nvals,
                              const GrB_BinaryOp dup);
GrB_Info GrB_Vector_setElement_UDT(GrB_Vector w, const void *x, GrB_Index i);
GrB_Info GrB_Vector_extractElement_UDT(void *x, const GrB_Vector v, GrB_Index i);
GrB_Info GrB_Vector_extractTuples_UDT(GrB_Index *indices, void *values, GrB_Index *nvals, const GrB_Vector v);
/* With a GrB_Scalar: setElement of an empty scalar removes w(i); extractElement of a missing entry empties s
 * and succeeds. */
GrB_Info GrB_Vector_setElement_Scalar(GrB_Vector w, const GrB_Scalar s, GrB_Index i);
GrB_Info GrB_Vector_extractElement_Scalar(GrB_Scalar s, const GrB_Vector v, GrB_Index i);

/* ---- matrices (section 4.2.5) ------------------------------------------------------------------------ */

/* *A becomes an empty nrows x ncols matrix, dimensions 0 .. GrB_INDEX_MAX + 1, else GrB_INVALID_VALUE / *C a
 * copy of A. Collective. */
GrB_Info GrB_Matrix_new(GrB_Matrix *A, GrB_Type type, GrB_Index nrows, GrB_Index ncols);
GrB_Info GrB_Matrix_dup(GrB_Matrix *C, const GrB_Matrix A);
/* Removes all entries. Collective. */
GrB_Info GrB_Matrix_clear(GrB_Matrix A);
/* Dimensions, which are local, and number of entries, which is collective. */
GrB_Info GrB_Matrix_nrows(GrB_Index *nrows, const GrB_Matrix A);
GrB_Info GrB_Matrix_ncols(GrB_Index *ncols, const GrB_Matrix A);
GrB_Info GrB_Matrix_nvals(GrB_Index *nvals, const GrB_Matrix A);
/* Changes the dimensions; entries beyond them are removed. Error: GrB_INVALID_VALUE (dimensions). Collective.
 */
GrB_Info GrB_Matrix_resize(GrB_Matrix C, GrB_Index nrows_new, GrB_Index ncols_new);
/* *C becomes a new square matrix of v's type with v on diagonal k (above the main one if k > 0): of v's size
 * + |k| rows. Error: GrB_INVALID_VALUE (k). Collective. */
GrB_Info GrB_Matrix_diag(GrB_Matrix *C, const GrB_Vector v, int64_t k);
/* Removes entry (i, j) if it is there. Error: GrB_INVALID_INDEX. Collective. */
GrB_Info GrB_Matrix_removeElement(GrB_Matrix C, GrB_Index i, GrB_Index j);

/* As for vectors, with row and column indices. GrB_Matrix_build_T takes the same arrays on every process and
 * sends no entry: each process keeps its own (Grid_Matrix_build takes different ones). setElement and
 * removeElement are noted and merged when the matrix is next used.
 * GrB_Matrix_extractTuples_T gives everything to everyone, in no particular order (Grid_Matrix_extractLocal:
 * each its own). Collective. */
#define GRID_DECLARE_MATRIX(T, C_TYPE)                                                                      \
  GrB_Info GrB_Matrix_build_##T(GrB_Matrix C, const GrB_Index *rows, const GrB_Index *cols,                 \
                                const C_TYPE *values, GrB_Index nvals, const GrB_BinaryOp dup);             \
  GrB_Info GrB_Matrix_setElement_##T(GrB_Matrix C, C_TYPE x, GrB_Index i, GrB_Index j);                     \
  GrB_Info GrB_Matrix_extractElement_##T(C_TYPE *x, const GrB_Matrix A, GrB_Index i, GrB_Index j);          \
  GrB_Info GrB_Matrix_extractTuples_##T(GrB_Index *rows, GrB_Index *cols, C_TYPE *values, GrB_Index *nvals, \
                                        const GrB_Matrix A);
GRID_TYPES(GRID_DECLARE_MATRIX)
GrB_Info GrB_Matrix_build_UDT(GrB_Matrix C, const GrB_Index *rows, const GrB_Index *cols, const void *values,
                              GrB_Index nvals, const GrB_BinaryOp dup);
GrB_Info GrB_Matrix_setElement_UDT(GrB_Matrix C, const void *x, GrB_Index i, GrB_Index j);
GrB_Info GrB_Matrix_extractElement_UDT(void *x, const GrB_Matrix A, GrB_Index i, GrB_Index j);
GrB_Info GrB_Matrix_extractTuples_UDT(GrB_Index *rows, GrB_Index *cols, void *values, GrB_Index *nvals,
                                      const GrB_Matrix A);
GrB_Info GrB_Matrix_setElement_Scalar(GrB_Matrix C, const GrB_Scalar s, GrB_Index i, GrB_Index j);
GrB_Info GrB_Matrix_extractElement_Scalar(GrB_Scalar s, const GrB_Matrix A, GrB_Index i, GrB_Index j);

/* ---- import and export (section 4.2.5, appendix B) --------------------------------------------------- */

/* A matrix in three arrays of a program's:
 *                indptr                                    indices
 *   GrB_CSR_FORMAT  where each row's entries begin, nrows + 1    column of each entry
 *   GrB_CSC_FORMAT  where each column's entries begin, ncols + 1 row of each entry
 *   GrB_COO_FORMAT  row of each entry                            column of each entry
 * with the entries' values beside indices. (Section 4.2.5 has rows in indptr for GrB_COO_FORMAT, as other
 * libraries do; appendix B.3 names columns.) Values have the matrix's own type; nothing is cast.
 *
 * GrB_Matrix_import_T(&A, d, nrows, ncols, indptr, indices, values, n_indptr, n_indices, n_values, format):
 * *A becomes a new matrix of those entries, in any order within their rows or columns. The arrays are the
 * same on every process; lengths may exceed what the format needs. Errors: GrB_NULL_POINTER,
 * GrB_INVALID_VALUE (dimensions; format; indptr too short, or not beginning at 0; a duplicate entry),
 * GrB_INDEX_OUT_OF_BOUNDS (an index outside the matrix, offsets that descend or exceed the arrays),
 * GrB_DOMAIN_MISMATCH (d is not T). Collective.
 * GrB_Matrix_export_T(indptr, indices, values, &n_indptr, &n_indices, &n_values, format, A): all entries, on
 * every process, rows (columns) ascending and ascending in each. The lengths: in, capacities; out, those
 * written. Errors: GrB_INSUFFICIENT_SPACE, GrB_NULL_POINTER, GrB_INVALID_VALUE (format), GrB_DOMAIN_MISMATCH
 * (A's type is not T). Collective. */
#define GRID_DECLARE_EXPORT(T, C)                                                                       \
  GrB_Info GrB_Matrix_import_##T(GrB_Matrix *A, GrB_Type d, GrB_Index nrows, GrB_Index ncols,           \
                                 const GrB_Index *indptr, const GrB_Index *indices, const C *values,    \
                                 GrB_Index n_indptr, GrB_Index n_indices, GrB_Index n_values,           \
                                 GrB_Format format);                                                    \
  GrB_Info GrB_Matrix_export_##T(GrB_Index *indptr, GrB_Index *indices, C *values, GrB_Index *n_indptr, \
                                 GrB_Index *n_indices, GrB_Index *n_values, GrB_Format format,          \
                                 GrB_Matrix A);
GRID_TYPES(GRID_DECLARE_EXPORT)
GRID_DECLARE_EXPORT(UDT, void)
/* GrB_Matrix_exportSize: the lengths that an export in this format needs. Collective.
 * GrB_Matrix_exportHint: a format in which A is exported fast. Local. */
GrB_Info GrB_Matrix_exportSize(GrB_Index *n_indptr, GrB_Index *n_indices, GrB_Index *n_values,
                               GrB_Format format, GrB_Matrix A);
GrB_Info GrB_Matrix_exportHint(GrB_Format *hint, GrB_Matrix A);

/* ---- serialisation (section 4.2.5) -------------------------------------------------------------------- */

/* A matrix as bytes, the same on every process and for every storage format. *size: an upper bound of the
 * bytes of A, exact on one process whose memory holds A. Collective. */
GrB_Info GrB_Matrix_serializeSize(GrB_Index *size, GrB_Matrix A);
/* *serialized_size: in, the capacity of serialized_data; out, the bytes written. Error:
 * GrB_INSUFFICIENT_SPACE. Collective. */
GrB_Info GrB_Matrix_serialize(void *serialized_data, GrB_Index *serialized_size, GrB_Matrix A);
/* *A becomes the matrix with these bytes, the same on every process. Any number of processes may have
 * written them; serialized_size is the size of the buffer, which may be longer. d: the matrix's type, or
 * NULL if that is predefined; for a user-defined type the sizes are compared. Errors: GrB_INVALID_OBJECT
 * (not the bytes of a matrix: every length, offset, index and a checksum are verified, shared by processes,
 * so other values on one may pass), GrB_DOMAIN_MISMATCH (d; NULL for a user-defined type). Collective. */
GrB_Info GrB_Matrix_deserialize(GrB_Matrix *A, GrB_Type d, const void *serialized_data,
                                GrB_Index serialized_size);

/* ---- products (section 4.3.1 to 4.3.3) ---------------------------------------------------------------- */

/* C<mask> accum= A (+).(x) B, A transposed by GrB_INP0 = GrB_TRAN, B by GrB_INP1: C(i,j) = sum over k of
 * A(i,k) (x) B(k,j). After transposition A is m x l, B l x n, C and mask m x n. Products that the mask
 * forbids are not computed. Products of an entry are added in ascending order of k. Collective. Errors:
 * GrB_DIMENSION_MISMATCH, GrB_DOMAIN_MISMATCH (a type cannot be cast to the operator's). */
GrB_Info GrB_mxm(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const GrB_Semiring op,
                 const GrB_Matrix A, const GrB_Matrix B, const GrB_Descriptor desc);

/* w<mask> accum= A (+).(x) u, with A transposed by GrB_INP0 = GrB_TRAN: w(i) = sum over k of A(i,k) (x) u(k).
 * w and mask have A's number of rows, u its number of columns (after transposition). The mask is applied
 * inside the product where that pays: what it forbids is then neither computed nor sent. Collective. Errors:
 * GrB_DIMENSION_MISMATCH, GrB_DOMAIN_MISMATCH (a type cannot be cast to the operator's). */
GrB_Info GrB_mxv(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Semiring op,
                 const GrB_Matrix A, const GrB_Vector u, const GrB_Descriptor desc);
/* w'<mask> accum= u' (+).(x) A, with A transposed by GrB_INP1 = GrB_TRAN: w(j) = sum over k of u(k) (x)
 * A(k,j). w and mask have A's number of columns, u its number of rows. Otherwise as GrB_mxv. */
GrB_Info GrB_vxm(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Semiring op,
                 const GrB_Vector u, const GrB_Matrix A, const GrB_Descriptor desc);

/* ---- element-wise (section 4.3.4, 4.3.5) ------------------------------------------------------------- */

/* w<mask> accum= u (x) v on the entries that both have (eWiseMult), or on the entries that either has, a lone
 * one copied (eWiseAdd). A semiring gives its multiplication for eWiseMult, its addition for eWiseAdd. All of
 * one size. Collective. Errors: GrB_DIMENSION_MISMATCH, GrB_DOMAIN_MISMATCH. */
#define GRID_DECLARE_EWISE(KIND, OP)                                                               \
  GrB_Info GrB_Vector_##KIND##_##OP(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, \
                                    const GrB_##OP op, const GrB_Vector u, const GrB_Vector v,     \
                                    const GrB_Descriptor desc);
GRID_DECLARE_EWISE(eWiseAdd, Semiring)
GRID_DECLARE_EWISE(eWiseAdd, Monoid)
GRID_DECLARE_EWISE(eWiseAdd, BinaryOp)
GRID_DECLARE_EWISE(eWiseMult, Semiring)
GRID_DECLARE_EWISE(eWiseMult, Monoid)
GRID_DECLARE_EWISE(eWiseMult, BinaryOp)
/* C<Mask> accum= A (x) B, the same entry by entry of matrices; A is transposed by GrB_INP0 = GrB_TRAN, B by
 * GrB_INP1. C, Mask, A and B, transposed where that is asked for, have the same dimensions; C may be any of
 * them. Errors as above. Collective. */
#define GRID_DECLARE_MATRIX_EWISE(KIND, OP)                                                        \
  GrB_Info GrB_Matrix_##KIND##_##OP(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum, \
                                    const GrB_##OP op, const GrB_Matrix A, const GrB_Matrix B,     \
                                    const GrB_Descriptor desc);
GRID_DECLARE_MATRIX_EWISE(eWiseAdd, Semiring)
GRID_DECLARE_MATRIX_EWISE(eWiseAdd, Monoid)
GRID_DECLARE_MATRIX_EWISE(eWiseAdd, BinaryOp)
GRID_DECLARE_MATRIX_EWISE(eWiseMult, Semiring)
GRID_DECLARE_MATRIX_EWISE(eWiseMult, Monoid)
GRID_DECLARE_MATRIX_EWISE(eWiseMult, BinaryOp)

/* ---- extract and assign (section 4.3.6, 4.3.7) ------------------------------------------------------- */

/* w<mask> accum= u(indices): w(k) = u(indices[k]), k < ni. indices may be GrB_ALL (ni is ignored then).
 * w and mask have size ni. Errors: GrB_DIMENSION_MISMATCH, GrB_INDEX_OUT_OF_BOUNDS,
 * GrB_DOMAIN_MISMATCH. Collective. */
GrB_Info GrB_Vector_extract(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Vector u,
                            const GrB_Index *indices, GrB_Index ni, const GrB_Descriptor desc);
/* w<mask>(indices) accum= u: w(indices[k]) = u(k), or the scalar for all of them. The mask has w's size and
 * covers all of w: with GrB_REPLACE entries outside the mask go, also those not in indices. An empty
 * GrB_Scalar assigns no entries. No index twice. Errors: GrB_DIMENSION_MISMATCH, GrB_INDEX_OUT_OF_BOUNDS,
 * GrB_DOMAIN_MISMATCH. Collective. */
GrB_Info GrB_Vector_assign(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Vector u,
                           const GrB_Index *indices, GrB_Index ni, const GrB_Descriptor desc);
#define GRID_DECLARE_ASSIGN(T, C)                                                                    \
  GrB_Info GrB_Vector_assign_##T(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, C x, \
                                 const GrB_Index *indices, GrB_Index ni, const GrB_Descriptor desc);
GRID_TYPES(GRID_DECLARE_ASSIGN)
GRID_DECLARE_ASSIGN(UDT, const void *)
GRID_DECLARE_ASSIGN(Scalar, const GrB_Scalar)

/* C<mask> accum= A(I, J), with A transposed by GrB_INP0 = GrB_TRAN: C(k, l) = A(I[k], J[l]) for k < ni, l <
 * nj. I = row_indices and J = col_indices are the same on every process (Grid_Matrix_extract: each its own),
 * in any order, with repeats. Either may be GrB_ALL (ni or nj is ignored then). C and mask are ni x nj.
 * Errors: GrB_DIMENSION_MISMATCH, GrB_INDEX_OUT_OF_BOUNDS, GrB_DOMAIN_MISMATCH. Collective. */
GrB_Info GrB_Matrix_extract(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const GrB_Matrix A,
                            const GrB_Index *row_indices, GrB_Index nrows, const GrB_Index *col_indices,
                            GrB_Index ncols, const GrB_Descriptor desc);
/* C<mask>(I, J) accum= A, with A transposed by GrB_INP0 = GrB_TRAN: C(I[k], J[l]) = A(k, l), or the value for
 * all of them. Without accum entries of C in (I, J) that A lacks go. The mask has C's dimensions and covers
 * all of C: with GrB_REPLACE entries outside the mask go, also those not in (I, J). An empty GrB_Scalar
 * assigns no entries. No index twice in I, nor in J. Errors: GrB_DIMENSION_MISMATCH (A is not ni x nj),
 * GrB_INDEX_OUT_OF_BOUNDS, GrB_DOMAIN_MISMATCH, GrB_OUT_OF_MEMORY (a value at more positions than there is
 * memory for). Collective. */
GrB_Info GrB_Matrix_assign(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const GrB_Matrix A,
                           const GrB_Index *row_indices, GrB_Index nrows, const GrB_Index *col_indices,
                           GrB_Index ncols, const GrB_Descriptor desc);
#define GRID_DECLARE_MATRIX_ASSIGN(T, C_TYPE)                                                             \
  GrB_Info GrB_Matrix_assign_##T(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, C_TYPE x, \
                                 const GrB_Index *row_indices, GrB_Index nrows,                           \
                                 const GrB_Index *col_indices, GrB_Index ncols, const GrB_Descriptor desc);
GRID_TYPES(GRID_DECLARE_MATRIX_ASSIGN)
GRID_DECLARE_MATRIX_ASSIGN(UDT, const void *)
GRID_DECLARE_MATRIX_ASSIGN(Scalar, const GrB_Scalar)

/* w<mask> accum= A(I, j), a column, or with GrB_INP0 = GrB_TRAN a row: w(k) = A(I[k], j); I = row_indices.
 * Errors: as GrB_Vector_extract; GrB_INVALID_INDEX (j). Collective. */
GrB_Info GrB_Col_extract(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Matrix A,
                         const GrB_Index *row_indices, GrB_Index nrows, GrB_Index col_index,
                         const GrB_Descriptor desc);
/* C(i, J)<mask> accum= u', C(I, j)<mask> accum= u: GrB_assign to one row or column of C, which alone changes.
 * The mask has its size, and GrB_REPLACE works on it alone. Errors: as GrB_Vector_assign; GrB_INVALID_INDEX
 * (i, j). Collective. */
GrB_Info GrB_Row_assign(GrB_Matrix C, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Vector u,
                        GrB_Index row_index, const GrB_Index *col_indices, GrB_Index ncols,
                        const GrB_Descriptor desc);
GrB_Info GrB_Col_assign(GrB_Matrix C, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Vector u,
                        const GrB_Index *row_indices, GrB_Index nrows, GrB_Index col_index,
                        const GrB_Descriptor desc);

/* C<mask> accum= the Kronecker product of A and B (section 4.3.12), transposed by GrB_INP0 and GrB_INP1 =
 * GrB_TRAN. C(ia nB + ib, ja mB + jb) = op(A(ia, ja), B(ib, jb)) for B of nB x mB. A semiring gives its
 * multiplication, a monoid its operator. Errors: GrB_DIMENSION_MISMATCH, GrB_DOMAIN_MISMATCH. Collective. */
#define GRID_DECLARE_KRONECKER(OP)                                                                  \
  GrB_Info GrB_Matrix_kronecker_##OP(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, \
                                     const GrB_##OP op, const GrB_Matrix A, const GrB_Matrix B,     \
                                     const GrB_Descriptor desc);
GRID_DECLARE_KRONECKER(Semiring)
GRID_DECLARE_KRONECKER(Monoid)
GRID_DECLARE_KRONECKER(BinaryOp)

/* C<mask> accum= A', or A with GrB_INP0 = GrB_TRAN (section 4.3.11). Errors: GrB_DIMENSION_MISMATCH,
 * GrB_DOMAIN_MISMATCH. Collective. */
GrB_Info GrB_transpose(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const GrB_Matrix A,
                       const GrB_Descriptor desc);

/* ---- apply and select (section 4.3.8, 4.3.9) --------------------------------------------------------- */

/* w<mask> accum= op(u), entry by entry. All of one size. The forms with a value: BinaryOp1st op(x, u),
 * BinaryOp2nd op(u, y), IndexOp op(u(i), i, 0, y). An empty GrB_Scalar gives GrB_EMPTY_OBJECT. Errors:
 * GrB_DIMENSION_MISMATCH, GrB_DOMAIN_MISMATCH. Collective. */
GrB_Info GrB_Vector_apply(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_UnaryOp op,
                          const GrB_Vector u, const GrB_Descriptor desc);
#define GRID_DECLARE_APPLY(T, C)                                                                           \
  GrB_Info GrB_Vector_apply_BinaryOp1st_##T(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, \
                                            const GrB_BinaryOp op, C x, const GrB_Vector u,                \
                                            const GrB_Descriptor desc);                                    \
  GrB_Info GrB_Vector_apply_BinaryOp2nd_##T(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, \
                                            const GrB_BinaryOp op, const GrB_Vector u, C y,                \
                                            const GrB_Descriptor desc);                                    \
  GrB_Info GrB_Vector_apply_IndexOp_##T(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,     \
                                        const GrB_IndexUnaryOp op, const GrB_Vector u, C y,                \
                                        const GrB_Descriptor desc);
GRID_TYPES(GRID_DECLARE_APPLY)
GRID_DECLARE_APPLY(UDT, const void *)
GRID_DECLARE_APPLY(Scalar, const GrB_Scalar)
/* C<Mask> accum= op(A), entry by entry of a matrix. The forms with a value: BinaryOp1st op(x, A), with A
 * transposed by GrB_INP1 = GrB_TRAN; BinaryOp2nd op(A, y); IndexOp op(A(i,j), i, j, y). The two last
 * transpose A by GrB_INP0, as without a value; i and j are then positions in the transpose. C, Mask and A
 * (transposed) have the same dimensions; C may be any of them. Errors as above. Collective. */
GrB_Info GrB_Matrix_apply(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum, const GrB_UnaryOp op,
                          const GrB_Matrix A, const GrB_Descriptor desc);
#define GRID_DECLARE_MATRIX_APPLY(FORM, T)                                                                \
  GrB_Info GrB_Matrix_apply_BinaryOp1st_##FORM(GrB_Matrix C, const GrB_Matrix Mask,                       \
                                               const GrB_BinaryOp accum, const GrB_BinaryOp op, T x,      \
                                               const GrB_Matrix A, const GrB_Descriptor desc);            \
  GrB_Info GrB_Matrix_apply_BinaryOp2nd_##FORM(GrB_Matrix C, const GrB_Matrix Mask,                       \
                                               const GrB_BinaryOp accum, const GrB_BinaryOp op,           \
                                               const GrB_Matrix A, T y, const GrB_Descriptor desc);       \
  GrB_Info GrB_Matrix_apply_IndexOp_##FORM(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum, \
                                           const GrB_IndexUnaryOp op, const GrB_Matrix A, T y,            \
                                           const GrB_Descriptor desc);
GRID_TYPES(GRID_DECLARE_MATRIX_APPLY)
GRID_DECLARE_MATRIX_APPLY(UDT, const void *)
GRID_DECLARE_MATRIX_APPLY(Scalar, const GrB_Scalar)

/* w<mask> accum= the entries u(i) for which op(u(i), i, 0, y) is true. Sizes and errors as apply. Collective.
 * */
#define GRID_DECLARE_SELECT(T, C)                                                               \
  GrB_Info GrB_Vector_select_##T(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, \
                                 const GrB_IndexUnaryOp op, const GrB_Vector u, C y,            \
                                 const GrB_Descriptor desc);
GRID_TYPES(GRID_DECLARE_SELECT)
GRID_DECLARE_SELECT(UDT, const void *)
GRID_DECLARE_SELECT(Scalar, const GrB_Scalar)
/* C<Mask> accum= the entries of A, transposed by GrB_INP0 = GrB_TRAN, for which op(A(i,j), i, j, y) is true.
 * Sizes and errors as apply. Collective. */
#define GRID_DECLARE_MATRIX_SELECT(FORM, T)                                                        \
  GrB_Info GrB_Matrix_select_##FORM(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum, \
                                    const GrB_IndexUnaryOp op, const GrB_Matrix A, T y,            \
                                    const GrB_Descriptor desc);
GRID_TYPES(GRID_DECLARE_MATRIX_SELECT)
GRID_DECLARE_MATRIX_SELECT(UDT, const void *)
GRID_DECLARE_MATRIX_SELECT(Scalar, const GrB_Scalar)

/* ---- reduce (section 4.3.10) ------------------------------------------------------------------------- */

/* GrB_Vector_reduce_T(&x, accum, monoid, u, desc), GrB_Matrix_reduce_T(&x, accum, monoid, A, desc): x accum=
 * sum of all entries; the monoid's identity when there are none. Into a GrB_Scalar: no entries give an empty
 * scalar (an accumulator then leaves it alone). The BinaryOp form takes an associative op without identity.
 * desc is ignored. Errors: GrB_DOMAIN_MISMATCH. Collective. */
#define GRID_DECLARE_REDUCE(T, C)                                                         \
  GrB_Info GrB_Vector_reduce_##T(C *x, const GrB_BinaryOp accum, const GrB_Monoid monoid, \
                                 const GrB_Vector u, const GrB_Descriptor desc);          \
  GrB_Info GrB_Matrix_reduce_##T(C *x, const GrB_BinaryOp accum, const GrB_Monoid monoid, \
                                 const GrB_Matrix A, const GrB_Descriptor desc);
GRID_TYPES(GRID_DECLARE_REDUCE)
GRID_DECLARE_REDUCE(UDT, void)
#define GRID_DECLARE_REDUCE_SCALAR(KIND)                                                                  \
  GrB_Info GrB_##KIND##_reduce_Monoid_Scalar(GrB_Scalar x, const GrB_BinaryOp accum, const GrB_Monoid op, \
                                             const GrB_##KIND u, const GrB_Descriptor desc);              \
  GrB_Info GrB_##KIND##_reduce_BinaryOp_Scalar(GrB_Scalar x, const GrB_BinaryOp accum,                    \
                                               const GrB_BinaryOp op, const GrB_##KIND u,                 \
                                               const GrB_Descriptor desc);
GRID_DECLARE_REDUCE_SCALAR(Vector)
GRID_DECLARE_REDUCE_SCALAR(Matrix)
/* w<mask> accum= row sums of A: w(i) = sum over j of A(i,j), no entry for an empty row; column sums with
 * GrB_INP0 = GrB_TRAN. Errors: GrB_DIMENSION_MISMATCH, GrB_DOMAIN_MISMATCH. Collective. */
GrB_Info GrB_Matrix_reduce_Monoid(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                                  const GrB_Monoid op, const GrB_Matrix A, const GrB_Descriptor desc);
GrB_Info GrB_Matrix_reduce_BinaryOp(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                                    const GrB_BinaryOp op, const GrB_Matrix A, const GrB_Descriptor desc);

/* ---- beyond the standard ------------------------------------------------------------------------------- */

/* Common extensions, under the names that SuiteSparse:GraphBLAS gave them. */

/* Capacity for a name, including the final NUL. */
#define GxB_MAX_NAME_LEN 128
/* type_name, of GxB_MAX_NAME_LEN letters, becomes the name in C of the object's type ("double"; of a
 * user-defined type its GrB_NAME, or "") / *type the type. Local. */
#define GRID_DECLARE_TYPE_OF(K)                                        \
  GrB_Info GxB_##K##_type_name(char *type_name, const GrB_##K object); \
  GrB_Info GxB_##K##_type(GrB_Type *type, const GrB_##K object);
GRID_DECLARE_TYPE_OF(Scalar)
GRID_DECLARE_TYPE_OF(Vector)
GRID_DECLARE_TYPE_OF(Matrix)

/* How much is printed. */
typedef enum {
  GxB_SILENT = 0,          /* nothing: the object is checked */
  GxB_SUMMARY = 1,         /* a one-line description */
  GxB_SHORT = 2,           /* and the first 30 entries, by row and column */
  GxB_COMPLETE = 3,        /* and all entries */
  GxB_SHORT_VERBOSE = 4,   /* as GxB_SHORT, with 15 digits */
  GxB_COMPLETE_VERBOSE = 5 /* as GxB_COMPLETE, with 15 digits */
} GxB_Print_Level;
/* Prints the object to f (NULL: standard output), `name` before it. Every process prints the whole.
 * GxB_print(object, level) and GxB_fprint(object, level, f) take any object, and its expression as the name.
 * Errors: GrB_INVALID_VALUE (f is not writable). Collective for a matrix or vector, where pr may differ
 * between processes; else local. */
#define GRID_DECLARE_PRINT(K) \
  GrB_Info GxB_##K##_fprint(GrB_##K object, const char *name, GxB_Print_Level pr, FILE *f);
GRID_DECLARE_PRINT(Type)
GRID_DECLARE_PRINT(UnaryOp)
GRID_DECLARE_PRINT(BinaryOp)
GRID_DECLARE_PRINT(IndexUnaryOp)
GRID_DECLARE_PRINT(Monoid)
GRID_DECLARE_PRINT(Semiring)
GRID_DECLARE_PRINT(Descriptor)
GRID_DECLARE_PRINT(Scalar)
GRID_DECLARE_PRINT(Vector)
GRID_DECLARE_PRINT(Matrix)

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#else
#include "gridblas_generic.h"
#endif
/* Extensions under the names that SuiteSparse:GraphBLAS gave them. */
#include "gridblas_gxb_operators.h"
#include "gridblas_gxb_objects.h"
#include "gridblas_gxb_operations.h"
#include "gridblas_gxb_data.h"
#endif
