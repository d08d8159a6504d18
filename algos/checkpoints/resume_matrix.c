/* See resume_matrix.h. */
#include "algos/checkpoints/resume_matrix.h"

#include <stdlib.h>
#include <string.h>

/* ---- tuples on this process ---- */

typedef struct {
  GrB_Index *row, *col, *at, count; /* at: the position among the tuples of all processes */
  void *value;                      /* NULL: of a pattern */
} local_tuples;

static void free_tuples(local_tuples *t) {
  free(t->row), free(t->col), free(t->at), free(t->value);
}

static GrB_Info allocate(local_tuples *t, GrB_Type type) {
  GrB_Info info;
  size_t size = 0;
  if (type != NULL) TRY(Grid_agree(GxB_Type_size(&size, type), NULL));
  t->row = malloc((t->count + 1) * sizeof *t->row);
  t->col = malloc((t->count + 1) * sizeof *t->col);
  t->at = malloc((t->count + 1) * sizeof *t->at);
  if (size > 0) t->value = malloc((t->count + 1) * size);
  const bool allocated = t->row != NULL && t->col != NULL && t->at != NULL && (size == 0 || t->value != NULL);
  TRY(Grid_agree(allocated ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, "no memory for the entries of a checkpoint"));
out:
  return info;
}

/* Sets t->at; *all: the number of tuples of all processes. */
static GrB_Info number(local_tuples *t, uint64_t *all) {
  GrB_Info info;
  const size_t processes = (size_t)Grid_size(), rank = (size_t)Grid_rank();
  uint64_t *count = calloc(processes, sizeof *count), before = 0;
  TRY(Grid_agree(count == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory for the processes' counts"));
  count[rank] = t->count;
  TRY(Grid_sum(count, processes));
  *all = 0;
  for (size_t p = 0; p < processes; p++) {
    if (p < rank) before += count[p];
    *all += count[p];
  }
  for (GrB_Index k = 0; k < t->count; k++) t->at[k] = before + k;
out:
  free(count);
  return info;
}

/* ---- tuples as vectors ---- */

typedef struct {
  uint64_t count; /* of the matrix's entries */
  GrB_Vector row, col, value;
  char name[3][64];
} packed_matrix;

static void free_packed(packed_matrix *p) {
  GrB_Vector_free(&p->row);
  GrB_Vector_free(&p->col);
  GrB_Vector_free(&p->value);
}

/* The smaller type that has the indices below n. */
static GrB_Type index_type(GrB_Index n) {
  return n <= UINT32_MAX ? GrB_UINT32 : GrB_UINT64;
}

/* Empty vectors for p->count entries of m. */
static GrB_Info create_vectors(packed_matrix *p, const checkpoint_matrix *m) {
  GrB_Info info;
  GrB_Index nrows, ncols;
  TRY(GrB_Matrix_nrows(&nrows, m->M));
  TRY(GrB_Matrix_ncols(&ncols, m->M));
  TRY(GrB_Vector_new(&p->row, index_type(nrows), p->count));
  TRY(GrB_Vector_new(&p->col, index_type(ncols), p->count));
  if (m->type != NULL) TRY(GrB_Vector_new(&p->value, m->type, p->count));
out:
  return info;
}

static GrB_Info pack(packed_matrix *p, const checkpoint_matrix *m) {
  GrB_Info info;
  local_tuples t = {.count = 0};
  TRY(Grid_agree(Grid_Matrix_extractLocal(NULL, NULL, NULL, &t.count, m->M), NULL));
  TRY(allocate(&t, m->type));
  TRY(Grid_agree(Grid_Matrix_extractLocal(t.row, t.col, t.value, &t.count, m->M), NULL));
  TRY(number(&t, &p->count));
  TRY(create_vectors(p, m));
  TRY(Grid_Vector_build(p->row, t.at, t.row, GrB_UINT64, t.count, NULL));
  TRY(Grid_Vector_build(p->col, t.at, t.col, GrB_UINT64, t.count, NULL));
  if (m->type != NULL) TRY(Grid_Vector_build(p->value, t.at, t.value, m->type, t.count, NULL));
out:
  free_tuples(&t);
  return info;
}

/* to = this process's values of v, which are indices. */
static GrB_Info read_indices(GrB_Index *to, GrB_Vector v, GrB_Index count) {
  GrB_Info info;
  GrB_Index n;
  GrB_Vector cast = NULL;
  TRY(GrB_Vector_size(&n, v));
  TRY(GrB_Vector_new(&cast, GrB_UINT64, n));
  TRY(GrB_Vector_apply(cast, NULL, NULL, GrB_IDENTITY_UINT64, v, NULL));
  TRY(Grid_agree(Grid_Vector_extractLocal(NULL, to, &count, cast), NULL));
out:
  GrB_Vector_free(&cast);
  return info;
}

/* m gets the entries of p. */
static GrB_Info unpack(const checkpoint_matrix *m, const packed_matrix *p) {
  GrB_Info info;
  GrB_Index first;
  local_tuples t = {.count = 0};
  TRY(Grid_local_range(p->count, &first, &t.count));
  TRY(allocate(&t, m->type));
  TRY(read_indices(t.row, p->row, t.count));
  TRY(read_indices(t.col, p->col, t.count));
  if (m->type != NULL) TRY(Grid_agree(Grid_Vector_extractLocal(NULL, t.value, &t.count, p->value), NULL));
  TRY(GrB_Matrix_clear(m->M));
  TRY(Grid_Matrix_build(m->M, t.row, t.col, t.value, m->type, t.count, NULL, 0));
out:
  free_tuples(&t);
  return info;
}

/* ---- checkpoints ---- */

/* The items of a checkpoint without its key: how many entries each matrix has, the state, the vectors. */
typedef struct {
  uint64_t count[CHECKPOINT_MOST_MATRICES];
  packed_matrix packed[CHECKPOINT_MOST_MATRICES];
  Grid_Checkpoint_Item item[CHECKPOINT_MOST_ENTRIES];
} packed_state;

static void free_state(packed_state *s) {
  for (int k = 0; k < CHECKPOINT_MOST_MATRICES; k++) free_packed(&s->packed[k]);
}

static void add_counts(packed_state *s) {
  s->item[0] = (Grid_Checkpoint_Item){.name = "matrix_entries", .bytes = s->count, .size = sizeof s->count};
}

static void add_vector(Grid_Checkpoint_Item *item, char *text, const char *name, const char *what,
                       GrB_Vector v) {
  snprintf(text, sizeof((packed_matrix *)NULL)->name[0], "%.40s.%s", name, what);
  *item = (Grid_Checkpoint_Item){.name = text, .vector = v};
}

/* Returns the number of items. */
static int list_items(packed_state *s, const Grid_Checkpoint_Item *state, int n,
                      const checkpoint_matrix *matrix, int m) {
  int items = n + 1;
  add_counts(s);
  if (n > 0) memcpy(s->item + 1, state, (size_t)n * sizeof *state);
  for (int k = 0; k < m; k++) {
    packed_matrix *p = &s->packed[k];
    add_vector(&s->item[items++], p->name[0], matrix[k].name, "rows", p->row);
    add_vector(&s->item[items++], p->name[1], matrix[k].name, "columns", p->col);
    if (matrix[k].type != NULL) add_vector(&s->item[items++], p->name[2], matrix[k].name, "values", p->value);
  }
  return items;
}

GrB_Info grid_checkpoint_resume_matrices(uint64_t *done, const checkpoint_key *c,
                                         const Grid_Checkpoint_Item *state, int n,
                                         const checkpoint_matrix *matrix, int m) {
  GrB_Info info;
  packed_state s = {.count = {0}};
  if (!grid_checkpoint_is_set()) return GrB_SUCCESS;
  add_counts(&s);
  TRY(grid_checkpoint_resume(done, c, s.item, 1)); /* how long the vectors are */
  if (Grid_checkpoint_resumed() == 0) goto out;
  for (int k = 0; k < m; k++) {
    s.packed[k].count = s.count[k];
    TRY(create_vectors(&s.packed[k], &matrix[k]));
  }
  TRY(grid_checkpoint_resume(done, c, s.item, list_items(&s, state, n, matrix, m)));
  for (int k = 0; k < m; k++) TRY(unpack(&matrix[k], &s.packed[k]));
out:
  free_state(&s);
  return info;
}

GrB_Info grid_checkpoint_iteration_matrices(uint64_t done, const checkpoint_key *c,
                                            const Grid_Checkpoint_Item *state, int n,
                                            const checkpoint_matrix *matrix, int m) {
  GrB_Info info = GrB_SUCCESS;
  packed_state s = {.count = {0}};
  if (!grid_checkpoint_is_due(done)) return info;
  for (int k = 0; k < m; k++) {
    TRY(pack(&s.packed[k], &matrix[k]));
    s.count[k] = s.packed[k].count;
  }
  TRY(grid_checkpoint_iteration(done, c, s.item, list_items(&s, state, n, matrix, m)));
out:
  free_state(&s);
  return info;
}
