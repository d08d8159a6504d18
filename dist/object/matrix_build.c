/* Filling a matrix from tuples: check, send each tuple to the process whose block holds it, build the block
 * there. */
#include <omp.h>
#include <string.h>

#include "dist/object/matrix.h"
#include "spmat/matrix/build.h"
#include "spmat/device/device.h"
#include "spmat/device/times.h"

/* Tuples of one process on their way: packed local coordinates (or pairs when a block dimension needs more
 * than 32 bits), and values. */
typedef struct {
  void *keys;
  char *val;
  uint64_t n;
} shipment;

typedef struct {
  GrB_Matrix A;
  const grid_build *b;
  bool pairs;
  size_t key_size, val_size; /* val_size 0: no values travel */
  int P;
} router;

static bool kept(const router *r, uint64_t k, bool mirrored) {
  const grid_build *b = r->b;
  bool loop = b->row[k] == b->col[k];
  if (loop && (b->no_loops || mirrored)) return false; /* a mirrored loop is the loop itself */
  return true;
}

/* Calls put for every tuple that process `here` (or, when routing, any process) gets out of tuples [from,
 * to). */
static inline __attribute__((always_inline)) void for_tuples(
    const router *r, uint64_t from, uint64_t to,
    void (*put)(const router *, int dest, uint64_t row, uint64_t col, uint64_t k, void *), void *context) {
  const grid_build *b = r->b;
  for (uint64_t k = from; k < to; k++)
    for (int m = 0; m <= (b->mirror ? 1 : 0); m++) {
      if (!kept(r, k, m)) continue;
      uint64_t row = m ? b->col[k] : b->row[k], col = m ? b->row[k] : b->col[k];
      int dest = r->P == 1 ? 0 : grid_block_of(r->A->nrows, r->A->ncols, row, col);
      if (b->everywhere && dest != grid_here.k) continue;
      put(r, b->everywhere ? 0 : dest, row, col, k, context);
    }
}

static void count_one(const router *r, int dest, uint64_t row, uint64_t col, uint64_t k, void *context) {
  (void)r, (void)row, (void)col, (void)k;
  ((uint64_t *)context)[dest]++;
}

typedef struct {
  shipment *s;
  uint64_t *at;
} placing;

static void place_one(const router *r, int dest, uint64_t row, uint64_t col, uint64_t k, void *context) {
  placing *p = context;
  uint64_t slot = p->at[dest]++;
  /* on one process local and global are the same, and the divisions are saved */
  uint64_t lr = r->P == 1 ? row : grid_local_row(r->A->nrows, row),
           lc = r->P == 1 ? col : grid_local_col(r->A->ncols, col);
  if (r->pairs)
    ((grid_pair *)p->s->keys)[slot] = (grid_pair){lr, lc};
  else
    ((uint64_t *)p->s->keys)[slot] = lr << 32 | lc;
  if (r->val_size)
    memcpy(p->s->val + slot * r->val_size, (const char *)r->b->val + k * r->val_size, r->val_size);
}

/* Tuples ordered by destination, each destination's in tuple order. count[d]: how many go to d. */
static GrB_Info pack(const router *r, shipment *s, uint64_t *count) {
  int threads = r->b->n < 1 << 15 ? 1 : omp_get_max_threads(), dests = r->b->everywhere ? 1 : r->P;
  uint64_t *at = grid_calloc((size_t)threads * (size_t)dests, sizeof *at), n = r->b->n;
  if (!at) return grid_fail_memory(NULL, "tuple counts", (uint64_t)threads * (uint64_t)dests, sizeof *at);
#pragma omp parallel num_threads(threads)
  {
    uint64_t t = (uint64_t)omp_get_thread_num(), team = (uint64_t)omp_get_num_threads();
    for_tuples(r, n / team * t, t + 1 == team ? n : n / team * (t + 1), count_one, at + t * (uint64_t)dests);
  }
  s->n = 0;
  for (int d = 0; d < dests; d++) {
    uint64_t before = s->n;
    for (int t = 0; t < threads; t++) {
      uint64_t c = at[t * dests + d];
      at[t * dests + d] = s->n;
      s->n += c;
    }
    count[d] = s->n - before;
  }
  s->keys = grid_malloc(s->n, r->key_size);
  s->val = r->val_size ? grid_malloc(s->n, r->val_size) : NULL;
  GrB_Info info = GrB_SUCCESS;
  if (!s->keys || (r->val_size && !s->val))
    info = grid_fail_memory(NULL, "tuples to send", s->n, r->key_size + r->val_size);
  if (info == GrB_SUCCESS) {
#pragma omp parallel num_threads(threads)
    {
      uint64_t t = (uint64_t)omp_get_thread_num(), team = (uint64_t)omp_get_num_threads();
      placing p = {s, at + t * (uint64_t)dests};
      for_tuples(r, n / team * t, t + 1 == team ? n : n / team * (t + 1), place_one, &p);
    }
  }
  grid_free(at);
  return info;
}

