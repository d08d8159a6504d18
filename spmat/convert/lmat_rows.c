/* See lmat_rows.h. */
#include "spmat/convert/lmat_rows.h"

#include <string.h>

#include "spmat/convert/lmat_format.h"

/* Copies the indices of some rows, beginning at to[0]; returns whether they ascend in each row. */
#define COPY_INDICES(INDEX)                                                                     \
  static bool copy_##INDEX(uint32_t *to, grid_program_indices ptr, uint64_t from, uint64_t end, \
                           const INDEX *idx) {                                                  \
    const uint64_t first = grid_program_index(ptr, 0);                                          \
    uint64_t bad = 0, e = grid_program_index(ptr, from);                                        \
    for (uint64_t v = from; v < end; v++) {                                                     \
      const uint64_t begin = e, next = grid_program_index(ptr, v + 1);                          \
      for (; e < next; e++) {                                                                   \
        to[e - first] = (uint32_t)idx[e];                                                       \
        bad |= e > begin && idx[e - 1] >= idx[e];                                               \
      }                                                                                         \
    }                                                                                           \
    return !bad;                                                                                \
  }
COPY_INDICES(uint32_t)
COPY_INDICES(uint64_t)

static bool copy_indices(uint32_t *to, grid_program_indices ptr, uint64_t from, uint64_t end,
                         grid_program_indices idx) {
  return idx.x32 ? copy_uint32_t(to, ptr, from, end, idx.x32) : copy_uint64_t(to, ptr, from, end, idx.x64);
}

GrB_Info grid_lmat_from_csr(grid_local_matrix *p, grid_program_indices ptr, uint64_t rows,
                            grid_program_indices idx, const void *val, bool *ascending) {
  enum { STRETCH = 1 << 12 };
  const uint64_t first = grid_program_index(ptr, 0), n = grid_program_index(ptr, rows) - first,
                 dim = p->row.dim;
  const size_t size = p->type->size;
  grid_offsets o = {NULL, NULL};
  uint64_t bad = 0;
  GrB_Info info = GrB_SUCCESS;
  p->nvals = n, p->row.n = dim, p->col.n = p->col.dim;
  *ascending = false;
  p->by_row.idx = grid_malloc(n, sizeof *p->by_row.idx);
  if (!p->iso) p->by_row.val = grid_malloc(n, size);
  const bool made = grid_offsets_make(&o, dim + 1, n);
  p->by_row.ptr = o.offsets32, p->by_row.offsets64 = o.offsets64;
  if (!made || !p->by_row.idx || (!p->iso && !p->by_row.val))
    TRY(grid_fail_memory(NULL, "the rows of a matrix", n, sizeof(uint32_t) + size));
#pragma omp parallel for schedule(dynamic, 1) reduction(| : bad) if (n > 1 << 15)
  for (uint64_t v = 0; v < rows; v += STRETCH)
    bad |= !copy_indices(p->by_row.idx, ptr, v, rows - v < STRETCH ? rows : v + STRETCH, idx);
  if (bad) goto done;
#pragma omp parallel for schedule(static) if (dim > 1 << 15)
  for (uint64_t v = 0; v <= dim; v++)
    grid_offset_set(o, v, v < rows ? grid_program_index(ptr, v) - first : n);
  if (!p->iso) grid_copy_bytes(p->by_row.val, (const char *)val + first * size, n * size);
  TRY(grid_lmat_detect_iso(p));
  TRY(grid_lmat_choose_format(p));
  *ascending = true;
done:
  if (!*ascending) grid_lmat_free(p);
  return info;
}
