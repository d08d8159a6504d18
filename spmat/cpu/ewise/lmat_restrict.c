/* See lmat_restrict.h. */
#include "spmat/cpu/ewise/lmat_restrict.h"

#include <string.h>

#include "spmat/cpu/rows/gallop.h"
#include "spmat/vector/bound_operator.h"

/* A list this many times shorter than the other is looked up in it entry by entry. */
#define GALLOP_RATIO 16

grid_restrict_mask grid_restrict_read(const grid_aligned_lmat *mask, uint64_t from, uint64_t to,
                                      bool structure, void *workspace) {
  enum { BLOCK = 256 };
  const grid_local_matrix *p = mask->p;
  if (from == to) return (grid_restrict_mask){0};
  const uint32_t *idx = mask->idx + from;
  if (structure || p->type->code == GRID_T_UDT) return (grid_restrict_mask){idx, to - from};
  if (p->iso) return (grid_restrict_mask){idx, grid_is_true(p->type, p->iso_val) ? to - from : 0};
  const grid_copier truth = grid_copier_bind(GrB_BOOL, p->type);
  grid_restrict_mask r = {workspace, 0};
  uint32_t *list = workspace;
  unsigned char yes[BLOCK];
  for (uint64_t e = from; e < to; e += BLOCK) {
    const uint64_t n = to - e < BLOCK ? to - e : BLOCK;
    grid_copy_run(&truth, yes, (const char *)p->by_row.val + e * p->type->size, 1, n);
    for (uint64_t k = 0; k < n; k++) {
      list[r.n] = mask->idx[e + k];
      r.n += yes[k];
    }
  }
  return r;
}

/* Takes all of the entries from .. to - 1. */
static uint64_t restrict_range(uint32_t *col, uint32_t *position, uint64_t at, const uint32_t *idx,
                               uint64_t from, uint64_t to, uint32_t first) {
  if (from == to) return at;
  memcpy(col + at, idx + from, (to - from) * sizeof *idx);
  for (uint64_t k = from; k < to; k++) position[at + k - from] = first + (uint32_t)k;
  return at + (to - from);
}

/* Short mask: entries between its columns are removed, or taken, as a range. */
static uint64_t restrict_by_mask(uint32_t *col, uint32_t *position, const uint32_t *idx, uint64_t n,
                                 uint32_t first, const grid_restrict_mask *m, bool in) {
  uint64_t at = 0, k = 0;
  for (uint64_t i = 0; i < m->n && k < n; i++) {
    const uint64_t next = grid_gallop_columns(idx, k, n, m->idx[i]);
    if (!in) at = restrict_range(col, position, at, idx, k, next, first);
    k = next;
    if (k < n && idx[k] == m->idx[i]) {
      if (in) at = restrict_range(col, position, at, idx, k, k + 1, first);
      k++;
    }
  }
  return in ? at : restrict_range(col, position, at, idx, k, n, first);
}

/* Few entries: each is looked up in the mask. */
static uint64_t restrict_by_entries(uint32_t *col, uint32_t *position, const uint32_t *idx, uint64_t n,
                                    uint32_t first, const grid_restrict_mask *m, bool in) {
  uint64_t at = 0, i = 0;
  for (uint64_t k = 0; k < n; k++) {
    i = grid_gallop_columns(m->idx, i, m->n, idx[k]);
    const bool found = i < m->n && m->idx[i] == idx[k];
    col[at] = idx[k];
    position[at] = first + (uint32_t)k;
    at += found == in;
  }
  return at;
}

/* Merges without a branch that depends on the indices. */
static uint64_t restrict_merge(uint32_t *col, uint32_t *position, const uint32_t *idx, uint64_t n,
                               uint32_t first, const grid_restrict_mask *m, bool in) {
  uint64_t at = 0, i = 0, k = 0;
  while (k < n && i < m->n) {
    const uint32_t a = idx[k], b = m->idx[i];
    col[at] = a;
    position[at] = first + (uint32_t)k;
    at += in ? a == b : a < b;
    k += a <= b, i += b <= a;
  }
  return in ? at : restrict_range(col, position, at, idx, k, n, first);
}

uint64_t grid_restrict(uint32_t *col, uint32_t *position, const uint32_t *idx, uint64_t n, uint32_t first,
                       const grid_restrict_mask *mask, bool in) {
  if (mask->n == 0) return in ? 0 : restrict_range(col, position, 0, idx, 0, n, first);
  return (n / GALLOP_RATIO > mask->n   ? restrict_by_mask
          : mask->n / GALLOP_RATIO > n ? restrict_by_entries
                                       : restrict_merge)(col, position, idx, n, first, mask, in);
}
