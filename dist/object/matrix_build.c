/* Filling a matrix from tuples: check, send each tuple to the process whose block holds it, build the block
 * there. */
#include <string.h>

#include "dist/object/build_source.h"
#include "spmat/matrix/build.h"
#include "spmat/device/device.h"
#include "spmat/device/times.h"

/* Tuples of one process on their way: packed local coordinates (or pairs when a block dimension needs more
 * than 32 bits), and values. */
typedef struct {
  void *keys;
  char *val;
  uint64_t n;
  size_t key_size, val_size; /* val_size 0: no values travel */
} shipment;

static size_t value_size(const grid_build *b) {
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): values have a type */
  return b->val ? b->type->size : 0;
}

/* Where each stretch's tuples of each bin go, and how many there are of each bin: count becomes places. */
static void place_bins(uint64_t stretches, uint64_t bins, const uint32_t *in, uint64_t *next,
                       uint64_t *count) {
  uint64_t sum = 0;
  for (uint64_t b = 0; b < bins; b++) {
    const uint64_t before = sum;
    for (uint64_t t = 0; t < stretches; t++) {
      next[t * bins + b] = sum;
      sum += in[t * bins + b];
    }
    count[b] = sum - before;
  }
}

/* Tuples in order of destination, each destination's in tuple order. count[d]: how many go to d. */
static GrB_Info deal(const grid_build_source *x, uint64_t bins, shipment *s, uint64_t *count) {
  const grid_source source = grid_build_source_read(x);
  const grid_bin_rule rule = {0};
  const uint64_t stretches = grid_deal_stretches(&source);
  uint32_t *in = grid_calloc(stretches * bins, sizeof *in);
  uint64_t *next = grid_malloc(stretches * bins, sizeof *next);
  GrB_Info info = GrB_SUCCESS;
  if (!in || !next) TRY(grid_fail_memory(NULL, "tuple counts", stretches * bins, sizeof *next));
  grid_deal_count(&source, stretches, false, &rule, bins, in);
  if (atomic_load(x->spoiled)) TRY(GrB_INVALID_INDEX);
  place_bins(stretches, bins, in, next, count);
  s->n = 0;
  for (uint64_t d = 0; d < bins; d++) s->n += count[d];
  s->keys = grid_malloc(s->n, sizeof(uint64_t));
  s->val = x->load_size ? grid_malloc(s->n, x->load_size) : NULL;
  if (!s->keys || (x->load_size && !s->val))
    TRY(grid_fail_memory(NULL, "tuples to send", s->n, sizeof(uint64_t) + x->load_size));
  info = grid_deal_out(&source, stretches, &rule, bins, next, x->load_size, s->keys, s->val);
done:
  grid_free(in);
  grid_free(next);
  return info;
}

/* Tuple numbers become what they stand for. */
static GrB_Info look_up(const grid_build_source *x, bool pairs, shipment *s) {
  uint64_t *number = s->keys;
  const size_t size = s->val_size;
  grid_pair *pair = pairs ? grid_malloc(s->n, sizeof *pair) : NULL;
  s->val = size ? grid_malloc(s->n, size) : NULL;
  if ((pairs && !pair) || (size && !s->val)) {
    grid_free(pair);
    return grid_fail_memory(NULL, "tuples to send", s->n, s->key_size + size);
  }
#pragma omp parallel for schedule(static) if (s->n > 1 << 15)
  for (uint64_t k = 0; k < s->n; k++) {
    const grid_pair at = grid_build_source_pair(x, number[k]);
    if (size) memcpy(s->val + k * size, (const char *)x->b->val + (number[k] >> 1) * size, size);
    if (pairs)
      pair[k] = at;
    else
      number[k] = at.r << 32 | at.c;
  }
  if (!pairs) return GrB_SUCCESS;
  grid_free(s->keys);
  s->keys = pair;
  return GrB_SUCCESS;
}

/* Values of 4 and 8 bytes travel beside their keys while tuples are dealt out; in other cases the number of
 * the tuple is dealt, and coordinates and values are fetched afterwards. */
