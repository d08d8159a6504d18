/* Life of a matrix, and its single entries. */
#include "dist/object/matrix.h"

#include <string.h>

#include "dist/object/derived.h"
#include "spmat/device/device.h"
#include "spmat/device/times.h"

GrB_Info grid_check_matrix(GrB_Matrix a, const char *call, const char *what) {
  GrB_Info info = grid_check_ready(call);
  return info == GrB_SUCCESS ? grid_check_object(a, NULL, call, what) : info;
}

void grid_pending_free(grid_pending *p) {
  grid_free(p->row);
  grid_free(p->col);
  grid_free(p->removed);
  grid_free(p->val);
  *p = (grid_pending){0};
}

void grid_matrix_drop(GrB_Matrix A) {
  grid_derived_free(A);
  grid_part_free(&A->block);
  grid_pending_free(&A->pending);
  grid_degrees_free(A);
  A->nvals = 0;
  A->ready = A->split_decided = false;
  A->forms = 0;
  A->wide = false;
  A->symmetric = false;
  A->on_device = grid_device_on();
}

/* A new empty matrix on this process; NULL when out of memory. */
static GrB_Matrix make(GrB_Type type, uint64_t nrows, uint64_t ncols) {
  GrB_Matrix A = grid_calloc(1, sizeof *A);
  if (!A) return NULL;
  A->head.magic = GRID_MAGIC;
  A->type = type;
  A->nrows = nrows;
  A->ncols = ncols;
  A->orientation = grid_global.orientation;
  A->delegates = Grid_DELEGATES_AUTO;
  A->on_device = grid_device_on();
  grid_part_init(&A->block, type, grid_block_rows(nrows), grid_block_cols(ncols));
  return A;
}

GrB_Info GrB_Matrix_new(GrB_Matrix *A, GrB_Type type, GrB_Index nrows, GrB_Index ncols) {
  const char *call = "GrB_Matrix_new";
  GrB_Info info = grid_check_ready(call);
  if (info != GrB_SUCCESS) return info;
  if (!A) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument A is NULL", call);
  if ((info = grid_check_object(type, NULL, call, "type")) != GrB_SUCCESS) return info;
  if (nrows == 0 || ncols == 0 || nrows > GrB_INDEX_MAX + 1 || ncols > GrB_INDEX_MAX + 1)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: dimensions %llu x %llu are not between 1 and 2^60", call,
                     (unsigned long long)nrows, (unsigned long long)ncols);
  GrB_Matrix made = make(type, nrows, ncols);
  info = grid_agree(NULL, made ? GrB_SUCCESS : grid_fail_memory(NULL, "a matrix", 1, sizeof *made));
  if (info == GrB_SUCCESS)
    *A = made;
  else
    grid_free(made);
  return info;
}

GrB_Info GrB_Matrix_free(GrB_Matrix *A) {
  if (!A || !*A) return GrB_SUCCESS;
  if (grid_is_live(*A)) {
    grid_matrix_drop(*A);
    grid_workspace_free(&(*A)->work);
    grid_head_end(&(*A)->head);
    grid_free(*A);
  }
  *A = NULL;
  return GrB_SUCCESS;
}

GrB_Info GrB_Matrix_dup(GrB_Matrix *C, const GrB_Matrix A) {
  const char *call = "GrB_Matrix_dup";
  GrB_Info info = grid_check_matrix(A, call, "A");
  if (info != GrB_SUCCESS) return info;
  if (!C) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument C is NULL", call);
  grid_tuples t = {0};
  GrB_Matrix made = NULL;
  TRY(grid_matrix_complete(A));
  TRY(GrB_Matrix_new(&made, A->type, A->nrows, A->ncols));
  made->delegates = A->delegates;
  made->direction = A->direction;
  made->orientation = A->orientation;
  if (!A->split) {
    TRY(grid_agree(&A->head, grid_part_copy(&made->block, &A->block)));
    made->nvals = A->nvals;
    made->symmetric = A->symmetric;
    made->on_device = A->on_device;
    made->split_decided = A->split_decided;
    TRY(grid_agree(&A->head, grid_degrees_copy(made, A)));
    made->ready = A->ready;
    made->forms = A->forms;
    made->wide = A->wide;
  } else {
    TRY(grid_agree(&A->head, grid_matrix_tuples(A, &t)));
    TRY(grid_matrix_fill(made,
                         &(grid_build){.row = t.row,
                                       .col = t.col,
                                       .val = t.val,
                                       .type = A->type,
                                       .one = A->block.iso_val,
                                       .n = t.n,
                                       .keep_last = true},
                         call));
    made->symmetric = A->symmetric;
  }
  *C = made;
  made = NULL;
done:
  grid_tuples_free(&t);
  GrB_Matrix_free(&made);
  return info;
}

