/* The library, types, operators, options and contexts as SuiteSparse:GraphBLAS 10.5.1 extends them: its
 * names, its constants' values. Included by GraphBLAS.h. What is not said to be collective is local; get and
 * set of options are what GrB_get and GrB_set are (GraphBLAS.h). Errors that every function can return: see
 * there. */
#include "GraphBLAS.h" /* which includes this file in its turn */
#ifndef GRIDBLAS_GXB_OBJECTS_H
#define GRIDBLAS_GXB_OBJECTS_H

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* ---- versions ---------------------------------------------------------------------------------------- */

/* The extensions are those of this version of SuiteSparse:GraphBLAS: programs choose among its interfaces by
 * these numbers. GrB_get with GrB_LIBRARY_VER_MAJOR, ... gives the version of gridblas. */
#define GxB_VERSION(major, minor, sub) (((major)*1000ULL + (minor)) * 1000ULL + (sub))
#define GxB_IMPLEMENTATION_NAME        "gridblas"
#define GxB_IMPLEMENTATION_DATE        "Nov 26, 2026"
#define GxB_IMPLEMENTATION_MAJOR       10
#define GxB_IMPLEMENTATION_MINOR       5
#define GxB_IMPLEMENTATION_SUB         1
#define GxB_IMPLEMENTATION             GxB_VERSION(10, 5, 1)
#define GxB_IMPLEMENTATION_ABOUT                                        \
  "gridblas: a GraphBLAS on grids of processes and on GPUs, with the\n" \
  "extensions of SuiteSparse:GraphBLAS 10.5.1\n"
#define GxB_IMPLEMENTATION_LICENSE "gridblas: see the file LICENSE\n"
#define GxB_SPEC_DATE              "Dec 22, 2023"
#define GxB_SPEC_MAJOR             2
#define GxB_SPEC_MINOR             1
#define GxB_SPEC_SUB               0
#define GxB_SPEC_VERSION           GxB_VERSION(2, 1, 0)
#define GxB_SPEC_ABOUT             "The GraphBLAS C API Specification, version 2.1\n"
#ifdef __STDC_VERSION__
#define GxB_STDC_VERSION __STDC_VERSION__
#else
#define GxB_STDC_VERSION 201112L
#endif
#define GxB_INDEX_MAX (GrB_INDEX_MAX + 1)

/* ---- options ----------------------------------------------------------------------------------------- */

/* Fields for GrB_get and GrB_set, and for the functions below. "Stored" means: returned as it was set,
 * without effect; results never depend on an option. The kinds of values are INT32, SIZE, String, VOID as in
 * GraphBLAS.h; FP64 is got and set through a GrB_Scalar, or by the functions named _FP64. */
