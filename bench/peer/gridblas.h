/* gridblas.h for SuiteSparse:GraphBLAS: the functions that algos/ use beyond the standard, so that their
 * sources run unchanged on that library, as a reference (tests/twin/twin_algorithms.c) and in benchmarks
 * (bench/ops). One process. PEER_HEADER: its GraphBLAS.h, instead of gridblas's. */
#ifndef GRIDBLAS_H
#define GRIDBLAS_H
#include <string.h>

#include PEER_HEADER
#define GRAPHBLAS_H /* include/GraphBLAS.h */

/* Names that it spells differently. */
#define Grid_ANY_SECONDI_SEMIRING_INT64 GxB_ANY_SECONDI_INT64
#define Grid_ANY_ONEB_SEMIRING_BOOL     GxB_ANY_PAIR_BOOL
#define Grid_ANY_FIRST_SEMIRING_INT64   GxB_ANY_FIRST_INT64
#define Grid_PLUS_ONEB_SEMIRING_INT32   GxB_PLUS_PAIR_INT32
#define Grid_PLUS_ONEB_SEMIRING_INT64   GxB_PLUS_PAIR_INT64
#define Grid_PLUS_ONEB_SEMIRING_FP64    GxB_PLUS_PAIR_FP64
/* Functions that 7.4 lacks; algos/ query only the type field. */
#define GrB_Matrix_get_INT32 peer_Matrix_get_INT32
#define GrB_Vector_get_INT32 peer_Vector_get_INT32
#if GxB_IMPLEMENTATION_MAJOR < 9
enum {
  GrB_EL_TYPE_CODE = 102,
  GrB_UDT_CODE = 0,
  GrB_BOOL_CODE = 1,
  GrB_INT8_CODE = 2,
  GrB_INT32_CODE = 6,
  GrB_UINT64_CODE = 9,
  GrB_FP32_CODE = 10,
  GrB_FP64_CODE = 11
};
#endif
GrB_Info peer_Matrix_get_INT32(GrB_Matrix A, int32_t *value, int field);
GrB_Info peer_Vector_get_INT32(GrB_Vector u, int32_t *value, int field);

typedef struct {
  bool symmetric;
} Grid_Storage;
/* Determined by transposing, each time; but see peer_know. */
GrB_Info Grid_Matrix_storage(Grid_Storage *s, GrB_Matrix A);
/* Determines it, and caches it until another matrix is queried: A must not be freed or changed before. */
GrB_Info peer_know(GrB_Matrix A);

/* There are no other processes. */
static inline GrB_Info Grid_agree(GrB_Info info, const char *text) {
  (void)text;
  return info;
}

static inline int Grid_rank(void) {
  return 0;
}
static inline int Grid_size(void) {
  return 1;
}
static inline void Grid_shape(int *R, int *C) {
  if (R != NULL) *R = 1;
  if (C != NULL) *C = 1;
}
static inline GrB_Info Grid_local_range(GrB_Index n, GrB_Index *first, GrB_Index *count) {
  *first = 0, *count = n;
  return GrB_SUCCESS;
}
static inline GrB_Info Grid_sum(uint64_t *v, size_t n) {
  (void)v, (void)n;
  return GrB_SUCCESS;
}
static inline uint64_t Grid_memory_budget(void) {
  return UINT64_MAX;
}
static inline GrB_Info Grid_max(uint64_t *v, size_t n) {
  (void)v, (void)n;
  return GrB_SUCCESS;
}
static inline GrB_Info Grid_bcast(void *buf, size_t bytes, int root) {
  (void)buf, (void)bytes, (void)root;
  return GrB_SUCCESS;
}
static inline GrB_Info Grid_gather(void *all, size_t *n, const void *local, size_t bytes, int root) {
  (void)root;
  if (bytes > *n) return GrB_INSUFFICIENT_SPACE;
  *n = bytes;
  if (bytes > 0) memcpy(all, local, bytes);
  return GrB_SUCCESS;
}

enum { Grid_CPU = 0, Grid_CUDA = 1 };
static inline int Grid_device(void) {
  return Grid_CPU;
}

/* So many that no algorithm makes serial passes: what is compared is products. */
static inline int Grid_threads(int n) {
  (void)n;
  return 1 << 20;
}

static inline uint64_t Grid_Matrix_bytes_read(bool *paged, GrB_Matrix A) {
  (void)A;
  *paged = false;
  return 0;
}

enum { Grid_MIRROR = 1, Grid_NO_LOOPS = 2 };
enum { Grid_DELEGATES_AUTO = -1, Grid_DELEGATES = 7201 }; /* a field that other libraries refuse */
/* flags: none of them. */
GrB_Info Grid_Matrix_build(GrB_Matrix C, const GrB_Index *rows, const GrB_Index *cols, const void *values,
                           GrB_Type type, GrB_Index n, GrB_BinaryOp dup, int flags);
/* C of INT64. */
GrB_Info Grid_Matrix_indicator(GrB_Matrix C, GrB_Vector where);
GrB_Info Grid_Vector_build(GrB_Vector w, const GrB_Index *indices, const void *values, GrB_Type type,
                           GrB_Index n, GrB_BinaryOp dup);
/* A of FP64, or of any type without values; indptr NULL: the values alone, or with values NULL the sizes. */
GrB_Info Grid_Matrix_exportLocal(GrB_Index *indptr, GrB_Index *indices, void *values, GrB_Index *n_indptr,
                                 GrB_Index *n_indices, GrB_Index *n_values, int format, GrB_Matrix A);