GrB_Info GrB_Matrix_clear(GrB_Matrix A) {
  GrB_Info info = grid_check_matrix(A, "GrB_Matrix_clear", "A");
  if (info == GrB_SUCCESS) grid_matrix_drop(A);
  return info;
}

/* Local: the matrix alone is looked at. */
static GrB_Info check_dimension(GrB_Index *out, GrB_Matrix A, const char *call, const char *what) {
  GrB_Info info = grid_check_local(A, call, "A");
  if (info == GrB_SUCCESS && !out)
    info = grid_fail(&A->head, GrB_NULL_POINTER, "%s: argument %s is NULL", call, what);
  return info;
}

GrB_Info GrB_Matrix_nrows(GrB_Index *nrows, const GrB_Matrix A) {
  GrB_Info info = check_dimension(nrows, A, "GrB_Matrix_nrows", "nrows");
  if (info == GrB_SUCCESS) *nrows = A->nrows;
  return info;
}

GrB_Info GrB_Matrix_ncols(GrB_Index *ncols, const GrB_Matrix A) {
  GrB_Info info = check_dimension(ncols, A, "GrB_Matrix_ncols", "ncols");
  if (info == GrB_SUCCESS) *ncols = A->ncols;
  return info;
}

GrB_Info GrB_Matrix_nvals(GrB_Index *nvals, const GrB_Matrix A) {
  GrB_Info info = grid_check_matrix(A, "GrB_Matrix_nvals", "A");
  if (info != GrB_SUCCESS) return info;
  if (!nvals) return grid_fail(&A->head, GrB_NULL_POINTER, "GrB_Matrix_nvals: argument nvals is NULL");
  if ((info = grid_matrix_complete(A)) != GrB_SUCCESS) return info;
  *nvals = A->nvals;
  return GrB_SUCCESS;
}

/* What a search in both directions wants of a symmetric matrix: on several processes its rows, or its columns
 * where these are spread over fewer (dist/op/mxv.c), and the others' for pushing. The device takes all. */
static unsigned search_forms(void) {
  if (grid_here.P == 1 || grid_device_on()) return GRID_ALL_FORMS;
  return grid_here.R < grid_here.C ? GRID_COLS | GRID_COL_HEADS : GRID_COLS | GRID_ROW_HEADS;
}

GrB_Info GrB_Matrix_wait(GrB_Matrix A, GrB_WaitMode mode) {
  GrB_Info info = A ? grid_check_ready("GrB_Matrix_wait") : GrB_SUCCESS; /* materializes a loop over A */
  if (info == GrB_SUCCESS) info = grid_wait_object(A, mode, "GrB_Matrix_wait");
  if (info != GrB_SUCCESS) return info;
  if (mode != GrB_MATERIALIZE) return grid_matrix_complete(A);
  if ((info = grid_matrix_materialize(A)) != GrB_SUCCESS) return info;
  /* a graph that is known to be symmetric is there to be searched, both ways */
  if (A->symmetric && (info = grid_matrix_orient(A, search_forms())) != GrB_SUCCESS) return info;
  if (!grid_device_on()) return info;
  grid_lap_start();
  /* host code may have looked at it since */
  info = grid_agree(&A->head, grid_matrix_to_device(A));
  return info == GrB_SUCCESS ? grid_derived_wait(A) : info;
}

GrB_Info GrB_Matrix_error(const char **error, const GrB_Matrix A) {
  return grid_error_of_object(error, A, "GrB_Matrix_error");
}

/* ---- single entries ---- */

static GrB_Info check_entry(GrB_Matrix A, GrB_Index i, GrB_Index j, const char *call) {
  if (i < A->nrows && j < A->ncols) return GrB_SUCCESS;
  return grid_fail(&A->head, GrB_INVALID_INDEX, "%s: (%llu, %llu) is outside the %llu x %llu matrix", call,
                   (unsigned long long)i, (unsigned long long)j, (unsigned long long)A->nrows,
                   (unsigned long long)A->ncols);
}