/* Sends count[d] elements to process d; replaces *data by the *n that arrive. */
static GrB_Info send(void **data, const uint64_t *count, size_t size, uint64_t *n) {
  void *in;
  GrB_Info info = grid_exchange_elements(*data, count, size, &in, n);
  if (info != GrB_SUCCESS) return info;
  grid_free(*data);
  *data = in;
  return GrB_SUCCESS;
}

/* Checks coordinates; names the first bad tuple of this process. */
static GrB_Info check_tuples(GrB_Matrix A, const grid_build *b, const char *call) {
  uint64_t bad = UINT64_MAX;
#pragma omp parallel for schedule(static) reduction(min : bad) if (b->n > 1 << 15)
  for (uint64_t k = 0; k < b->n; k++)
    if (b->row[k] >= A->nrows || b->col[k] >= A->ncols ||
        (b->mirror && (b->row[k] >= A->ncols || b->col[k] >= A->nrows)))
      if (k < bad) bad = k;
  if (bad == UINT64_MAX) return GrB_SUCCESS;
  return grid_fail(&A->head, GrB_INDEX_OUT_OF_BOUNDS,
                   "%s: tuple %llu is (%llu, %llu), outside the %llu x %llu matrix", call,
                   (unsigned long long)bad, (unsigned long long)b->row[bad], (unsigned long long)b->col[bad],
                   (unsigned long long)A->nrows, (unsigned long long)A->ncols);
}

static GrB_Info name_duplicate(GrB_Matrix A, GrB_Info info, grid_pair bad, const char *call) {
  if (info != GrB_INVALID_VALUE) return info;
  return grid_fail(&A->head, info,
                   "%s: two tuples for entry (%llu, %llu), and no operator dup to combine them", call,
                   (unsigned long long)grid_global_row(A->nrows, bad.r),
                   (unsigned long long)grid_global_col(A->ncols, bad.c));
}

GrB_Info grid_matrix_adopt(GrB_Matrix A, const grid_build *b, grid_part *block, GrB_Info info) {
  uint64_t nvals = block->nvals;
  if ((info = grid_agree_sum(&A->head, info, &nvals, 1)) != GrB_SUCCESS) return info;
  grid_matrix_drop(A);
  A->block = *block;
  grid_part_init(block, A->type, 0, 0);
  A->nvals = nvals;
  A->symmetric = b->mirror && !b->val && A->nrows == A->ncols;
  return GrB_SUCCESS;
}

