/* Twin programs: this source is compiled twice, against gridblas and against SuiteSparse:GraphBLAS
 * (TWIN_SUITESPARSE). Both make the same random calls from the same seed and write every result as text;
 * compare_outputs.c compares the two texts. */
#ifndef GRID_TWIN_H
#define GRID_TWIN_H
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <GraphBLAS.h>
#include "include/gridblas_table.h"

/* Names that the two libraries spell differently. TWIN_OUR_HEADER: SuiteSparse without its header;
 * gridblas's header declares the standard's names, and this section SuiteSparse's own that are in the
 * operator table. */
#ifdef TWIN_SUITESPARSE
#define TWIN_MUL_FIRST                  FIRST
#define TWIN_MUL_SECOND                 SECOND
#define TWIN_MUL_SECONDI                SECONDI
#define TWIN_MUL_ONEB                   PAIR
#define TWIN_GXB(ADD, MUL, T)           TWIN_GXB2(ADD, MUL, T)
#define TWIN_GXB2(ADD, MUL, T)          GxB_##ADD##_##MUL##_##T
#define TWIN_SEMIRING_Grid(ADD, MUL, T) TWIN_GXB(ADD, TWIN_MUL_##MUL, T)
#define TWIN_MONOID_Grid(OP, T)         GxB_##OP##_##T##_MONOID
#define TWIN_BINARY_Grid(NAME)          GxB_##NAME
#else
#include <gridblas.h>
#define TWIN_SEMIRING_Grid(ADD, MUL, T) Grid_##ADD##_##MUL##_SEMIRING_##T
#define TWIN_MONOID_Grid(OP, T)         Grid_##OP##_MONOID_##T
#define TWIN_BINARY_Grid(NAME)          Grid_##NAME
#endif
#ifdef TWIN_OUR_HEADER
#define X(ADD, MUL, T) extern GrB_Semiring TWIN_SEMIRING_Grid(ADD, MUL, T);
GRID_SEMIRINGS_GRID(X)
#undef X
#define TWIN_DECLARE_GrB(DECLARATION)
#define TWIN_DECLARE_Grid(DECLARATION)   extern DECLARATION;
#define X(P, OP, T, ID, TERM, HAS, IDEM) TWIN_DECLARE_##P(GrB_Monoid TWIN_MONOID_##P(OP, T))
GRID_MONOIDS(X)
#undef X
#define X(P, NAME, OP, T, Z, UX, UY, E) TWIN_DECLARE_##P(GrB_BinaryOp TWIN_BINARY_##P(NAME))
GRID_BINARY_OPS(X)
#undef X
#endif
#define TWIN_MONOID_GrB(OP, T) GrB_##OP##_MONOID_##T
#define TWIN_BINARY_GrB(NAME)  GrB_##NAME

/* Counts the calls of the standard's functions: reach.h (generated from functions.txt) has a macro for each
 * that passes its number to twin_reach. */
void twin_reach(int function);
#include "reach.h"

/* ---- the library under test (twin_library.c) ----------------------------------------------------------- */

bool twin_start(void); /* false, with a message, when the library does not start */
void twin_stop(void);
bool twin_writes(void);                    /* is this the process that writes the output? */
void twin_explain(void);                   /* the last call's error, on standard error */
uint64_t twin_sum(uint64_t x);             /* over all processes */
bool twin_same(uint64_t hash);             /* do all processes have the same hash? */
void twin_tune(GrB_Matrix a, bool square); /* applies TWIN_DELEGATES and TWIN_DIRECTION */
/* Called for every new vector. SuiteSparse 7.4 crashes in w<m> accum= t (its method 08n) when m or t is
 * stored full and w sparse, and miscounts some such results. Short vectors are therefore stored as bitmaps,
 * which use another method. */
void twin_tune_vector(GrB_Vector v, GrB_Index n);
/* Called for every product of a random program. SuiteSparse 7.4 leaves the product's rows unsorted; apply
 * then shares one index array between result and operand, which is sorted twice. */
void twin_complete(GrB_Matrix a, GrB_Vector v);
bool twin_newer(void);           /* is the library under test, or the one it will be compared with, the newer
                                    SuiteSparse:GraphBLAS (TWIN_NEWER=1)? */
bool twin_isolated(void);        /* does each program run in a process of its own? */
void twin_fail_after(int64_t k); /* the library's k-th allocation from now fails; -1: none */
const char *twin_error_flaw(
    const char *function,
    bool wants_numbers); /* the part of the function's name that the error text lacks, or NULL */

/* ---- random numbers and values (values.c) -------------------------------------------------------------- */