static bool grow(grid_pending *p, size_t size) {
  if (p->n < p->capacity) return true;
  uint64_t capacity = p->capacity ? 2 * p->capacity : 64;
  void *row = grid_realloc(p->row, capacity, sizeof *p->row);
  if (row) p->row = row;
  void *col = grid_realloc(p->col, capacity, sizeof *p->col);
  if (col) p->col = col;
  void *removed = grid_realloc(p->removed, capacity, sizeof *p->removed);
  if (removed) p->removed = removed;
  void *val = grid_realloc(p->val, capacity, size);
  if (val) p->val = val;
  if (!row || !col || !removed || !val) return false;
  p->capacity = capacity;
  return true;
}

/* Notes a change (x == NULL: a removal) on every process. */
static GrB_Info note(GrB_Matrix A, const void *x, GrB_Type xtype, GrB_Index i, GrB_Index j) {
  grid_pending *p = &A->pending;
  GrB_Info info = GrB_SUCCESS;
  if (p->n == p->capacity) {
    info = grow(p, A->type->size)
               ? GrB_SUCCESS
               : grid_fail_memory(&A->head, "pending entries", 2 * p->n, A->type->size + 17);
    if ((info = grid_agree(&A->head, info)) != GrB_SUCCESS) {
      if (p->capacity > p->n) p->capacity = p->n; /* all processes grow together again */
      return info;
    }
  }
  p->row[p->n] = i;
  p->col[p->n] = j;
  p->removed[p->n] = !x;
  if (x) grid_cast_array(p->val + p->n * A->type->size, A->type, x, xtype, 1, 1);
  p->n++;
  return GrB_SUCCESS;
}

static GrB_Info set_element(GrB_Matrix A, const void *x, GrB_Type xtype, GrB_Index i, GrB_Index j,
                            const char *call) {
  GrB_Info info = grid_check_matrix(A, call, "C");
  if (info != GrB_SUCCESS) return info;
  if (!x) return grid_fail(&A->head, GrB_NULL_POINTER, "%s: argument x is NULL", call);
  if (!xtype && (info = grid_check_user_type(xtype = A->type, &A->head, call)) != GrB_SUCCESS) return info;
  if (!grid_compatible(A->type, xtype))
    return grid_fail(&A->head, GrB_DOMAIN_MISMATCH, "%s: a value of type %s cannot become %s", call,
                     xtype->name, A->type->name);
  if ((info = check_entry(A, i, j, call)) != GrB_SUCCESS) return info;
  return note(A, x, xtype, i, j);
}

GrB_Info GrB_Matrix_removeElement(GrB_Matrix C, GrB_Index i, GrB_Index j) {
  const char *call = "GrB_Matrix_removeElement";
  GrB_Info info = grid_check_matrix(C, call, "C");
  if (info == GrB_SUCCESS) info = check_entry(C, i, j, call);
  return info == GrB_SUCCESS ? note(C, NULL, NULL, i, j) : info;
}

/* The owner of (i, j) looks it up, and the value goes to everyone. *found says whether there is one. */
static GrB_Info look_up(GrB_Matrix A, GrB_Index i, GrB_Index j, void *value, bool *found) {
  GrB_Info info = grid_matrix_complete(A);
  if (info != GrB_SUCCESS) return info;
  if (A->on_device && (info = grid_agree(&A->head, grid_matrix_to_host(A))) != GrB_SUCCESS) return info;
  const void *v = grid_matrix_local(A, i, j);
  uint64_t owner = v ? (uint64_t)grid_here.k + 1 : 0;
  if ((info = grid_here.transport->allreduce(GRID_SET_ALL, &owner, 1, GRID_MAX)) != GrB_SUCCESS) return info;
  *found = owner != 0;
  if (!*found) return GrB_SUCCESS;
  if (v) memcpy(value, v, A->type->size);
  return grid_here.transport->bcast(GRID_SET_ALL, value, A->type->size, (int)owner - 1);
}

const void *grid_matrix_local(GrB_Matrix A, GrB_Index i, GrB_Index j) {
  const void *v = grid_derived_find(A, i, j);
  if (v) return v;
  if (grid_block_of(A->nrows, A->ncols, i, j) != grid_here.k) return NULL;
  uint64_t r = grid_axis_find(&A->block.row, grid_local_row(A->nrows, i));
  uint64_t c = grid_axis_find(&A->block.col, grid_local_col(A->ncols, j));
  if (r == UINT64_MAX || c == UINT64_MAX) return NULL;
  uint64_t at = grid_part_find(&A->block, r, c);
  return at == UINT64_MAX ? NULL : grid_part_value(&A->block, at);
}