typedef enum {
  /* GrB_GLOBAL, matrices (FP64): stored; a new matrix has GrB_GLOBAL's. Not vectors: GxB_HYPER_SWITCH.
   * GxB_BITMAP_SWITCH of GrB_GLOBAL is VOID: 8 doubles, one for each size of the smaller dimension (1, 2, 4,
   * 8, 16, 32, 64, more). A new matrix or vector has the one of its size. NULL sets the defaults. */
  GxB_HYPER_SWITCH = 7000,
  GxB_BITMAP_SWITCH = 7001,
  GxB_FORMAT = 7002, /* GrB_STORAGE_ORIENTATION_HINT by another name: GxB_BY_ROW or GxB_BY_COL */

  GxB_MODE = 7003,         /* GrB_GLOBAL: GrB_BLOCKING_MODE by another name */
  GxB_LIBRARY_NAME = 7004, /* GrB_GLOBAL, strings; read only */
  /* GrB_GLOBAL, 3 of int32_t: GxB_IMPLEMENTATION_MAJOR, _MINOR, _SUB; GxB_Global_Option_get only */
  GxB_LIBRARY_VERSION = 7005,
  GxB_LIBRARY_DATE = 7006, /* GrB_GLOBAL, strings; read only */
  GxB_LIBRARY_ABOUT = 7007,
  GxB_LIBRARY_URL = 7008,
  GxB_LIBRARY_LICENSE = 7009,
  GxB_LIBRARY_COMPILE_DATE = 7010,
  GxB_LIBRARY_COMPILE_TIME = 7011,
  GxB_API_VERSION = 7012, /* GrB_GLOBAL, 3 of int32_t: 2, 1, 0; GxB_Global_Option_get only */
  GxB_API_DATE = 7013,    /* GrB_GLOBAL, strings; read only */
  GxB_API_ABOUT = 7014,
  GxB_API_URL = 7015,
  GxB_COMPILER_VERSION = 7016, /* GrB_GLOBAL, VOID: 3 of int32_t, of the compiler that built the library */
  GxB_COMPILER_NAME = 7017,    /* GrB_GLOBAL, string; read only */
  GxB_LIBRARY_OPENMP = 7018,   /* GrB_GLOBAL, INT32: 1; read only */

  /* GrB_GLOBAL, INT32: 1 prints a line a call (GRIDBLAS_BURBLE=1; docs/settings.md). GrB_INVALID_VALUE while
   * GRIDBLAS_BURBLE writes a trace. Set is collective. */
  GxB_BURBLE = 7019,
  /* GrB_GLOBAL, functions: int (*)(const char *, ...) and int (*)(void), by which process 0 prints these
   * lines and flushes, in place of standard error; NULL: that. */
  GxB_PRINTF = 7020,
  GxB_FLUSH = 7021,
  GxB_MEMORY_POOL = 7022,  /* GrB_GLOBAL, 64 of int64_t: ignored, 0 */
  GxB_PRINT_1BASED = 7023, /* GrB_GLOBAL, INT32: 1: GxB_print counts rows and columns from 1 */

  /* Kernels that are compiled at run time for the CPU (gridblas.h, "user-defined types and operators with
   * source text"). GrB_GLOBAL, strings; kernels wanted from now on follow them. The library's own flags come
   * first. In names and flags words are separated by blanks. */
  GxB_JIT_C_COMPILER_NAME = 7024,  /* initially $GRIDBLAS_CC or the compiler that is found; "" if none is */
  GxB_JIT_C_COMPILER_FLAGS = 7025, /* initially "" */
  GxB_JIT_C_LINKER_FLAGS = 7026,
  GxB_JIT_C_LIBRARIES = 7027, /* initially "-lm" */
  GxB_JIT_C_PREFACE = 7028,   /* text before every kernel's own; initially "" */
  /* INT32: GxB_JIT_OFF, _PAUSE, _RUN: no kernel is compiled or loaded (RUN: those that are loaded run);
   * GxB_JIT_LOAD: none is compiled; GxB_JIT_ON, initially. Beyond these: the nearest. */
  GxB_JIT_C_CONTROL = 7029,
  GxB_JIT_CACHE_PATH = 7030,   /* string: the folder of cached kernels; "" if there is none */
  GxB_JIT_C_CMAKE_LIBS = 7031, /* string: stored */
  GxB_JIT_USE_CMAKE = 7032,    /* INT32: stored */
  GxB_JIT_ERROR_LOG = 7033,    /* string: stored; Grid_last_error has the compiler's output */

  /* Scalars, vectors, matrices, INT32, read only: how this process stores its share (GxB_HYPERSPARSE, ...) */
  GxB_SPARSITY_STATUS = 7034,
  GxB_IS_HYPER = 7035, /* vectors, matrices, INT32, read only: is that GxB_HYPERSPARSE? */
  /* Vectors, matrices, INT32: stored, as a sum of GxB_HYPERSPARSE, ..., GxB_FULL; 0: GxB_AUTO_SPARSITY. A
   * scalar's is read only. */
  GxB_SPARSITY_CONTROL = 7036,

  GxB_MALLOC_FUNCTION = 7037, /* GrB_GLOBAL, VOID: a function pointer; read only (GxB_init) */
  GxB_CALLOC_FUNCTION = 7038,
  GxB_REALLOC_FUNCTION = 7039,
  GxB_FREE_FUNCTION = 7040,

  /* Types, operators: the name and text of GxB_Type_new, ...; predefined ones have a name. May be set once
   * where it is not given ("" until then). A collection's name is its type's. */
  GxB_JIT_C_NAME = 7041,
  GxB_JIT_C_DEFINITION = 7042,
  /* Monoids, semirings: a value of the monoid's type, into a GrB_Scalar, which is emptied if there is none */
  GxB_MONOID_IDENTITY = 7043,
  GxB_MONOID_TERMINAL = 7044,
  GxB_MONOID_OPERATOR = 7045, /* Monoids, semirings, VOID: a GrB_BinaryOp */
  GxB_SEMIRING_MONOID = 7046, /* Semirings, VOID: a GrB_Monoid, a GrB_BinaryOp */
  GxB_SEMIRING_MULTIPLY = 7047,
  /* GrB_GLOBAL (a number of any type in a GrB_Scalar), collections (INT32): stored */
  GxB_HYPER_HASH = 7048,

  /* Operators, monoids, semirings: of an index-binary operator; GrB_NO_VALUE for others. GxB_THETA is a value
   * of that type, into a GrB_Scalar; binary operators only. */
  GxB_THETA_TYPE_CODE = 7050,
  GxB_THETA_TYPE_STRING = 7051,
  GxB_THETA = 7052,

  /* GrB_GLOBAL, vectors, matrices, INT32: stored, as 0, 32 or 64; GrB_GLOBAL's is 32 at first, others' 0 */
  GxB_ROWINDEX_INTEGER_HINT = 7053,
  GxB_COLINDEX_INTEGER_HINT = 7054,
  GxB_OFFSET_INTEGER_HINT = 7056,
  /* Collections, INT32, read only: bits of an index, of an offset in this process's share */
  GxB_ROWINDEX_INTEGER_BITS = 7057,
  GxB_COLINDEX_INTEGER_BITS = 7058,
  GxB_OFFSET_INTEGER_BITS = 7059,

  GxB_WILL_WAIT = 7076,                   /* collections, INT32, read only: 1 if changes wait to be merged */
  GxB_INCLUDE_READONLY_STATISTICS = 7077, /* GrB_GLOBAL, INT32: stored */
  GxB_IS_READONLY = 7078,                 /* collections, INT32, read only: 0 */
  GxB_ISO = 7079, /* collections, INT32, read only: 1 if this process stores one value for all its entries */

  /* GrB_GLOBAL, contexts. Threads of this process for a call: INT32; below 1 is 1. GrB_GLOBAL's is
   * Grid_threads. */
  GxB_NTHREADS = 7086,
  GxB_CHUNK = 7087, /* FP64: stored; below 1 is the default, 65536. The library has thresholds of its own */

  /* Descriptors, INT32: stored; GxB_COMPRESSION and the lists are read by the functions that say so */
  GxB_AxB_METHOD = 7090,
  GxB_SORT = 7091,
  GxB_COMPRESSION = 7092,
  GxB_IMPORT = 7093,
  GxB_ROWINDEX_LIST = 7094,
  GxB_COLINDEX_LIST = 7095,
  GxB_VALUE_LIST = 7096,

  GxB_JIT_CUDA_PREFACE = 7100, /* GrB_GLOBAL, string: stored */
  /* GrB_GLOBAL, contexts: 64 of int32_t, VOID: stored; INT32, 0 .. GxB_NGPUS_MAX: stored. Grid_device_set
   * chooses where operations run. GxB_NGPUS_MAX: GrB_GLOBAL, INT32, read only: this process's GPU, if there
   * is one */
  GxB_GPU_IDS = 7101,
  GxB_NGPUS = 7102,
  GxB_NGPUS_MAX = 7103
} GxB_Option_Field;

