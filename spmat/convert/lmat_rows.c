/* See lmat_rows.h. In each row binary search finds the columns of a part. In a row that does not ascend it
 * finds the same positions for every part, so that parts which all see ascending columns of their range still
 * have all entries of the row, and the row ascends. */
#include "spmat/convert/lmat_rows.h"

#include <string.h>

#include "spmat/convert/lmat_format.h"

enum { STRETCH = 1 << 12, MANY = 1 << 15 };

typedef struct {
  grid_program_indices ptr, idx;
  const char *val;
  const grid_csr_part *part;
} arrays;

/* p's arrays for n entries. */
static GrB_Info allocate(grid_local_matrix *p, grid_offsets *start, uint64_t n) {
  p->nvals = n;
  p->by_row.idx = grid_malloc(n, sizeof *p->by_row.idx);
  if (!p->iso) p->by_row.val = grid_malloc(n, p->type->size);
  const bool made = grid_offsets_make(start, p->row.n + 1, n);
  p->by_row.ptr = start->offsets32, p->by_row.offsets64 = start->offsets64;
  if (made && p->by_row.idx && (p->iso || p->by_row.val)) return GrB_SUCCESS;
  return grid_fail_memory(NULL, "the rows of a matrix", n, sizeof(uint32_t) + p->type->size);
}

/* ---- whole rows ---- */

/* Copies the indices of some rows, beginning at to[0]; returns whether they ascend in each row, below dim. */
#define COPY_INDICES(BITS)                                                                      \
  static bool copy_indices##BITS(uint32_t *to, const arrays *a, uint64_t from, uint64_t end,    \
                                 uint64_t first) {                                              \
    const grid_program_indices ptr = a->ptr;                                                    \
    const void *idx = a->idx.x##BITS;                                                           \
    const uint64_t dim = a->part->dim;                                                          \
    uint64_t bad = 0, e = grid_program_index(ptr, from);                                        \
    for (uint64_t v = from; v < end; v++) {                                                     \
      const uint64_t begin = e, next = grid_program_index(ptr, v + 1);                          \
      for (; e < next; e++) {                                                                   \
        to[e - first] = (uint32_t)grid_index##BITS##_at(idx, e);                                \
        bad |= e > begin && grid_index##BITS##_at(idx, e - 1) >= grid_index##BITS##_at(idx, e); \
      }                                                                                         \
      bad |= e > begin && grid_index##BITS##_at(idx, e - 1) >= dim;                             \
    }                                                                                           \
    return !bad;                                                                                \
  }
COPY_INDICES(32)
COPY_INDICES(64)

static bool copy_indices(uint32_t *to, const arrays *a, uint64_t from, uint64_t end, uint64_t first) {
  return a->idx.x32 ? copy_indices32(to, a, from, end, first) : copy_indices64(to, a, from, end, first);
}

static GrB_Info copy_rows(grid_local_matrix *p, const arrays *a, bool *ascending) {
  const grid_row_range *r = a->part->range;
  const uint64_t first = grid_program_index(a->ptr, r->first), row_end = r->first + r->n,
                 n = grid_program_index(a->ptr, row_end) - first, rows = p->row.n;
  grid_offsets start = {NULL, NULL};
  uint64_t bad = 0;
  GrB_Info info;
  TRY(allocate(p, &start, n));
#pragma omp parallel for schedule(dynamic, 1) reduction(| : bad) if (n > MANY)
  for (uint64_t v = r->first; v < row_end; v += STRETCH)
    bad |= !copy_indices(p->by_row.idx, a, v, row_end - v < STRETCH ? row_end : v + STRETCH, first);
  *ascending = !bad;
  if (bad) goto done;
#pragma omp parallel for schedule(static) if (rows > MANY)
  for (uint64_t v = 0; v <= rows; v++)
    grid_offset_set(start, v,
                    v < r->at          ? 0
                    : v - r->at < r->n ? grid_program_index(a->ptr, r->first + v - r->at) - first
                                       : n);
  if (!p->iso) grid_copy_bytes(p->by_row.val, a->val + first * p->type->size, n * p->type->size);
done:
  return info;
}

/* ---- columns of rows ---- */

/* Entries of a local row in the arrays. */
typedef struct {
  uint64_t from, end;
} segment;