static GrB_Info pack(GrB_Matrix A, const grid_build *b, bool pairs, shipment *s, uint64_t *count) {
  const bool numbers = pairs || (s->val_size && s->val_size != 4 && s->val_size != 8);
  grid_build_source x;
  atomic_bool spoiled = false;
  GrB_Info info = grid_build_source_make(&x, A, b, 32, numbers, numbers ? 0 : s->val_size, &spoiled);
  if (info == GrB_SUCCESS) info = deal(&x, b->everywhere ? 1 : (uint64_t)grid_here.P, s, count);
  if (info == GrB_SUCCESS && numbers) info = look_up(&x, pairs, s);
  grid_build_source_free(&x);
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

/* Names the first tuple of this process that lies outside the matrix, where one was met. */
static GrB_Info name_outside(GrB_Matrix A, const grid_build *b, GrB_Info info, const char *call) {
  uint64_t bad = UINT64_MAX;
  if (info != GrB_INVALID_INDEX) return info;
#pragma omp parallel for schedule(static) reduction(min : bad) if (b->n > 1 << 15)
  for (uint64_t k = 0; k < b->n; k++)
    if ((b->row[k] >= A->nrows || b->col[k] >= A->ncols) && k < bad) bad = k;
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

/* Straight from the program's arrays, where every process has the tuples of its block and the host builds it.
 */
static GrB_Info build_in_place(GrB_Matrix A, const grid_build *b, grid_part *block, grid_pair *bad) {
  grid_build_source x;
  atomic_bool spoiled = false;
  GrB_Info info = grid_build_source_make(&x, A, b, grid_key_bits(block), false, value_size(b), &spoiled);
  const grid_part_tuples t = {.source = grid_build_source_read(&x),
                              .pattern = b->val == NULL,
                              .values = b->val,
                              .one = b->one,
                              .spoiled = &spoiled,
                              .how = {b->dup, b->keep_last}};
  if (info == GrB_SUCCESS) info = grid_part_build_from(block, &t, bad);
  grid_build_source_free(&x);
  return info;
}

/* By way of an array of the block's tuples, which have come from all processes. */
static GrB_Info build_from_shipment(GrB_Matrix A, const grid_build *b, bool pairs, grid_part *block,
                                    grid_pair *bad, const char *call) {
  shipment s = {.key_size = pairs ? sizeof(grid_pair) : sizeof(uint64_t), .val_size = value_size(b)};
  uint64_t *count = grid_calloc((size_t)grid_here.P, sizeof *count);
  GrB_Info info = count ? pack(A, b, pairs, &s, count)
                        : grid_fail_memory(&A->head, "tuple counts", (uint64_t)grid_here.P, sizeof *count);
  TRY(grid_agree(&A->head, name_outside(A, b, info, call)));
  if (!b->everywhere && grid_here.P > 1) {
    if (s.val_size) TRY(send((void **)&s.val, count, s.val_size, &s.n));
    TRY(send(&s.keys, count, s.key_size, &s.n));
  }
  info =
      grid_part_make(block, s.keys, pairs, s.n, s.val, b->one, (grid_duplicates){b->dup, b->keep_last}, bad);
  s.keys = NULL;
done:
  grid_free(s.keys);
  grid_free(s.val);
  grid_free(count);
  return info;
}

GrB_Info grid_matrix_fill(GrB_Matrix A, const grid_build *b, const char *call) {
  grid_part block;
  const GrB_Type built = b->val ? b->type : A->type;
  grid_part_init(&block, built, grid_block_rows(A->nrows), grid_block_cols(A->ncols));
  const bool pairs = grid_axis_wide(&block.row) || grid_axis_wide(&block.col),
             in_place = (b->everywhere || grid_here.P == 1) && !pairs && !grid_device_on();
  grid_mem_keep(b->n * (b->mirror ? 2 : 1) * 2 * sizeof(uint64_t)); /* until the matrix is ready */
  grid_pair bad = {0, 0};
  GrB_Info info = in_place ? name_outside(A, b, build_in_place(A, b, &block, &bad), call)
                           : build_from_shipment(A, b, pairs, &block, &bad, call);
  info = name_duplicate(A, info, bad, call);
  if (info == GrB_SUCCESS && built != A->type) info = grid_part_cast(&block, A->type);
  info = grid_matrix_adopt(A, b, &block, info);
  grid_part_free(&block);
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