static GrB_Info extract_element(void *x, GrB_Type xtype, GrB_Matrix A, GrB_Index i, GrB_Index j,
                                const char *call, bool *found) {
  GrB_Info info = grid_check_matrix(A, call, "A");
  if (info != GrB_SUCCESS) return info;
  if (!x) return grid_fail(&A->head, GrB_NULL_POINTER, "%s: argument x is NULL", call);
  if (!xtype && (info = grid_check_user_type(xtype = A->type, &A->head, call)) != GrB_SUCCESS) return info;
  if (!grid_compatible(xtype, A->type))
    return grid_fail(&A->head, GrB_DOMAIN_MISMATCH, "%s: a value of type %s cannot become %s", call,
                     A->type->name, xtype->name);
  if ((info = check_entry(A, i, j, call)) != GrB_SUCCESS) return info;
  _Alignas(16) char small[64];
  void *value = small, *large = NULL;
  if (A->type->size > sizeof small) {
    value = large = grid_malloc(1, A->type->size);
    info =
        grid_agree(&A->head, value ? GrB_SUCCESS : grid_fail_memory(&A->head, "a value", 1, A->type->size));
  }
  if (info == GrB_SUCCESS) info = look_up(A, i, j, value, found);
  if (info == GrB_SUCCESS && *found) grid_cast_array(x, xtype, value, A->type, 1, 1);
  grid_free(large);
  return info;
}

#define ELEMENT(T, C_TYPE)                                                                          \
  GrB_Info GrB_Matrix_setElement_##T(GrB_Matrix C, C_TYPE x, GrB_Index i, GrB_Index j) {            \
    return set_element(C, &x, GrB_##T, i, j, "GrB_Matrix_setElement");                              \
  }                                                                                                 \
  GrB_Info GrB_Matrix_extractElement_##T(C_TYPE *x, const GrB_Matrix A, GrB_Index i, GrB_Index j) { \
    bool found = false;                                                                             \
    GrB_Info info = extract_element(x, GrB_##T, A, i, j, "GrB_Matrix_extractElement", &found);      \
    return info == GrB_SUCCESS && !found ? GrB_NO_VALUE : info;                                     \
  }
GRID_TYPES(ELEMENT)

GrB_Info GrB_Matrix_setElement_UDT(GrB_Matrix C, const void *x, GrB_Index i, GrB_Index j) {
  return set_element(C, x, NULL, i, j, "GrB_Matrix_setElement");
}

GrB_Info GrB_Matrix_extractElement_UDT(void *x, const GrB_Matrix A, GrB_Index i, GrB_Index j) {
  bool found = false;
  GrB_Info info = extract_element(x, NULL, A, i, j, "GrB_Matrix_extractElement", &found);
  return info == GrB_SUCCESS && !found ? GrB_NO_VALUE : info;
}

GrB_Info GrB_Matrix_setElement_Scalar(GrB_Matrix C, const GrB_Scalar s, GrB_Index i, GrB_Index j) {
  const char *call = "GrB_Matrix_setElement";
  GrB_Info info = grid_check_matrix(C, call, "C");
  if (info == GrB_SUCCESS) info = grid_check_object(s, &C->head, call, "s");
  if (info != GrB_SUCCESS) return info;
  if (s->present) return set_element(C, s->val, s->type, i, j, call);
  if (!grid_compatible(C->type, s->type))
    return grid_fail(&C->head, GrB_DOMAIN_MISMATCH, "%s: a value of type %s cannot become %s", call,
                     s->type->name, C->type->name);
  return GrB_Matrix_removeElement(C, i, j);
}

GrB_Info GrB_Matrix_extractElement_Scalar(GrB_Scalar s, const GrB_Matrix A, GrB_Index i, GrB_Index j) {
  const char *call = "GrB_Matrix_extractElement";
  GrB_Info info = grid_check_matrix(A, call, "A");
  if (info == GrB_SUCCESS) info = grid_check_object(s, &A->head, call, "s");
  if (info != GrB_SUCCESS) return info;
  bool found = false;
  info = extract_element(s->val, s->type, A, i, j, call, &found);
  if (info == GrB_SUCCESS) s->present = found;
  return info;
}
