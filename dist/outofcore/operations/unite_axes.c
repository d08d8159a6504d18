/* The rows, or columns, that a hypersparse result numbers (outofcore_run.h). Hypersparse matrices out of core
 * list the same ones on all processes of a grid row, or column. What others have beyond them is exchanged. */
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/outofcore/operations/outofcore_run.h"
#include "semiring/support/mem.h"
#include "spmat/matrix/axis.h"

/* Ascending. */
typedef struct {
  uint64_t *id, n;
} id_list;

/* list, which is empty, gets space for n ids. */
static GrB_Info allocate_ids(id_list *list, uint64_t n) {
  list->id = grid_malloc(n, sizeof *list->id);
  return list->id ? GrB_SUCCESS : grid_fail_memory(NULL, "a list of rows or columns", n, sizeof *list->id);
}

/* list gets the n ids, too. */
static GrB_Info merge_ids(id_list *list, const uint64_t *id, uint64_t n) {
  id_list all = {0};
  uint64_t a = 0, b = 0;
  if (n == 0) return GrB_SUCCESS;
  const GrB_Info info = allocate_ids(&all, list->n + n);
  if (info != GrB_SUCCESS) return info;
  while (a < list->n || b < n) {
    const bool first = b == n || (a < list->n && list->id[a] <= id[b]);
    const uint64_t next = first ? list->id[a] : id[b];
    a += first, b += b < n && id[b] == next;
    all.id[all.n++] = next;
  }
  grid_free(list->id);
  *list = all;
  return info;
}

/* list, which is empty, gets the ids of an axis. */
static GrB_Info copy_axis(id_list *list, const grid_axis *from) {
  const GrB_Info info = allocate_ids(list, from->n);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < from->n; k++) list->id[list->n++] = grid_axis_id(from, k);
  return info;
}

/* The rows with entries of M, whose block has no list of rows. */
static GrB_Info find_rows(id_list *list, GrB_Matrix M) {
  const uint64_t rows = M->pages ? M->pages->rows : M->block.row.n, nvals = M->block.nvals;
  const GrB_Info info = allocate_ids(list, rows < nvals ? rows : nvals);
  for (uint64_t r = 0; info == GrB_SUCCESS && r < rows; r++)
    if (grid_row_entries(M, r)) list->id[list->n++] = r;
  return info;
}

/* Sets the bits of the columns with entries. */
static GrB_Info mark_columns(void *context, const grid_local_matrix *rows, uint64_t first) {
  uint64_t *nonempty = context;
  (void)first;
  for (uint64_t e = 0; e < rows->nvals; e++) {
    const uint32_t c = rows->by_row.idx[e];
    nonempty[c >> 6] |= UINT64_C(1) << (c & 63);
  }
  return GrB_SUCCESS;
}

/* The columns with entries of M, whose block has no list of columns. */
static GrB_Info find_columns(id_list *list, GrB_Matrix M) {
  const uint64_t dim = M->block.col.dim, nvals = M->block.nvals, words = grid_words(dim);
  uint64_t *nonempty = grid_calloc(words, sizeof *nonempty);
  GrB_Info info = nonempty ? GrB_SUCCESS : grid_fail_memory(NULL, "columns", words, sizeof *nonempty);
  if (info == GrB_SUCCESS) info = allocate_ids(list, dim < nvals ? dim : nvals);
  if (info == GrB_SUCCESS)
    info = M->pages ? grid_pages_stream(M->pages, NULL, mark_columns, nonempty)
                    : mark_columns(nonempty, &M->block, 0);
  for (uint64_t w = 0; info == GrB_SUCCESS && w < words; w++)
    for (uint64_t bits = nonempty[w]; bits; bits &= bits - 1)
      list->id[list->n++] = w * 64 + (uint64_t)__builtin_ctzll(bits);
  grid_free(nonempty);
  return info;
}

/* list gets the rows, or columns, that M lists, or those with entries. */
static GrB_Info merge_axis(id_list *list, GrB_Matrix M, bool rows) {
  const grid_axis *axis = rows ? &M->block.row : &M->block.col;
  id_list local = {0};
  GrB_Info info = GrB_SUCCESS;
  if (!M->pages && M->block.nvals == 0) return info;
  info = axis->ids ? copy_axis(&local, axis) : rows ? find_rows(&local, M) : find_columns(&local, M);
  if (info == GrB_SUCCESS) info = merge_ids(list, local.id, local.n);
  grid_free(local.id);
  return info;
}

/* Removes the ids that `from` has. */
static void subtract_ids(id_list *list, const id_list *from) {
  uint64_t n = 0, at = 0;
  for (uint64_t k = 0; k < list->n; k++) {
    while (at < from->n && from->id[at] < list->id[k]) at++;
    if (at == from->n || from->id[at] != list->id[k]) list->id[n++] = list->id[k];
  }
  list->n = n;
}

/* list gets the ids of `more` of all processes of the set. Collective, agreed on with `info`. */
static GrB_Info gather_ids(id_list *list, const id_list *more, grid_set set, GrB_Info info) {
  const size_t size = (size_t)grid_set_size(set);
  uint64_t *all = NULL;
  size_t *bytes = grid_calloc(4 * size, sizeof *bytes); /* those sent, their offsets 0; those received */
  if (info == GrB_SUCCESS && !bytes)
    info = grid_fail_memory(NULL, "lengths of lists", 4 * size, sizeof *bytes);
  TRY(grid_agree(NULL, info));
  for (size_t r = 0; r < size; r++) bytes[r] = more->n * sizeof *all;
  TRY(grid_exchange_alloc(set, more->id, bytes, bytes + size, (void **)&all, bytes + 2 * size,
                          bytes + 3 * size));
  for (size_t r = 0; r < size && info == GrB_SUCCESS; r++)
    info = merge_ids(list, all + bytes[3 * size + r] / sizeof *all, bytes[2 * size + r] / sizeof *all);
done:
  grid_free(all);
  grid_free(bytes);
  return info;
}

static GrB_Info store_ids(grid_axis *axis, const id_list *list) {
  const GrB_Info info = grid_axis_list(axis, list->n);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < list->n; k++) grid_axis_store(axis, k, list->id[k]);
  return info;
}

GrB_Info grid_unite_axis(grid_axis *axis, const GrB_Matrix *of, int n, bool rows) {
  id_list listed = {0}, more = {0};
  GrB_Info info = allocate_ids(&more, 0); /* what is sent is no NULL pointer */
  for (int k = 0; k < n && info == GrB_SUCCESS; k++)
    if (of[k]) info = merge_axis(grid_is_paged_hypersparse(of[k]) ? &listed : &more, of[k], rows);
  subtract_ids(&more, &listed);
  info = gather_ids(&listed, &more, rows ? GRID_SET_ROW : GRID_SET_COL, info);
  if (info == GrB_SUCCESS) info = store_ids(axis, &listed);
  info = grid_agree(NULL, info);
  grid_free(listed.id);
  grid_free(more.id);
  return info;
}