/* Fields by other names. */
typedef enum {
  GxB_GLOBAL_NTHREADS = GxB_NTHREADS,
  GxB_GLOBAL_CHUNK = GxB_CHUNK,
  GxB_GLOBAL_GPU_IDS = GxB_GPU_IDS,
  GxB_GLOBAL_NGPUS = GxB_NGPUS,
  GxB_CONTEXT_NTHREADS = GxB_NTHREADS,
  GxB_CONTEXT_CHUNK = GxB_CHUNK,
  GxB_CONTEXT_GPU_IDS = GxB_GPU_IDS,
  GxB_CONTEXT_NGPUS = GxB_NGPUS
} GxB_Context_Field;

/* Values of GxB_FORMAT; the default is GxB_BY_ROW. */
typedef enum { GxB_BY_ROW = 0, GxB_BY_COL = 1, GxB_NO_FORMAT = -1 } GxB_Format_Value;
extern const int GxB_FORMAT_DEFAULT;
/* Values of GxB_HYPER_SWITCH: 0.0625, 1, -1. */
extern const double GxB_HYPER_DEFAULT;
extern const double GxB_ALWAYS_HYPER;
extern const double GxB_NEVER_HYPER;
/* Values of GxB_JIT_C_CONTROL. */
typedef enum {
  GxB_JIT_OFF = 0,
  GxB_JIT_PAUSE = 1,
  GxB_JIT_RUN = 2,
  GxB_JIT_LOAD = 3,
  GxB_JIT_ON = 4
} GxB_JIT_Control;
enum {
  /* GxB_SPARSITY_CONTROL, GxB_SPARSITY_STATUS */
  GxB_HYPERSPARSE = 1,
  GxB_SPARSE = 2,
  GxB_BITMAP = 4,
  GxB_FULL = 8,
  GxB_ANY_SPARSITY = 15,
  GxB_AUTO_SPARSITY = 15,
  GxB_NBITMAP_SWITCH = 8, /* doubles of GxB_BITMAP_SWITCH */
  GxB_DEFAULT = 0,
  /* GxB_AxB_METHOD */
  GxB_AxB_GUSTAVSON = 7081,
  GxB_AxB_DOT = 7083,
  GxB_AxB_HASH = 7084,
  GxB_AxB_SAXPY = 7085,
  /* GxB_IMPORT */
  GxB_FAST_IMPORT = 0,
  GxB_SECURE_IMPORT = 7080,
  /* GxB_ROWINDEX_LIST, GxB_COLINDEX_LIST, GxB_VALUE_LIST */
  GxB_USE_VALUES = 0,
  GxB_USE_INDICES = 7060,
  GxB_IS_STRIDE = 7061,
  /* GxB_COMPRESSION */
  GxB_COMPRESSION_NONE = -1,
  GxB_COMPRESSION_DEFAULT = 0,
  GxB_COMPRESSION_LZ4 = 1000,
  GxB_COMPRESSION_LZ4HC = 2000,
  GxB_COMPRESSION_ZSTD = 3000,
  /* modes of GrB_init: as GrB_NONBLOCKING and GrB_BLOCKING; Grid_device_set chooses the device */
  GxB_BLOCKING_GPU = 7098,
  GxB_NONBLOCKING_GPU = 7099,
  /* outcomes, beside GrB_Info */
  GxB_JIT_ERROR = -7001, /* a text was to be compiled at once and was not */
  GxB_GPU_ERROR = -7002,
  GxB_OUTPUT_IS_READONLY = -7003
};