typedef struct {
  const void *indptr, *indices, *values;
  GrB_Index n_indices;
  int indptr_bytes, indices_bytes;
  bool iso;
} Grid_View;
/* A of FP64, or of any type without values; the arrays are copies. */
GrB_Info Grid_Matrix_view(Grid_View *view, GrB_Matrix A);
void Grid_View_free(Grid_View *view);
/* type: FP64. */
GrB_Info Grid_Matrix_importLocal(GrB_Matrix *A, GrB_Type type, GrB_Index nrows, GrB_Index ncols,
                                 const GrB_Index *indptr, const GrB_Index *indices, const void *values,
                                 GrB_Index n_indptr, GrB_Index n_indices, GrB_Index n_values, int format);
/* A of FP64, or without values; all arrays NULL: its number of entries. */
GrB_Info Grid_Matrix_extractLocal(GrB_Index *rows, GrB_Index *cols, void *values, GrB_Index *n, GrB_Matrix A);
GrB_Info Grid_Vector_extractLocal(GrB_Index *indices, void *values, GrB_Index *n, GrB_Vector v);
GrB_Info Grid_Matrix_best_label(GrB_Vector best, GrB_Matrix A, GrB_Vector label, GrB_Vector price,
                                GrB_Vector scale, GrB_Vector bonus, bool count);
typedef struct {
  uint64_t key;
  int bits;
  GrB_Index sweeps, still;
  bool priced, alone;
} Grid_Label_Sweep;
GrB_Info Grid_Matrix_move_labels(GrB_Index *moves, GrB_Vector label, GrB_Matrix A, GrB_Vector weight,
                                 GrB_Vector scale, GrB_Vector bonus, const Grid_Label_Sweep *how);
GrB_Info Grid_Matrix_walk(GrB_Matrix walks, GrB_Matrix A, GrB_Vector start, bool weighted, double p, double q,
                          uint64_t seed);
GrB_Info Grid_Matrix_sample(GrB_Matrix C, GrB_Vector columns, GrB_Matrix A, GrB_Vector count, uint64_t seed);
GrB_Info Grid_Matrix_path(GrB_Vector path, int64_t *length, GrB_Matrix A, GrB_Index source, GrB_Index target);
typedef struct {
  int64_t level;
  uint64_t vertices;
  int64_t degrees;
} Grid_Peel_Level;
GrB_Info Grid_Matrix_peel(GrB_Vector degree, Grid_Peel_Level *levels, GrB_Index *n, GrB_Matrix A,
                          int64_t first, int64_t last);
GrB_Info Grid_Matrix_distances(GrB_Vector reached, GrB_Vector sum, GrB_Vector nearness, GrB_Vector farthest,
                               int64_t *eccentricity, GrB_Matrix A, const GrB_Index *sources,
                               GrB_Index nsources);
GrB_Info Grid_Matrix_color(GrB_Vector color, uint64_t *colors, GrB_Matrix A, uint64_t most, uint64_t seed);
#define Grid_Matrix_extract GrB_Matrix_extract
GrB_Info Grid_Matrix_degree(GrB_Vector w, GrB_Matrix A, bool by_column);
/* Without mask and accum; u and where have the same pattern. */
GrB_Info Grid_Vector_scatter(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp dup,
                             GrB_Vector u, GrB_Vector where, GrB_Descriptor desc);
GrB_Info Grid_Vector_gather(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u, GrB_Vector where,
                            GrB_Descriptor desc);

/* No checkpoints. */
typedef struct {
  const char *name;
  GrB_Vector vector;
  GrB_Scalar scalar;
  void *bytes;
  size_t size;
} Grid_Checkpoint_Item;
static inline GrB_Info Grid_checkpoint(const char *folder, uint64_t step, const Grid_Checkpoint_Item *items,
                                       uint64_t n) {
  (void)folder, (void)step, (void)items, (void)n;
  return GrB_PANIC;
}
static inline GrB_Info Grid_restore(const char *folder, uint64_t *step, const Grid_Checkpoint_Item *items,
                                    uint64_t n) {
  (void)folder, (void)step, (void)items, (void)n;
  return GrB_NO_VALUE;
}

/* No progress is reported. */
static inline void Grid_span_begin(const char *name) {
  (void)name;
}
static inline void Grid_span_end(void) {}
static inline void Grid_progress_set(uint64_t done, uint64_t total) {
  (void)done, (void)total;
}
static inline void Grid_progress_end(void) {}

/* There are no other processes to share work with. */
typedef struct {
  uint64_t moves;
  double seconds;
} Grid_Rebalancing;
typedef struct {
  double long_row, short_row;
} Grid_Row_Costs;
#define Grid_ROW_COSTS_PRODUCT ((Grid_Row_Costs){27, 12})
static inline GrB_Info Grid_Matrix_rebalance(Grid_Rebalancing *b, GrB_Matrix A, Grid_Row_Costs rows,
                                             double rounds) {
  (void)b, (void)A, (void)rows, (void)rounds;
  return GrB_SUCCESS;
}

/* Operators without source texts; the parentheses prevent macro expansion. */
#define Grid_Type_new(type, size, name, text)         ((void)(text), (GrB_Type_new)(type, size))
#define Grid_UnaryOp_new(op, f, z, x, name, text)     ((void)(text), (GrB_UnaryOp_new)(op, f, z, x))
#define Grid_BinaryOp_new(op, f, z, x, y, name, text) ((void)(text), (GrB_BinaryOp_new)(op, f, z, x, y))
#define Grid_IndexUnaryOp_new(op, f, z, x, y, name, text) \
  ((void)(text), (GrB_IndexUnaryOp_new)(op, f, z, x, y))
#endif