/* Types by number: the predefined ones in the table's order, then the user-defined. */
enum {
#define TWIN_T(T, C) T_##T,
  GRID_TYPES(TWIN_T)
#undef TWIN_T
      T_PAIR, /* two int64_t */
  T_TRIO,     /* three bytes: an odd size */
  T_MEDIUM,   /* 37 bytes */
  T_LARGE,    /* 700 bytes */
  NTYPES
};
#define NPREDEFINED T_PAIR
typedef struct {
  int64_t a, b;
} pair;
typedef struct {
  uint8_t c[3];
} trio;
typedef struct {
  uint8_t c[37];
} medium;
typedef struct {
  uint8_t c[700];
} large;
/* A value of any type; aligned for all. */
typedef union {
  bool t_BOOL;
  pair p;
  trio t;
  double d;
  float f;
  medium w;
  large l;
  uint8_t bytes[sizeof(large)];
} value;

extern GrB_Type twin_type[NTYPES];
extern const size_t twin_size[NTYPES];
extern const char *const twin_type_name[NTYPES];

/* EXACT: floating-point values are powers of two near 1, so that sums and products are the same in any order.
 * RICH: fractions, zeros, and sometimes NaN, infinity and the type's limits: for operations that read each
 * entry once. */
typedef enum { EXACT, RICH } flavour;

void rnd_seed(uint64_t seed);
uint64_t rnd(void);
uint64_t below(uint64_t n); /* 0 .. n-1 */
bool chance(int percent);
value random_value(int t, flavour f);

/* ---- output (values.c) --------------------------------------------------------------------------------- */

bool out_open(const char *path);
bool out_close(void); /* false when writing failed or processes differ */
void out_flush(void);
void say_at_most(uint64_t entries); /* of each object; a hash of the others */
bool write_reached(
    const char *output); /* stops the library; to OUTPUT.reached: the functions called (reach.c) */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void say_value(int t, const void *x);
const char *value_text(int t, const void *x); /* until the next call */
void say_vector(const char *name, GrB_Vector v, int t);
void say_matrix(const char *name, GrB_Matrix a, int t);
/* Makes a call that must succeed; reports a failure. */
#define DO(call) twin_do((call), #call)
void twin_do(GrB_Info info, const char *call);

/* ---- random objects (random_objects.c) ----------------------------------------------------------------- */

typedef struct {
  GrB_Vector v;
  int t;
  GrB_Index n, nvals;
  GrB_Index *i;
  value *x;
} vec;
typedef struct {
  GrB_Matrix a;
  int t;
  GrB_Index nrows, ncols, nvals;
  GrB_Index *i, *j;
  value *x;
} mat;
typedef struct {
  const char *name;
  GrB_UnaryOp op;
  int x, z;
} unary;
typedef struct {
  const char *name;
  GrB_BinaryOp op;
  int x, y, z;
} binary;
typedef struct {
  const char *name;
  GrB_IndexUnaryOp op;
  int x, y, z;
} indexed;
typedef struct {
  const char *name;
  GrB_Monoid op;
  int t;
  bool any;
} monoid;
typedef struct {
  const char *name;
  GrB_Semiring op;
  int x, y, z;
  bool any;
  const char *mul;
} semiring;
typedef struct {
  const char *name;
  GrB_Descriptor d;
  bool replace, structure, complement, tran0, tran1;
} descriptor;

void objects_start(void);
void objects_stop(void);
const unary *random_unary(void);
/* t: the type it must be usable with: a user-defined one, or any predefined one */
const binary *random_binary(int t);
const binary *random_any_binary(void);
const binary *random_accum(int t, bool exact); /* NULL half the time */
const indexed *random_indexed(void);
const monoid *random_monoid(void);
const semiring *random_semiring(void);
descriptor random_descriptor(void);
int castable_type(int t);       /* t, or one that casts to it */
int castable_exact_type(int t); /* the same, for sums and products whose order is free */

GrB_Index random_size(void);
vec random_vector(int t, GrB_Index n, flavour f);
vec empty_vector(int t, GrB_Index n);
vec random_mask(GrB_Index n); /* .v may be NULL: no mask */
mat random_matrix(int t, GrB_Index nrows, GrB_Index ncols, flavour f);
mat symmetric_graph(GrB_Index n);
void free_vector(vec *v);
void free_matrix(mat *a);
GrB_Index *random_indices(GrB_Index n, GrB_Index *ni, bool distinct);
void *pack_values(int t, const value *x, GrB_Index n);

/* ---- calls by type number (typed.c) -------------------------------------------------------------------- */