/* The calls that came before GrB_get and GrB_set, for GrB_GLOBAL, matrices, vectors, descriptors and
 * contexts. The forms without a type take or give what the field has. That is int (GrB_INT32), double
 * (GxB_HYPER_SWITCH, GxB_CHUNK, GxB_BITMAP_SWITCH of a matrix or vector), pointers to arrays, strings (get: a
 * const char *, valid until the option changes), function pointers. _INT64 is GxB_MEMORY_POOL; _FP64 of a
 * matrix or vector gives its INT32 fields, too, and of GxB_BITMAP_SWITCH of GrB_GLOBAL 8 doubles. Set is
 * collective for matrices, vectors and GxB_BURBLE. */
GrB_Info GxB_Global_Option_set(int field, ...);
GrB_Info GxB_Global_Option_set_INT32(int field, int32_t value);
GrB_Info GxB_Global_Option_set_FP64(int field, double value);
GrB_Info GxB_Global_Option_set_FP64_ARRAY(int field, double *value);
GrB_Info GxB_Global_Option_set_INT64_ARRAY(int field, int64_t *value);
GrB_Info GxB_Global_Option_set_CHAR(int field, const char *value);
GrB_Info GxB_Global_Option_set_FUNCTION(int field, void *value);
GrB_Info GxB_Global_Option_get(int field, ...);
GrB_Info GxB_Global_Option_get_INT32(int field, int32_t *value);
GrB_Info GxB_Global_Option_get_FP64(int field, double *value);
GrB_Info GxB_Global_Option_get_INT64(int field, int64_t *value);
GrB_Info GxB_Global_Option_get_CHAR(int field, const char **value);
GrB_Info GxB_Global_Option_get_FUNCTION(int field, void **value);
#define GRID_DECLARE_OPTIONS(PREFIX, K)                             \
  GrB_Info PREFIX##_set(K object, int field, ...);                  \
  GrB_Info PREFIX##_set_INT32(K object, int field, int32_t value);  \
  GrB_Info PREFIX##_set_FP64(K object, int field, double value);    \
  GrB_Info PREFIX##_get(K object, int field, ...);                  \
  GrB_Info PREFIX##_get_INT32(K object, int field, int32_t *value); \
  GrB_Info PREFIX##_get_FP64(K object, int field, double *value);
GRID_DECLARE_OPTIONS(GxB_Matrix_Option, GrB_Matrix)
GRID_DECLARE_OPTIONS(GxB_Vector_Option, GrB_Vector)
GRID_DECLARE_OPTIONS(GxB_Desc, GrB_Descriptor)
/* *value = a GrB_Desc_Field of the descriptor (NULL: the default). */
GrB_Info GxB_Descriptor_get(GrB_Desc_Value *value, GrB_Descriptor desc, GrB_Desc_Field field);

/* ---- contexts ---------------------------------------------------------------------------------------- */

/* How many threads of this process a call uses: GxB_NTHREADS. A new context has GrB_GLOBAL's values. Once a
 * thread of the program has engaged a context, its calls use that one's; before, and after it has disengaged
 * it, those of GxB_CONTEXT_WORLD, which are GrB_GLOBAL's. Several threads may engage one context; it must not
 * be freed before they have disengaged it, except by the thread that calls GxB_Context_free.
 * GxB_Context_engage errors: GrB_NULL_POINTER. GxB_CONTEXT_WORLD disengages.
 * GxB_Context_disengage: NULL or GxB_CONTEXT_WORLD: whatever is engaged. Errors: GrB_INVALID_VALUE (another
 * context is engaged). wait only checks its arguments. */