/* The first of the entries from .. end - 1 whose column is not below `col`. */
static uint64_t find_column(grid_program_indices idx, uint64_t from, uint64_t end, uint64_t col) {
  while (from < end) {
    const uint64_t mid = from + (end - from) / 2;
    if (grid_program_index(idx, mid) < col)
      from = mid + 1;
    else
      end = mid;
  }
  return from;
}

static segment find_segment(const arrays *a, uint64_t row) {
  const grid_csr_part *part = a->part;
  const uint64_t begin = grid_program_index(a->ptr, row), end = grid_program_index(a->ptr, row + 1);
  return (segment){part->col ? find_column(a->idx, begin, end, part->col) : begin,
                   part->end < part->dim ? find_column(a->idx, begin, end, part->end) : end};
}

/* Finds the segments of all ranges, and counts their entries; false: some row does not ascend. */
static bool find_segments(segment *s, const arrays *a, uint64_t *entries) {
  uint64_t bad = 0, n = 0;
  for (int k = 0; k < a->part->ranges; k++) {
    const grid_row_range r = a->part->range[k];
#pragma omp parallel for schedule(static) reduction(| : bad) reduction(+ : n) if (r.n > STRETCH)
    for (uint64_t v = 0; v < r.n; v++) {
      const segment found = s[r.at + v] = find_segment(a, r.first + v);
      bad |= found.from > found.end;
      n += found.end - found.from;
    }
  }
  *entries = n;
  return !bad;
}

/* Copies a row's entries to p's entries from `at` on; returns whether its columns ascend within the part. */
static bool copy_segment(grid_local_matrix *p, const arrays *a, segment s, uint64_t at) {
  const grid_csr_part *part = a->part;
  const size_t size = p->type->size;
  uint64_t least = part->col, bad = 0;
  for (uint64_t e = s.from; e < s.end; e++) {
    const uint64_t col = grid_program_index(a->idx, e);
    bad |= col < least;
    least = col + 1;
    p->by_row.idx[at + e - s.from] = (uint32_t)(col - part->col);
  }
  bad |= least > part->end && s.from < s.end;
  if (!p->iso) memcpy((char *)p->by_row.val + at * size, a->val + s.from * size, (s.end - s.from) * size);
  return !bad;
}

static GrB_Info copy_segments(grid_local_matrix *p, const arrays *a, bool *ascending) {
  const uint64_t rows = p->row.n;
  segment *s = grid_calloc(rows, sizeof *s);
  grid_offsets start = {NULL, NULL};
  uint64_t n, bad = 0;
  GrB_Info info = s ? GrB_SUCCESS : grid_fail_memory(NULL, "the rows of a matrix", rows, sizeof *s);
  TRY(info);
  *ascending = find_segments(s, a, &n);
  if (!*ascending) goto done;
  TRY(allocate(p, &start, n));
  for (uint64_t v = 0, at = 0; v <= rows; v++) {
    grid_offset_set(start, v, at);
    if (v < rows) at += s[v].end - s[v].from;
  }
#pragma omp parallel for schedule(dynamic, 1024) reduction(| : bad) if (n > MANY)
  for (uint64_t v = 0; v < rows; v++) bad |= !copy_segment(p, a, s[v], grid_offset(start, v));
  *ascending = !bad;
done:
  grid_free(s);
  return info;
}

GrB_Info grid_lmat_from_csr(grid_local_matrix *p, grid_program_indices ptr, const grid_csr_part *part,
                            grid_program_indices idx, const void *val, bool *ascending) {
  const arrays a = {ptr, idx, val, part};
  const bool has_whole_rows = part->ranges == 1 && part->col == 0 && part->end == part->dim;
  if (!p->row.ids) p->row.n = p->row.dim;
  if (!p->col.ids) p->col.n = p->col.dim;
  *ascending = false;
  GrB_Info info = has_whole_rows ? copy_rows(p, &a, ascending) : copy_segments(p, &a, ascending);
  if (info == GrB_SUCCESS && *ascending) info = grid_lmat_detect_iso(p);
  if (info == GrB_SUCCESS && *ascending) info = grid_lmat_choose_format(p);
  if (info != GrB_SUCCESS) *ascending = false;
  if (!*ascending) grid_lmat_free(p);
  return info;
}
