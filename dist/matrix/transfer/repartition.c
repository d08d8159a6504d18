/* See repartition.h. Objects are extracted as tuples under the old partition and built again under the new
 * one beside the old objects. When nothing can fail any more, all adopt the new contents. */
#include "dist/matrix/transfer/repartition.h"

#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "dist/vector/vector.h"
#include "spmat/device/device.h"
#include "spmat/vec_ops.h"

typedef struct {
  GrB_Matrix A;
  bool reopens;              /* the file has all rows: it is opened again, nothing is sent */
  bool routes;               /* the block's entries go from device to device, or else through host memory */
  grid_index_map rows, cols; /* under the old partition */
  grid_tuples t;
  grid_local_matrix made;
  grid_pages *pages;
} moving_matrix;

typedef struct {
  GrB_Vector v;
  uint64_t n, *idx;
  char *val;
  grid_chunk made;
} moving_vector;

typedef struct {
  moving_matrix *matrix;
  moving_vector *vector;
  uint64_t matrices, vectors;
} moving;

static void moving_free(moving *m) {
  for (uint64_t k = 0; m->matrix && k < m->matrices; k++) {
    grid_tuples_free(&m->matrix[k].t);
    if (m->matrix[k].made.type) grid_lmat_free(&m->matrix[k].made);
    grid_pages_free(m->matrix[k].pages);
  }
  for (uint64_t k = 0; m->vector && k < m->vectors; k++) {
    grid_free(m->vector[k].idx);
    grid_free(m->vector[k].val);
    if (m->vector[k].made.type) grid_chunk_free(&m->vector[k].made);
  }
  grid_free(m->matrix);
  grid_free(m->vector);
}

/* Collects the objects that have the dimension. */
static GrB_Info list_objects(moving *m, uint64_t n) {
  for (int pass = 0; pass < 2; pass++) {
    m->matrices = m->vectors = 0;
    for (const grid_live_object *x = NULL; (x = grid_live_next(GRID_MATRICES, x));) {
      const GrB_Matrix A = x->object;
      if (A->nrows != n && A->ncols != n) continue;
      if (pass) m->matrix[m->matrices].A = A;
      m->matrices++;
    }
    for (const grid_live_object *x = NULL; (x = grid_live_next(GRID_VECTORS, x));) {
      const GrB_Vector v = x->object;
      if (v->n != n) continue;
      if (pass) m->vector[m->vectors].v = v;
      m->vectors++;
    }
    if (pass) break;
    m->matrix = grid_calloc(m->matrices, sizeof *m->matrix);
    m->vector = grid_calloc(m->vectors, sizeof *m->vector);
    if (!m->matrix || !m->vector)
      return grid_fail_memory(NULL, "objects to move", m->matrices + m->vectors, sizeof *m->matrix);
  }
  return GrB_SUCCESS;
}

/* ---- out, under the old cuts ---- */

static GrB_Info receive_vector(moving_vector *x) {
  const GrB_Vector v = x->v;
  const GrB_Info info = grid_chunk_wait(&v->chunk);
  if (info != GrB_SUCCESS) return info;
  x->n = v->chunk.nvals;
  x->idx = grid_malloc(x->n, sizeof *x->idx);
  x->val = grid_malloc(x->n, v->type->size);
  if (!x->idx || !x->val)
    return grid_fail_memory(&v->head, "entries to move", x->n, sizeof *x->idx + v->type->size);
  return grid_vec_tuples(x->idx, x->val, v->type, &v->chunk, grid_chunk_first(v->n, grid_ctx.k));
}

/* Collective, agreed on. */
static GrB_Info prepare_matrix(moving_matrix *x) {
  const GrB_Matrix A = x->A;
  GrB_Info info = grid_matrix_require(A, GRID_OUTOFCORE);
  TRY(info);
  x->reopens = grid_is_paged(A) && A->pages->whole && grid_ctx.C == 1;
  if (x->reopens) return info;
  TRY(grid_matrix_require(A, GRID_ROWS));
  x->routes = grid_device_is_on() && !A->delegates.split;
  if (x->routes) TRY(grid_matrix_agree_iso(A));
  x->rows = grid_block_row_map(A), x->cols = grid_block_col_map(A);
done:
  return info;
}

static GrB_Info receive_all(moving *m) {
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t k = 0; k < m->matrices; k++) TRY(prepare_matrix(&m->matrix[k]));
  for (uint64_t k = 0; k < m->matrices && info == GrB_SUCCESS; k++)
    if (!m->matrix[k].reopens && !m->matrix[k].routes)
      info = grid_matrix_tuples(m->matrix[k].A, &m->matrix[k].t);
  for (uint64_t k = 0; k < m->vectors && info == GrB_SUCCESS; k++) info = receive_vector(&m->vector[k]);
  info = grid_agree(NULL, info);
done:
  return info;
}

/* ---- in, under the new ones ---- */