typedef struct GxB_Context_opaque *GxB_Context;
extern GxB_Context GxB_CONTEXT_WORLD;
GrB_Info GxB_Context_new(GxB_Context *Context);
GrB_Info GxB_Context_free(GxB_Context *Context);
GrB_Info GxB_Context_engage(GxB_Context Context);
GrB_Info GxB_Context_disengage(GxB_Context Context);
GrB_Info GxB_Context_wait(GxB_Context Context, GrB_WaitMode mode);
GrB_Info GxB_Context_error(const char **text, const GxB_Context Context);
GrB_Info GxB_Context_fprint(GxB_Context object, const char *name, GxB_Print_Level pr, FILE *f);
GRID_DECLARE_OPTIONS(GxB_Context, GxB_Context)
/* As GrB_K_get_F and GrB_K_set_F; _INT is the form _INT32. */
#define GRID_DECLARE_GXB_FIELDS(K, INT)                                             \
  GrB_Info GxB_##K##_get_Scalar(const GxB_##K object, GrB_Scalar value, int field); \
  GrB_Info GxB_##K##_get_String(const GxB_##K object, char *value, int field);      \
  GrB_Info GxB_##K##_get_##INT(const GxB_##K object, int32_t *value, int field);    \
  GrB_Info GxB_##K##_get_SIZE(const GxB_##K object, size_t *value, int field);      \
  GrB_Info GxB_##K##_get_VOID(const GxB_##K object, void *value, int field);        \
  GrB_Info GxB_##K##_set_Scalar(GxB_##K object, GrB_Scalar value, int field);       \
  GrB_Info GxB_##K##_set_String(GxB_##K object, const char *value, int field);      \
  GrB_Info GxB_##K##_set_##INT(GxB_##K object, int32_t value, int field);           \
  GrB_Info GxB_##K##_set_VOID(GxB_##K object, const void *value, int field, size_t size);
GRID_DECLARE_GXB_FIELDS(Context, INT)

/* ---- the library ------------------------------------------------------------------------------------- */

/* GrB_init, with the functions by which arrays are allocated that pass between the program and the library.
 * Arrays that are imported, packed or loaded are freed by user_free. Arrays that are exported by value,
 * unpacked, unloaded or serialised come from user_malloc. The library's own memory is malloc's: its blocks
 * have headers, and are reused. user_calloc and user_realloc may be NULL. All must be safe to call from
 * several threads. Errors: also GrB_NULL_POINTER. Collective. */
GrB_Info GxB_init(int mode, void *(*user_malloc)(size_t), void *(*user_calloc)(size_t, size_t),
                  void *(*user_realloc)(void *, size_t), void (*user_free)(void *));
/* Whether the library is initialised now; whether it was, and is not now. Before GrB_init, too. */
GrB_Info GxB_initialized(int *initialized);
GrB_Info GxB_finalized(int *finalized);
/* For pthread_atfork, around fork: no thread is inside a call while the process forks, except calls on
 * single elements, which other threads must not make then. Parent and child may both go on, the child with
 * one OpenMP thread a call. For a grid of one process without a GPU: MPI and CUDA do not allow calls in a
 * child. */
void GxB_atfork_prepare(void);
void GxB_atfork_parent(void);
void GxB_atfork_child(void);

/* ---- types and operators ----------------------------------------------------------------------------- */

/* Grid_Type_new and Grid_*Op_new (gridblas.h says what a definition is), with a name and a definition that
 * may be NULL. Of the name the first GxB_MAX_NAME_LEN - 1 bytes count; a definition is used if the name is an
 * identifier of C.
 * size 0: the compiler tells it from the definition. function NULL: the compiler makes it from the
 * definition, which then takes the time of a compilation, unless it is in the cache on disk. Errors: those of
 * GrB_Type_new and GrB_*Op_new; GrB_NULL_POINTER, GrB_INVALID_VALUE (NULL or 0 without name and definition);
 * GxB_JIT_ERROR (no compiler; GxB_JIT_C_CONTROL below GxB_JIT_ON and not in the cache; not valid C). */
typedef void (*GxB_unary_function)(void *, const void *);
typedef void (*GxB_binary_function)(void *, const void *, const void *);
typedef void (*GxB_index_unary_function)(void *, const void *, GrB_Index, GrB_Index, const void *);
typedef void (*GxB_index_binary_function)(void *, const void *, GrB_Index, GrB_Index, const void *, GrB_Index,
                                          GrB_Index, const void *);
GrB_Info GxB_Type_new(GrB_Type *type, size_t size, const char *name, const char *definition);
GrB_Info GxB_UnaryOp_new(GrB_UnaryOp *op, GxB_unary_function function, GrB_Type ztype, GrB_Type xtype,
                         const char *name, const char *definition);