GrB_Info grid_matrix_fill(GrB_Matrix A, const grid_build *b, const char *call) {
  bool pairs = grid_block_rows(A->nrows) > UINT32_MAX || grid_block_cols(A->ncols) > UINT32_MAX;
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): values have a type */
  router r = {A,          b, pairs, pairs ? sizeof(grid_pair) : sizeof(uint64_t), b->val ? b->type->size : 0,
              grid_here.P};
  shipment s = {0};
  grid_part block;
  GrB_Type built = b->val ? b->type : A->type;
  grid_part_init(&block, built, grid_block_rows(A->nrows), grid_block_cols(A->ncols));
  uint64_t *count = grid_calloc((size_t)grid_here.P, sizeof *count);
  grid_mem_keep(b->n * (b->mirror ? 2 : 1) * 2 * r.key_size); /* until the matrix is ready */
  grid_pair bad = {0, 0};
  GrB_Info info =
      count ? check_tuples(A, b, call) : grid_fail_memory(&A->head, "tuple counts", (uint64_t)grid_here.P, 8);
  if (info == GrB_SUCCESS) info = pack(&r, &s, count);
  TRY(grid_agree(&A->head, info));
  if (!b->everywhere && grid_here.P > 1) {
    if (r.val_size) TRY(send((void **)&s.val, count, r.val_size, &s.n));
    TRY(send(&s.keys, count, r.key_size, &s.n));
  }
  info = grid_part_make(&block, s.keys, pairs, s.n, s.val, b->one, (grid_duplicates){b->dup, b->keep_last},
                        &bad);
  s.keys = NULL;
  info = name_duplicate(A, info, bad, call);
  if (info == GrB_SUCCESS && built != A->type) info = grid_part_cast(&block, A->type);
  TRY(grid_matrix_adopt(A, b, &block, info));
done:
  grid_part_free(&block);
  grid_free(s.keys);
  grid_free(s.val);
  grid_free(count);
  return info;
}

/* ---- public ---- */

/* An operator that combines duplicates takes and gives one type, to which the values can be cast
 * (specification 4.2.5.9). */
static GrB_Info check_dup(GrB_Matrix C, GrB_BinaryOp dup, GrB_Type type, const char *call) {
  if (!dup) return GrB_SUCCESS;
  GrB_Info info = grid_check_object(dup, &C->head, call, "dup");
  if (info != GrB_SUCCESS) return info;
  if (dup->f && dup->x == dup->z && dup->y == dup->z && grid_compatible(dup->z, type) &&
      grid_compatible(C->type, dup->z))
    return GrB_SUCCESS;
  return grid_fail(&C->head, GrB_DOMAIN_MISMATCH,
                   "%s: dup is %s(%s, %s) -> %s; it cannot combine values of type %s into %s", call,
                   dup->name, dup->x->name, dup->y->name, dup->z->name, type->name, C->type->name);
}

/* Fills C after casting the values to what dup works on. */
static GrB_Info fill_cast(GrB_Matrix C, const grid_build *b, const char *call) {
  if (!b->dup || !b->val || b->dup->z == b->type) return grid_matrix_fill(C, b, call);
  GrB_Type type = b->dup->z;
  void *val = grid_malloc(b->n, type->size);
  GrB_Info info = val ? GrB_SUCCESS : grid_fail_memory(&C->head, "converted values", b->n, type->size);
  info = grid_agree(&C->head, info);
  if (info == GrB_SUCCESS) {
    grid_cast_array(val, type, b->val, b->type, 1, b->n);
    grid_build cast = *b;
    cast.val = val;
    cast.type = type;
    info = grid_matrix_fill(C, &cast, call);
  }
  grid_free(val);
  return info;
}

static GrB_Info build_checked(GrB_Matrix C, const grid_build *b, const char *call) {
  GrB_Info info = grid_check_matrix(C, call, "C");
  if (info != GrB_SUCCESS) return info;
  if (b->n && (!b->row || !b->col))
    return grid_fail(&C->head, GrB_NULL_POINTER, "%s: an index array is NULL", call);
  info = grid_matrix_complete(C);
  if (info != GrB_SUCCESS) return info;
  if (C->nvals)
    return grid_fail(&C->head, GrB_OUTPUT_NOT_EMPTY, "%s: C holds %llu entries already", call,
                     (unsigned long long)C->nvals);
  if (b->mirror && C->nrows != C->ncols)
    return grid_fail(&C->head, GrB_INVALID_VALUE, "%s: MIRROR needs a square matrix, C is %llu x %llu", call,
                     (unsigned long long)C->nrows, (unsigned long long)C->ncols);
  if (b->type && !grid_compatible(C->type, b->type))
    return grid_fail(&C->head, GrB_DOMAIN_MISMATCH, "%s: values of type %s cannot become %s", call,
                     b->type->name, C->type->name);
  if (b->type) info = check_dup(C, b->dup, b->type, call);
  return info == GrB_SUCCESS ? fill_cast(C, b, call) : info;
}