/* Opens the rows of the new partition in the file. */
static GrB_Info make_paged(moving_matrix *x) {
  const GrB_Matrix A = x->A;
  const int k = grid_ctx.k;
  const uint64_t rows = grid_chunk_length(A->nrows, k), first = rows ? grid_chunk_first(A->nrows, k) : 0;
  grid_lmat_init(&x->made, A->type, grid_block_rows(A->nrows), grid_block_cols(A->ncols));
  const GrB_Info info = grid_pages_reopen(&x->pages, A->pages, first, rows);
  if (info == GrB_SUCCESS) {
    x->pages->read = A->pages->read;
    x->made.nvals = grid_pages_nvals(x->pages);
    x->made.row.n = x->made.row.dim, x->made.col.n = x->made.col.dim;
  }
  return grid_agree(&A->head, info);
}

/* A block that has got no entries is iso where those of other processes are. */
static GrB_Info follow_iso(grid_local_matrix *made, const grid_local_matrix *before) {
  if (made->nvals || made->iso || !before->iso) return GrB_SUCCESS;
  grid_free(made->by_row.val); /* of no entries */
  made->by_row.val = NULL;
  return grid_lmat_set_iso(made, before->iso_val);
}

static GrB_Info make_matrix(moving_matrix *x, const char *call) {
  const GrB_Matrix A = x->A;
  if (x->reopens) return make_paged(x);
  GrB_Info info =
      x->routes ? grid_route_entries(A, &A->block, &x->rows, &x->cols, false, GrB_SUCCESS, &x->made, call)
                : grid_route_tuples(A, &x->t, A->type, A->block.iso_val, GrB_SUCCESS, &x->made, call);
  if (info == GrB_SUCCESS && !grid_compressed_is_built(&x->made.by_row))
    info = grid_matrix_empty_block(&x->made);
  if (info == GrB_SUCCESS && x->routes) info = follow_iso(&x->made, &A->block);
  return grid_agree(&A->head, info);
}

/* A vector stays in the device's memory, if that has room. */
static GrB_Info follow_device(const grid_chunk *before, const grid_chunk *made) {
  const uint64_t refusals = grid_device_oom_count();
  if (!before->device || !grid_chunk_can_move(made)) return GrB_SUCCESS;
  const GrB_Info info = grid_device_oom_to_unsupported(grid_chunk_to_device(made), refusals);
  return info == GRID_UNSUPPORTED ? GrB_SUCCESS : info;
}

static GrB_Info make_vector(moving_vector *x) {
  const GrB_Vector v = x->v;
  grid_routed_entries in = {0};
  uint64_t where;
  GrB_Info info = grid_route(&in, x->n, x->idx, x->val, 1, v->type->size, v->n, GrB_SUCCESS);
  grid_chunk_init(&x->made, v->type, grid_chunk_length(v->n, grid_ctx.k));
  if (info == GrB_SUCCESS)
    info = grid_vec_build(&x->made, in.idx, in.val, v->type, 1, in.n, (grid_dup){.last = true}, &where);
  if (info == GrB_SUCCESS) info = grid_chunk_choose_format(&x->made);
  if (info == GrB_SUCCESS) info = follow_device(&v->chunk, &x->made);
  grid_routed_entries_free(&in);
  return grid_agree(&v->head, info);
}

static GrB_Info make_objects(moving *m, const char *call) {
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t k = 0; k < m->matrices; k++) TRY(make_matrix(&m->matrix[k], call));
  for (uint64_t k = 0; k < m->vectors; k++) TRY(make_vector(&m->vector[k]));
done:
  return info;
}

static void move_from(moving *m) {
  for (uint64_t k = 0; k < m->matrices; k++) {
    const GrB_Matrix A = m->matrix[k].A;
    const uint64_t nvals = A->nvals;
    const bool symmetric = A->properties.symmetric;
    grid_matrix_drop(A);
    A->block = m->matrix[k].made;
    A->pages = m->matrix[k].pages;
    m->matrix[k].pages = NULL;
    A->nvals = nvals, A->properties.symmetric = symmetric;
    m->matrix[k].made.type = NULL;
  }
  for (uint64_t k = 0; k < m->vectors; k++) {
    const GrB_Vector v = m->vector[k].v;
    grid_chunk_free(&v->chunk);
    grid_chunk_free(&v->reusable);
    v->chunk = m->vector[k].made;
    grid_chunk_init(&v->reusable, v->type, v->chunk.n);
    m->vector[k].made.type = NULL;
  }
}

GrB_Info grid_repartition_dim(uint64_t n, const uint64_t *first, const char *call) {
  moving m = {0};
  grid_partition *partition = first ? grid_partition_make(n, first) : NULL;
  GrB_Info info =
      first && !partition ? grid_fail_memory(NULL, "cuts", (uint64_t)grid_ctx.P, 24) : list_objects(&m, n);
  TRY(grid_agree(NULL, info));
  TRY(receive_all(&m));
  partition = grid_partition_swap(n, partition);
  info = make_objects(&m, call);
  if (info == GrB_SUCCESS)
    move_from(&m);
  else
    partition = grid_partition_swap(n, partition);
done:
  grid_partition_free(partition);
  moving_free(&m);
  return info;
}