GrB_Info GxB_BinaryOp_new(GrB_BinaryOp *op, GxB_binary_function function, GrB_Type ztype, GrB_Type xtype,
                          GrB_Type ytype, const char *name, const char *definition);
GrB_Info GxB_IndexUnaryOp_new(GrB_IndexUnaryOp *op, GxB_index_unary_function function, GrB_Type ztype,
                              GrB_Type xtype, GrB_Type ytype, const char *name, const char *definition);

/* name, of GxB_MAX_NAME_LEN bytes, becomes the type's name in C ("double"; "" if it has none). */
GrB_Info GxB_Type_name(char *name, const GrB_Type type);
GrB_Info GxB_Type_size(size_t *size, const GrB_Type type);
/* *type = the predefined type of that name ("double", "GrB_FP64"), or NULL. */
GrB_Info GxB_Type_from_name(GrB_Type *type, const char *name);

/* Types of an operator's result and operands, and their names in C. An index-unary operator that works on
 * indices alone has no xtype: GrB_NO_VALUE. */
#define GRID_DECLARE_OPERAND_TYPE_NAME(K, which) \
  GrB_Info GxB_##K##_##which##type_name(char *type_name, const GrB_##K op);
#define GRID_DECLARE_OPERAND_TYPE(K, which)                           \
  GrB_Info GxB_##K##_##which##type(GrB_Type *type, const GrB_##K op); \
  GRID_DECLARE_OPERAND_TYPE_NAME(K, which)
GRID_DECLARE_OPERAND_TYPE(UnaryOp, z)
GRID_DECLARE_OPERAND_TYPE(UnaryOp, x)
GRID_DECLARE_OPERAND_TYPE(BinaryOp, z)
GRID_DECLARE_OPERAND_TYPE(BinaryOp, x)
GRID_DECLARE_OPERAND_TYPE(BinaryOp, y)
GRID_DECLARE_OPERAND_TYPE_NAME(IndexUnaryOp, z)
GRID_DECLARE_OPERAND_TYPE_NAME(IndexUnaryOp, x)
GRID_DECLARE_OPERAND_TYPE_NAME(IndexUnaryOp, y)

/* z = f(x, ix, jx, y, iy, jy, theta), called as function(&z, &x, ix, jx, &y, iy, jy, &theta), of an entry x
 * in row ix and column jx and an entry y in row iy and column jy. definition: "void name(Z *z, const X *x,
 * GrB_Index ix, GrB_Index jx, const Y *y, GrB_Index iy, GrB_Index jy, const T *theta) { ... }" It must be
 * safe to call from several threads. Errors: as GxB_BinaryOp_new. */
typedef struct GxB_IndexBinaryOp_opaque *GxB_IndexBinaryOp;
GrB_Info GxB_IndexBinaryOp_new(GxB_IndexBinaryOp *op, GxB_index_binary_function function, GrB_Type ztype,
                               GrB_Type xtype, GrB_Type ytype, GrB_Type theta_type, const char *name,
                               const char *definition);
GrB_Info GxB_IndexBinaryOp_free(GxB_IndexBinaryOp *object);
GrB_Info GxB_IndexBinaryOp_wait(GxB_IndexBinaryOp object, GrB_WaitMode mode);
GrB_Info GxB_IndexBinaryOp_error(const char **text, const GxB_IndexBinaryOp object);
GrB_Info GxB_IndexBinaryOp_fprint(GxB_IndexBinaryOp object, const char *name, GxB_Print_Level pr, FILE *f);
GRID_DECLARE_GXB_FIELDS(IndexBinaryOp, INT32)
/* *op becomes the binary operator z = f(x, ix, jx, y, iy, jy, theta) for the value that theta has now. It may
 * multiply in GrB_mxm, GrB_mxv, GrB_vxm (in a semiring), GrB_eWiseAdd, GrB_eWiseMult and GrB_kronecker, on
 * any grid. The indices are those of the entries in the operands, after transposition; a vector is a column,
 * that of GrB_vxm a row. The calls copy their operands with the indices (16 bytes an entry), and run on the
 * CPU. As an accumulator, and in other operations: GrB_DOMAIN_MISMATCH. theta_free may be freed afterwards,
 * and so may op. Errors: GrB_EMPTY_OBJECT (theta has no value), GrB_DOMAIN_MISMATCH (its type). */
GrB_Info GxB_BinaryOp_new_IndexOp(GrB_BinaryOp *op, const GxB_IndexBinaryOp index_op, const GrB_Scalar theta);

/* ---- monoids and semirings --------------------------------------------------------------------------- */

/* GrB_Monoid_new with a terminal value t: f(x, t) = t for all x, so that a sum that has reached it is known.
 * For a predefined op that has a predefined monoid the values are that monoid's. */