GrB_Info vector_set(GrB_Vector v, int t, const value *x, GrB_Index i);
GrB_Info vector_get(value *x, int t, GrB_Vector v, GrB_Index i);
GrB_Info vector_build(GrB_Vector v, int t, const GrB_Index *i, const void *x, GrB_Index n, GrB_BinaryOp dup);
GrB_Info vector_tuples(GrB_Index *i, void *x, GrB_Index *n, int t, GrB_Vector v);
GrB_Info vector_assign_scalar(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, int t, const value *x,
                              const GrB_Index *i, GrB_Index ni, GrB_Descriptor d);
GrB_Info vector_bind1st(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp op, int t,
                        const value *x, GrB_Vector u, GrB_Descriptor d);
GrB_Info vector_bind2nd(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Vector u,
                        int t, const value *y, GrB_Descriptor d);
GrB_Info vector_apply_index(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_IndexUnaryOp op,
                            GrB_Vector u, int t, const value *y, GrB_Descriptor d);
GrB_Info vector_select(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_IndexUnaryOp op, GrB_Vector u,
                       int t, const value *y, GrB_Descriptor d);
GrB_Info vector_reduce(int t, value *x, GrB_BinaryOp accum, GrB_Monoid op, GrB_Vector u, GrB_Descriptor d);
GrB_Info matrix_set(GrB_Matrix a, int t, const value *x, GrB_Index i, GrB_Index j);
GrB_Info matrix_get(value *x, int t, GrB_Matrix a, GrB_Index i, GrB_Index j);
GrB_Info matrix_build(GrB_Matrix a, int t, const GrB_Index *i, const GrB_Index *j, const void *x, GrB_Index n,
                      GrB_BinaryOp dup);
GrB_Info matrix_tuples(GrB_Index *i, GrB_Index *j, void *x, GrB_Index *n, int t, GrB_Matrix a);
GrB_Info scalar_set(GrB_Scalar s, int t, const value *x);
GrB_Info scalar_get(value *x, int t, GrB_Scalar s);
GrB_Info monoid_new(GrB_Monoid *m, GrB_BinaryOp op, int t, const value *x);
GrB_Info matrix_reduce(int t, value *x, GrB_BinaryOp accum, GrB_Monoid op, GrB_Matrix a, GrB_Descriptor d);
GrB_Info matrix_bind1st(GrB_Matrix c, GrB_Matrix mask, GrB_BinaryOp accum, GrB_BinaryOp op, int t,
                        const value *x, GrB_Matrix a, GrB_Descriptor d);
GrB_Info matrix_bind2nd(GrB_Matrix c, GrB_Matrix mask, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Matrix a,
                        int t, const value *y, GrB_Descriptor d);
GrB_Info matrix_apply_index(GrB_Matrix c, GrB_Matrix mask, GrB_BinaryOp accum, GrB_IndexUnaryOp op,
                            GrB_Matrix a, int t, const value *y, GrB_Descriptor d);
GrB_Info matrix_select(GrB_Matrix c, GrB_Matrix mask, GrB_BinaryOp accum, GrB_IndexUnaryOp op, GrB_Matrix a,
                       int t, const value *y, GrB_Descriptor d);
GrB_Info matrix_assign_scalar(GrB_Matrix c, GrB_Matrix mask, GrB_BinaryOp accum, int t, const value *x,
                              const GrB_Index *i, GrB_Index ni, const GrB_Index *j, GrB_Index nj,
                              GrB_Descriptor d);
#if TWIN_HAS_GrB_Matrix_import_INT32
GrB_Info matrix_import(GrB_Matrix *a, int t, GrB_Index nrows, GrB_Index ncols, const GrB_Index *p,
                       const GrB_Index *i, const void *x, GrB_Index np, GrB_Index ni, GrB_Index nx,
                       GrB_Format format);
GrB_Info matrix_export(GrB_Index *p, GrB_Index *i, void *x, GrB_Index *np, GrB_Index *ni, GrB_Index *nx,
                       GrB_Format format, int t, GrB_Matrix a);
#endif

/* ---- the steps ----------------------------------------------------------------------------------------- */

void step_product(void);
void step_bfs(void);
void step_assign(void);
void step_extract(void);
void step_apply(void);
void step_select(void);
void step_ewise(void);
void step_reduce(void);
void step_vector(void);
void step_matrix(void);
void step_chain(void);
void step_scalar(void);
void step_errors(void);
void step_life(void);
void step_types(void);
void step_fields(void); /* only with a library of version 2.1 */
/* functions of operators (step_life.c) */
void twin_copy(void *z, const void *x);
void twin_first(void *z, const void *x, const void *y);
void twin_position(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y);
#endif
