/* See paged_entries.h. Pages are decoded by who has them, and what is in them is dealt out in pieces of one
 * size, one process after the other: a piece that is not full is a process's last. */
#include "dist/object/interchange/paged_entries.h"

#include <string.h>

#include "dist/object/matrix/matrix_pages.h"

typedef struct {
  GrB_Matrix A;
  bool shared; /* what is here goes to all */
  grid_paged_visit *visit;
  void *context;
  size_t size; /* of a value, or 0 */
  uint64_t room, bytes;
  char *piece; /* the number of entries, rows, columns, values */
  uint64_t *n, *row;
  uint32_t *col;
  char *val;
} spreading;

static GrB_Info make_piece(spreading *s) {
  const uint64_t each = sizeof *s->row + sizeof *s->col + s->size;
  s->room = (grid_pages_together / each + 2) / 2 * 2; /* values are aligned */
  s->bytes = sizeof *s->n + s->room * each;
  s->piece = grid_calloc(s->bytes, 1);
  if (!s->piece) return grid_fail_memory(&s->A->head, "entries of pages", s->room, each);
  s->n = (uint64_t *)(void *)s->piece;
  s->row = s->n + 1;
  s->col = (uint32_t *)(void *)(s->row + s->room);
  s->val = s->size ? (char *)(s->col + s->room) : NULL;
  return GrB_SUCCESS;
}

/* The piece that process `from` has. */
static GrB_Info pass_on(spreading *s, int from) {
  GrB_Info info = GrB_SUCCESS;
  if (s->shared) info = grid_here.transport->bcast(GRID_SET_ALL, s->piece, s->bytes, from);
  if (info == GrB_SUCCESS && *s->n)
    s->visit(s->context, &(grid_paged_piece){.n = *s->n, .row = s->row, .col = s->col, .val = s->val});
  return info;
}

/* n entries of `rows`, from e on, which are in that row. */
static void put(spreading *s, uint64_t row, const grid_part *rows, uint64_t e, uint64_t n) {
  const uint64_t at = *s->n;
  for (uint64_t k = 0; k < n; k++) s->row[at + k] = row;
  memcpy(s->col + at, rows->by_row.idx + e, n * sizeof *s->col);
  if (s->val && rows->iso)
    for (uint64_t k = 0; k < n; k++) memcpy(s->val + (at + k) * s->size, rows->iso_val, s->size);
  else if (s->val)
    memcpy(s->val + at * s->size, (const char *)rows->by_row.val + e * s->size, n * s->size);
  *s->n += n;
}

static GrB_Info take_rows(void *context, const grid_part *rows, uint64_t first) {
  spreading *s = context;
  const uint32_t *ptr = rows->by_row.ptr;
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t r = 0; r < rows->row.n; r++)
    for (uint64_t e = ptr[r], n; e < ptr[r + 1]; e += n) {
      n = ptr[r + 1] - e < s->room - *s->n ? ptr[r + 1] - e : s->room - *s->n;
      put(s, grid_global_row(s->A->nrows, first + r), rows, e, n);
      if (*s->n < s->room) continue;
      TRY(pass_on(s, grid_here.k));
      *s->n = 0;
    }
done:
  return info;
}

/* All that this process has. What it cannot read ends its pieces, not those of the others. */
static GrB_Info give(spreading *s) {
  *s->n = 0;
  const GrB_Info info = grid_pages_stream(s->A->pages, NULL, take_rows, s), passed = pass_on(s, grid_here.k);
  return info == GrB_SUCCESS ? passed : info;
}

static GrB_Info receive(spreading *s, int from) {
  GrB_Info info = GrB_SUCCESS;
  do info = pass_on(s, from);
  while (info == GrB_SUCCESS && *s->n == s->room);
  return info;
}

GrB_Info grid_paged_entries(GrB_Matrix A, bool own, bool values, grid_paged_visit *visit, void *context) {
  spreading s = {.A = A, .shared = !own && grid_here.P > 1, .visit = visit, .context = context};
  uint64_t some = values; /* arrays are each process's own: pieces are alike all the same */
  GrB_Info info = GrB_SUCCESS, given;
  if (s.shared) TRY(grid_agree_sum(&A->head, info, &some, 1));
  s.size = some ? A->type->size : 0;
  TRY(grid_agree(&A->head, make_piece(&s)));
  for (int k = 0; k < grid_here.P; k++) {
    if (k != grid_here.k && !s.shared) continue;
    given = k == grid_here.k ? give(&s) : receive(&s, k);
    if (info == GrB_SUCCESS) info = given;
  }
  info = grid_agree(&A->head, info);
done:
  grid_free(s.piece);
  return info;
}