#define GRID_DECLARE_MONOID_TERMINAL(T, C) \
  GrB_Info GxB_Monoid_terminal_new_##T(GrB_Monoid *monoid, GrB_BinaryOp op, C identity, C terminal);
GRID_TYPES(GRID_DECLARE_MONOID_TERMINAL)
GRID_COMPLEX_TYPES(GRID_DECLARE_MONOID_TERMINAL)
GrB_Info GxB_Monoid_terminal_new_UDT(GrB_Monoid *monoid, GrB_BinaryOp op, void *identity, void *terminal);
GrB_Info GxB_Monoid_operator(GrB_BinaryOp *op, const GrB_Monoid monoid);
/* The value is copied to identity (terminal, if *has_terminal), of the monoid's type. */
GrB_Info GxB_Monoid_identity(void *identity, const GrB_Monoid monoid);
GrB_Info GxB_Monoid_terminal(bool *has_terminal, void *terminal, const GrB_Monoid monoid);
GrB_Info GxB_Semiring_add(GrB_Monoid *add, const GrB_Semiring semiring);
GrB_Info GxB_Semiring_multiply(GrB_BinaryOp *multiply, const GrB_Semiring semiring);

/* ---- scalars: other names of the standard's functions ------------------------------------------------ */

typedef GrB_Scalar GxB_Scalar;
GrB_Info GxB_Scalar_new(GrB_Scalar *s, GrB_Type type);
GrB_Info GxB_Scalar_dup(GrB_Scalar *s, const GrB_Scalar t);
GrB_Info GxB_Scalar_clear(GrB_Scalar s);
GrB_Info GxB_Scalar_nvals(GrB_Index *nvals, const GrB_Scalar s);
GrB_Info GxB_Scalar_free(GrB_Scalar *s);
GrB_Info GxB_Scalar_wait(GrB_Scalar *s);
GrB_Info GxB_Scalar_error(const char **text, const GrB_Scalar s);
/* *size = bytes of this process's copy. */
GrB_Info GxB_Scalar_memoryUsage(size_t *size, const GrB_Scalar s);
#define GRID_DECLARE_GXB_SCALAR(T, C)                    \
  GrB_Info GxB_Scalar_setElement_##T(GrB_Scalar s, C x); \
  GrB_Info GxB_Scalar_extractElement_##T(C *x, const GrB_Scalar s);
GRID_TYPES(GRID_DECLARE_GXB_SCALAR)
GrB_Info GxB_Scalar_setElement_UDT(GrB_Scalar s, void *x);
GrB_Info GxB_Scalar_extractElement_UDT(void *x, const GrB_Scalar s);

/* ---- arenas ------------------------------------------------------------------------------------------ */

/* Memory functions by number, 0 .. GxB_NARENAS - 1; 0 is GxB_init's (else malloc and free). An arena may be
 * initialised once; user_calloc and user_realloc may be NULL. Errors: GrB_INVALID_VALUE (not such a number;
 * it is initialised), GrB_NULL_POINTER. The functions named _arena and _arenas are those without, and check
 * that the arenas are initialised (GrB_INVALID_VALUE): the library's objects are in its own memory, whatever
 * arena is named. */
#define GxB_NARENAS 8
GrB_Info GxB_arena_init(int arena, void *(*user_malloc)(size_t), void *(*user_calloc)(size_t, size_t),
                        void *(*user_realloc)(void *, size_t), void (*user_free)(void *));
GrB_Info GxB_arena_initialized(int *initialized, int arena);
GrB_Info GxB_Type_new_arena(GrB_Type *type, size_t size, const char *name, const char *definition, int arena);
GrB_Info GxB_UnaryOp_new_arena(GrB_UnaryOp *op, GxB_unary_function function, GrB_Type ztype, GrB_Type xtype,
                               const char *name, const char *definition, int arena);
GrB_Info GxB_BinaryOp_new_arena(GrB_BinaryOp *op, GxB_binary_function function, GrB_Type ztype,
                                GrB_Type xtype, GrB_Type ytype, const char *name, const char *definition,
                                int arena);
GrB_Info GxB_IndexUnaryOp_new_arena(GrB_IndexUnaryOp *op, GxB_index_unary_function function, GrB_Type ztype,
                                    GrB_Type xtype, GrB_Type ytype, const char *name, const char *definition,
                                    int arena);
GrB_Info GxB_IndexBinaryOp_new_arena(GxB_IndexBinaryOp *op, GxB_index_binary_function function,
                                     GrB_Type ztype, GrB_Type xtype, GrB_Type ytype, GrB_Type theta_type,
                                     const char *name, const char *definition, int arena);