GrB_Info grid_matrix_one(GrB_Matrix A, const char *call, char **one) {
  const double one_fp = 1;
  if (A->type->code == GRID_T_UDT)
    return grid_fail(&A->head, GrB_DOMAIN_MISMATCH,
                     "%s: entries without values, but the matrix's type %s has no value 1", call,
                     A->type->name);
  *one = grid_calloc(1, A->type->size);
  if (*one) grid_cast_array(*one, A->type, &one_fp, GrB_FP64, 0, 1);
  return grid_agree(&A->head, *one ? GrB_SUCCESS : grid_fail_memory(&A->head, "a value", 1, A->type->size));
}

GrB_Info Grid_Matrix_build(GrB_Matrix C, const GrB_Index *rows, const GrB_Index *cols, const void *values,
                           GrB_Type type, GrB_Index n, GrB_BinaryOp dup, int flags) {
  const char *call = "Grid_Matrix_build";
  GrB_Info info = grid_check_ready(call);
  if (info != GrB_SUCCESS) return info;
  info = grid_check_matrix(C, call, "C");
  if (info != GrB_SUCCESS) return info;
  /* Arrays are local: one process may have no tuples, and so no value array, where others do. All agree on
   * what is built. */
  uint64_t v[2] = {n && values, n && !values};
  if (values || type) info = grid_check_object(type, &C->head, call, "type");
  if (info == GrB_SUCCESS && n && (!rows || !cols))
    info = grid_fail(&C->head, GrB_NULL_POINTER, "%s: an index array is NULL", call);
  if ((info = grid_agree_sum(&C->head, info, v, 2)) != GrB_SUCCESS) return info;
  if (v[0] && v[1])
    return grid_fail(&C->head, GrB_NULL_POINTER,
                     "%s: argument values is NULL on one process with tuples, but not on another", call);
  const bool valued = v[0] || (!v[1] && type); /* no tuples anywhere: by what is said of them */
  char *one = NULL;
  if (!valued) info = grid_matrix_one(C, call, &one);
  if (info == GrB_SUCCESS)
    info = build_checked(C,
                         &(grid_build){.row = rows,
                                       .col = cols,
                                       .val = valued ? (values ? values : "") : NULL,
                                       .one = one,
                                       .type = valued ? type : NULL,
                                       .n = n,
                                       .dup = dup,
                                       .mirror = flags & Grid_MIRROR,
                                       .no_loops = flags & Grid_NO_LOOPS},
                         call);
  grid_free(one);
  return info;
}

static GrB_Info build_everywhere(GrB_Matrix C, const GrB_Index *rows, const GrB_Index *cols,
                                 const void *values, GrB_Type type, GrB_Index nvals, GrB_BinaryOp dup) {
  const char *call = "GrB_Matrix_build";
  GrB_Info info = grid_check_ready(call);
  if (info != GrB_SUCCESS) return info;
  info = grid_check_matrix(C, call, "C");
  if (info != GrB_SUCCESS) return info;
  if (!values && nvals) return grid_fail(&C->head, GrB_NULL_POINTER, "%s: argument values is NULL", call);
  if (!type && (info = grid_check_user_type(type = C->type, &C->head, call)) != GrB_SUCCESS) return info;
  return build_checked(C,
                       &(grid_build){.row = rows,
                                     .col = cols,
                                     .val = values ? values : "",
                                     .type = type,
                                     .n = nvals,
                                     .dup = dup,
                                     .everywhere = true},
                       call);
}

#define BUILD(T, C_TYPE)                                                                    \
  GrB_Info GrB_Matrix_build_##T(GrB_Matrix C, const GrB_Index *rows, const GrB_Index *cols, \
                                const C_TYPE *values, GrB_Index nvals, GrB_BinaryOp dup) {  \
    return build_everywhere(C, rows, cols, values, GrB_##T, nvals, dup);                    \
  }
GRID_TYPES(BUILD)

GrB_Info GrB_Matrix_build_UDT(GrB_Matrix C, const GrB_Index *rows, const GrB_Index *cols, const void *values,
                              GrB_Index nvals, GrB_BinaryOp dup) {
  return build_everywhere(C, rows, cols, values, NULL, nvals, dup);
}