GrB_Info GxB_BinaryOp_new_IndexOp_arena(GrB_BinaryOp *op, const GxB_IndexBinaryOp index_op,
                                        const GrB_Scalar theta, int arena);
#define GRID_DECLARE_MONOID_ARENA(T, C)                                                                   \
  GrB_Info GxB_Monoid_new_arena_##T(GrB_Monoid *monoid, GrB_BinaryOp op, C identity, int arena);          \
  GrB_Info GxB_Monoid_terminal_new_arena_##T(GrB_Monoid *monoid, GrB_BinaryOp op, C identity, C terminal, \
                                             int arena);
GRID_TYPES(GRID_DECLARE_MONOID_ARENA)
GRID_COMPLEX_TYPES(GRID_DECLARE_MONOID_ARENA)
GRID_DECLARE_MONOID_ARENA(UDT, void *)
GrB_Info GxB_Semiring_new_arena(GrB_Semiring *semiring, GrB_Monoid add, GrB_BinaryOp multiply, int arena);
GrB_Info GxB_Descriptor_new_arena(GrB_Descriptor *desc, int arena);
GrB_Info GxB_Context_new_arena(GxB_Context *Context, int arena);
GrB_Info GxB_Scalar_new_arena(GrB_Scalar *s, GrB_Type type, int header_arena, int data_arena);
GrB_Info GxB_Scalar_dup_arena(GrB_Scalar *s, const GrB_Scalar t, int header_arena, int data_arena);
GrB_Info GxB_Scalar_set_arenas(GrB_Scalar *s, int header_arena, int data_arena);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#else
/* ---- polymorphic names ------------------------------------------------------------------------------- */
/* clang-format off */
#undef GRID_FREE_OBJECTS
#define GRID_FREE_OBJECTS                                                                            \
  GxB_Context * : GxB_Context_free, GxB_IndexBinaryOp * : GxB_IndexBinaryOp_free,                    \
  GxB_Iterator * : GxB_Iterator_free, GxB_Container * : GxB_Container_free,
#undef GRID_PRINT_OBJECTS
#define GRID_PRINT_OBJECTS                                                                           \
  GxB_Context : GxB_Context_fprint, GxB_IndexBinaryOp : GxB_IndexBinaryOp_fprint, GxB_SelectOp : GxB_SelectOp_fprint,
#undef GRID_CALL_OBJECTS
#define GRID_CALL_OBJECTS(CALL) GxB_Context : GxB_Context_##CALL, GxB_IndexBinaryOp : GxB_IndexBinaryOp_##CALL,
#undef GRID_FIELD_OBJECTS
#define GRID_FIELD_OBJECTS(CHOOSE, value) \
  GxB_Context : CHOOSE(GRID_CONTEXT, value), GxB_IndexBinaryOp : CHOOSE(GxB_IndexBinaryOp, value),
#define GRID_CONTEXT_get_Scalar GxB_Context_get_Scalar
#define GRID_CONTEXT_get_String GxB_Context_get_String
#define GRID_CONTEXT_get_INT32  GxB_Context_get_INT
#define GRID_CONTEXT_get_SIZE   GxB_Context_get_SIZE
#define GRID_CONTEXT_get_VOID   GxB_Context_get_VOID
#define GRID_CONTEXT_set_Scalar GxB_Context_set_Scalar
#define GRID_CONTEXT_set_String GxB_Context_set_String
#define GRID_CONTEXT_set_INT32  GxB_Context_set_INT
#define GRID_CONTEXT_set_VOID   GxB_Context_set_VOID

/* (field, value) for GrB_GLOBAL, else (object, field, value). */
#define GRID_BY_OPTION(object, CALL)                                                                 \
  _Generic((object), GrB_Matrix : GxB_Matrix_Option_##CALL, GrB_Vector : GxB_Vector_Option_##CALL,   \
           GrB_Descriptor : GxB_Desc_##CALL, GxB_Context : GxB_Context_##CALL,                       \
           default : GxB_Global_Option_##CALL)
#define GxB_set(object, ...) GRID_BY_OPTION(object, set)(object, __VA_ARGS__)
#define GxB_get(object, ...) GRID_BY_OPTION(object, get)(object, __VA_ARGS__)
#define GxB_Monoid_terminal_new(monoid, op, identity, terminal) \
  GRID_BY_VALUE_UDT(GxB_Monoid_terminal_new, identity)(monoid, op, identity, terminal)
#define GxB_Scalar_setElement(s, x) GRID_BY_VALUE_UDT(GxB_Scalar_setElement, x)(s, x)
#define GxB_Scalar_extractElement(x, s) GRID_BY_OUTPUT(GxB_Scalar_extractElement, x)(x, s)
/* clang-format on */
#endif
#endif
