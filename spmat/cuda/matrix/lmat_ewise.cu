// Merges two local matrices entry by entry: their union, restricted by a mask or not, their intersection, and
// the assignment of one to a region of the other. An entry's position in the result is the number of entries
// of its own side before it plus those of the other side before its column. A binary search in the other's
// row finds these. So the work is the same for each entry, however long rows are.
#include "spmat/cuda/matrix/selected_entries.cuh"

extern "C" {
#include "semiring/support/tuning.h"
}

namespace {

enum { THREADS = GRID_CSR_THREADS };

// bit e: is the position of x's entry e among the mask's selected ones (in), or is it not?
__global__ void __launch_bounds__(THREADS) restrict_entries(grid_csr_pattern x, grid_csr_pattern mask,
                                                            selection_bits truth, bool in, uint32_t *bits) {
  grid_csr_for_each(x, [&](bool active, uint64_t e, uint64_t lo, uint64_t hi) {
    bool yes = false;
    if (active) {
      const uint32_t at = find_in_row(mask, grid_csr_find_row(x.ptr, lo, hi, e), x.idx[e]);
      yes = (at != GRID_NO_ENTRY && is_selected(truth, at)) == in;
    }
    const uint32_t word = __ballot_sync(~0u, yes);
    if ((threadIdx.x & 31) == 0) bits[e >> 5] = word;
  });
}

// bit e: is y's entry e selected, and has x no selected one at its position?
__global__ void __launch_bounds__(THREADS)
    find_unpaired(grid_csr_pattern y, selection_bits y_selected, grid_csr_pattern x,
                  selection_bits x_selected, uint32_t *bits) {
  grid_csr_for_each(y, [&](bool active, uint64_t e, uint64_t lo, uint64_t hi) {
    bool yes = active && is_selected(y_selected, (uint32_t)e);
    if (yes) {
      const uint32_t at = find_in_row(x, grid_csr_find_row(y.ptr, lo, hi, e), y.idx[e]);
      yes = at == GRID_NO_ENTRY || !is_selected(x_selected, at);
    }
    const uint32_t word = __ballot_sync(~0u, yes);
    if ((threadIdx.x & 31) == 0) bits[e >> 5] = word;
  });
}

__global__ void union_row_offsets(const uint32_t *x, selection_bits x_selected, const uint32_t *y,
                                  selection_bits y_only_bits, uint64_t n, uint32_t *ptr) {
  GRID_FOR(r, n + 1) ptr[r] = selection_rank(x_selected, x[r]) + selection_rank(y_only_bits, y[r]);
}

struct union_entries {
  uint32_t *idx, *from_x, *from_y;
};

// x's entries in the result; from_y: y's selected entry at the same position.
__global__ void __launch_bounds__(THREADS)
    union_x(grid_csr_pattern x, selection_bits x_selected, grid_csr_pattern y, selection_bits y_selected,
            selection_bits y_only_bits, union_entries to) {
  grid_csr_for_each(x, [&](bool active, uint64_t e, uint64_t lo, uint64_t hi) {
    if (!active || !is_selected(x_selected, (uint32_t)e)) return;
    const uint32_t c = x.idx[e];
    const uint64_t r = grid_csr_find_row(x.ptr, lo, hi, e);
    const uint32_t end = y.ptr[r + 1], at = grid_csr_lower_bound(y.idx, y.ptr[r], end, c),
                   position = selection_rank(x_selected, (uint32_t)e) + selection_rank(y_only_bits, at);
    const bool both = at < end && y.idx[at] == c && is_selected(y_selected, at);
    to.idx[position] = c;
    to.from_x[position] = (uint32_t)e;
    to.from_y[position] = both ? at : GRID_NO_ENTRY;
  });
}

__global__ void __launch_bounds__(THREADS)
    union_y(grid_csr_pattern y, selection_bits y_only_bits, grid_csr_pattern x, selection_bits x_selected,
            union_entries to) {
  grid_csr_for_each(y, [&](bool active, uint64_t e, uint64_t lo, uint64_t hi) {
    if (!active || !is_selected(y_only_bits, (uint32_t)e)) return;
    const uint32_t c = y.idx[e];
    const uint64_t r = grid_csr_find_row(y.ptr, lo, hi, e);
    const uint32_t at = grid_csr_lower_bound(x.idx, x.ptr[r], x.ptr[r + 1], c),
                   position = selection_rank(y_only_bits, (uint32_t)e) + selection_rank(x_selected, at);
    to.idx[position] = c;
    to.from_x[position] = GRID_NO_ENTRY;
    to.from_y[position] = (uint32_t)e;
  });
}

// with[e]: y's entry at the position of x's entry e; bit e: there is one.
__global__ void __launch_bounds__(THREADS)
    find_shared(grid_csr_pattern x, grid_csr_pattern y, uint32_t *bits, uint32_t *with) {
  grid_csr_for_each(x, [&](bool active, uint64_t e, uint64_t lo, uint64_t hi) {
    uint32_t at = GRID_NO_ENTRY;
    if (active) with[e] = at = find_in_row(y, grid_csr_find_row(x.ptr, lo, hi, e), x.idx[e]);
    const uint32_t word = __ballot_sync(~0u, at != GRID_NO_ENTRY);
    if ((threadIdx.x & 31) == 0) bits[e >> 5] = word;
  });
}

__global__ void gather_indices(const uint32_t *from, uint64_t n, const uint32_t *with, uint32_t *to) {
  GRID_FOR(k, n) to[k] = with[from[k]];
}

// ---- union ---------------------------------------------------------------------------------------------

// A side of a union: a matrix, or an empty one, and its selected entries.
struct side {
  const grid_local_matrix *p;
  grid_csr_pattern m;
  grid_selection selection;
};

GrB_Info filter_side(side *s, grid_mask_side mask_side, const grid_local_matrix *mask,
                     const grid_selection *truth, bool nobody) {
  GrB_Info info = GrB_SUCCESS;
  s->selection = grid_selection{NULL, NULL, s->m.nvals, s->m.nvals};
  if (s->m.nvals == 0 || mask_side == GRID_SIDE_ALL || mask_side == GRID_SIDE_NONE) return info;
  if (nobody && mask_side == GRID_SIDE_OUTSIDE_MASK) return info;
  TRY(grid_cuda_selection_make(&s->selection, s->m.nvals));
  if (nobody)
    TRY(grid_device_zero(s->selection.bits, (s->m.nvals / 32 + 1) * sizeof *s->selection.bits));
  else
    restrict_entries<<<grid_cuda_csr_blocks(s->m.nvals), THREADS, 0, grid_cuda_stream()>>>(
        s->m, grid_csr_pattern_of(mask), selection_bits_of(*truth), mask_side == GRID_SIDE_IN_MASK,
        s->selection.bits);
  TRY(grid_cuda_check_launch("entries under a mask"));
  TRY(grid_cuda_selection_count(&s->selection));
done:
  return info;
}

// y's entries that x does not have.
GrB_Info find_y_only(grid_selection *y_only, const side *x, const side *y) {
  GrB_Info info;
  *y_only = grid_selection{NULL, NULL, y->m.nvals, 0};
  if (y->m.nvals == 0) return GrB_SUCCESS;
  TRY(grid_cuda_selection_make(y_only, y->m.nvals));
  find_unpaired<<<grid_cuda_csr_blocks(y->m.nvals), THREADS, 0, grid_cuda_stream()>>>(
      y->m, selection_bits_of(y->selection), x->m, selection_bits_of(x->selection), y_only->bits);
  TRY(grid_cuda_check_launch("joining two matrices"));
  TRY(grid_cuda_selection_count(y_only));
done:
  return info;
}

GrB_Info make_union(grid_local_matrix *z, const side *x, const side *y, const grid_selection *y_only,
                    union_entries *to) {
  const uint64_t n = x->selection.count + y_only->count, rows = x->m.n;
  cudaStream_t stream = grid_cuda_stream();
  z->row.n = rows, z->col.n = z->col.dim, z->nvals = n;
  if (n >= grid_tune.offsets64_from) return GRID_UNSUPPORTED;
  z->by_row.ptr = (uint32_t *)grid_device_malloc(rows + 1, sizeof(uint32_t));
  z->by_row.idx = to->idx = (uint32_t *)grid_device_malloc(n, sizeof(uint32_t));
  to->from_x = (uint32_t *)grid_device_malloc(n, sizeof(uint32_t));
  to->from_y = (uint32_t *)grid_device_malloc(n, sizeof(uint32_t));
  if (!z->by_row.ptr || !to->idx || !to->from_x || !to->from_y)
    return grid_device_fail_memory(NULL, "two matrices together", n + rows, 3 * sizeof(uint32_t));
  union_row_offsets<<<grid_cuda_blocks_for(rows + 1), 256, 0, stream>>>(
      x->m.ptr, selection_bits_of(x->selection), y->m.ptr, selection_bits_of(*y_only), rows, z->by_row.ptr);
  if (x->m.nvals)
    union_x<<<grid_cuda_csr_blocks(x->m.nvals), THREADS, 0, stream>>>(x->m, selection_bits_of(x->selection),
                                                                      y->m, selection_bits_of(y->selection),
                                                                      selection_bits_of(*y_only), *to);
  if (y->m.nvals)
    union_y<<<grid_cuda_csr_blocks(y->m.nvals), THREADS, 0, stream>>>(y->m, selection_bits_of(*y_only), x->m,
                                                                      selection_bits_of(x->selection), *to);
  return grid_cuda_check_launch("joining two matrices");
}

// *one (of z's type, freed by the caller): the value of all entries, if both sides are iso with the same
// (lmat_union.c).
GrB_Info find_iso(void **one, const grid_local_matrix *z, const side *s, GrB_BinaryOp op) {
  const size_t size = z->type->size;
  size_t n = 0;
  grid_binary both = {};
  *one = NULL;
  for (int k = 0; k < 2; k++)
    if (s[k].p && !s[k].p->iso) return GrB_SUCCESS;
  char *v = (char *)grid_calloc(3, size);
  if (!v) return grid_fail_memory(NULL, "a matrix value", 3, size);
  for (int k = 0; k < 2; k++) {
    if (!s[k].p) continue;
    const grid_copier unpaired = grid_copier_bind(z->type, s[k].p->type);
    grid_copy_value(&unpaired, v + n++ * size, s[k].p->iso_val);
  }
  if (n == 2 && op) {
    GrB_Info info = grid_binary_bind(&both, op, z->type, s[0].p->type, s[1].p->type);
    if (info == GrB_SUCCESS) grid_binary_apply(&both, v + n++ * size, s[0].p->iso_val, s[1].p->iso_val);
    grid_binary_free(&both);
    if (info != GrB_SUCCESS) {
      grid_free(v);
      return info;
    }
  }
  bool same = n > 0;
  for (size_t k = 1; k < n; k++) same = same && memcmp(v, v + k * size, size) == 0;
  if (same)
    *one = v;
  else
    grid_free(v);
  return GrB_SUCCESS;
}

GrB_Info make_union_values(grid_local_matrix *z, const side *s, const union_entries *to, GrB_BinaryOp op) {
  void *one = NULL;
  GrB_Info info = find_iso(&one, z, s, op);
  if (info != GrB_SUCCESS) return info;
  if (one) {
    info = grid_lmat_set_iso(z, one);
    grid_free(one);
    return info;
  }
  if (!s[0].p || !s[1].p) {  // one side only
    const bool first = s[0].p != NULL;
    const grid_pair_args p = {
        first ? s[0].p : s[1].p, NULL, first ? to->from_x : to->from_y, NULL, NULL, true};
    return grid_cuda_pair_values(z, &p);
  }
  const grid_pair_args p = {s[0].p, s[1].p, to->from_x, to->from_y, op, true};
  return grid_cuda_pair_values(z, &p);
}

// Rows of an empty matrix.
GrB_Info alloc_empty_rows(side *s, uint64_t n, uint32_t **zeros) {
  GrB_Info info = GrB_SUCCESS;
  if (!*zeros) {
    *zeros = (uint32_t *)grid_device_malloc(n + 1, sizeof **zeros);
    if (!*zeros) return grid_device_fail_memory(NULL, "empty rows", n + 1, sizeof **zeros);
    info = grid_device_zero(*zeros, (n + 1) * sizeof **zeros);
  }
  s->m = grid_csr_pattern{*zeros, NULL, n, 0};
  return info;
}

// s: two matrices, one of which may be NULL, with all entries selected.
GrB_Info find_sides(side s[2], const grid_local_matrix *x, const grid_local_matrix *y, uint64_t rows,
                    uint32_t **zeros) {
  GrB_Info info = GrB_SUCCESS;
  s[0].p = x, s[1].p = y;
  for (int k = 0; k < 2 && info == GrB_SUCCESS; k++) {
    if (s[k].p)
      s[k].m = grid_csr_pattern_of(s[k].p);
    else
      info = alloc_empty_rows(&s[k], rows, zeros);
    s[k].selection = grid_selection{NULL, NULL, s[k].m.nvals, s[k].m.nvals};
  }
  return info;
}

}  // namespace

extern "C" GrB_Info grid_cuda_lmat_union(grid_local_matrix *z, const grid_union *u) {
  side s[2] = {};
  grid_selection y_only = {}, truth = {};
  union_entries to = {};
  uint32_t *zeros = NULL;
  const bool masked = u->mask && u->mask->nvals > 0;
  bool nobody = !masked;
  GrB_Info info = GrB_SUCCESS;
  TRY(find_sides(s, u->side_x == GRID_SIDE_NONE ? NULL : u->x, u->side_y == GRID_SIDE_NONE ? NULL : u->y,
                 z->row.dim, &zeros));
  if (masked) TRY(grid_cuda_select_true(&truth, u->mask, u->structure, &nobody));
  TRY(filter_side(&s[0], u->side_x, u->mask, &truth, nobody));
  TRY(filter_side(&s[1], u->side_y, u->mask, &truth, nobody));
  TRY(find_y_only(&y_only, &s[0], &s[1]));
  TRY(make_union(z, &s[0], &s[1], &y_only, &to));
  if (z->nvals) TRY(make_union_values(z, s, &to, u->op));
done:
  grid_cuda_selection_free(&s[0].selection);
  grid_cuda_selection_free(&s[1].selection);
  grid_cuda_selection_free(&y_only);
  grid_cuda_selection_free(&truth);
  grid_device_free(to.from_x);
  grid_device_free(to.from_y);
  grid_device_free(zeros);
  return info;
}

// ---- assignment ----------------------------------------------------------------------------------------

// c's entries outside the region or, without a region, those that t does not have, and all of t's.
extern "C" GrB_Info grid_cuda_lmat_assign(grid_local_matrix *z, const grid_local_matrix *c,
                                          const grid_local_matrix *t, const grid_region *region) {
  side s[2] = {};
  const grid_selection all = {};
  grid_selection y_only = {};
  union_entries to = {};
  uint32_t *zeros = NULL;
  GrB_Info info = GrB_SUCCESS;
  TRY(find_sides(s, c, t, z->row.dim, &zeros));
  if (c && region) {
    TRY(grid_cuda_select_region(&s[0].selection, c, region, false));
    TRY(grid_cuda_selection_count(&s[0].selection));
  } else if (c && t) {
    TRY(grid_cuda_selection_make(&s[0].selection, c->nvals));
    restrict_entries<<<grid_cuda_csr_blocks(c->nvals), THREADS, 0, grid_cuda_stream()>>>(
        s[0].m, s[1].m, selection_bits_of(all), false, s[0].selection.bits);
    TRY(grid_cuda_check_launch("entries that are replaced"));
    TRY(grid_cuda_selection_count(&s[0].selection));
  }
  TRY(find_y_only(&y_only, &s[0], &s[1]));
  TRY(make_union(z, &s[0], &s[1], &y_only, &to));
  if (z->nvals) TRY(make_union_values(z, s, &to, NULL));
done:
  grid_cuda_selection_free(&s[0].selection);
  grid_cuda_selection_free(&y_only);
  grid_device_free(to.from_x);
  grid_device_free(to.from_y);
  grid_device_free(zeros);
  return info;
}

// ---- accumulation in place -----------------------------------------------------------------------------

extern "C" GrB_Info grid_cuda_find_entries(uint32_t **at, const grid_local_matrix *t,
                                           const grid_local_matrix *c) {
  grid_selection found = {};
  GrB_Info info;
  TRY(grid_cuda_selection_make(&found, t->nvals));
  *at = (uint32_t *)grid_device_malloc(t->nvals, sizeof **at);
  if (!*at) TRY(grid_device_fail_memory(NULL, "entries of two matrices", t->nvals, sizeof **at));
  find_shared<<<grid_cuda_csr_blocks(t->nvals), THREADS, 0, grid_cuda_stream()>>>(
      grid_csr_pattern_of(t), grid_csr_pattern_of(c), found.bits, *at);
  TRY(grid_cuda_check_launch("entries that two matrices share"));
  info = grid_cuda_selection_count(&found);
done:
  if (info != GrB_SUCCESS || found.count < t->nvals) {
    grid_device_free(*at);
    *at = NULL;
  }
  grid_cuda_selection_free(&found);
  return info;
}

// ---- intersection --------------------------------------------------------------------------------------

extern "C" GrB_Info grid_cuda_intersect_one(grid_local_matrix *z, const grid_local_matrix *x,
                                            const grid_local_matrix *y, GrB_BinaryOp op) {
  grid_binary bound = {};
  char *one = (char *)grid_calloc(1, z->type->size);
  GrB_Info info = one ? GrB_SUCCESS : grid_fail_memory(NULL, "a matrix value", 1, z->type->size);
  TRY(info);
  TRY(grid_binary_bind(&bound, op, z->type, x->type, y->type));
  grid_binary_apply(&bound, one, grid_cuda_iso_value(x), grid_cuda_iso_value(y));
  TRY(grid_lmat_set_iso(z, one));
done:
  grid_binary_free(&bound);
  grid_free(one);
  return info;
}

extern "C" GrB_Info grid_cuda_lmat_intersect(grid_local_matrix *z, const grid_local_matrix *x,
                                             const grid_local_matrix *y, GrB_BinaryOp op) {
  const bool swapped = y->nvals < x->nvals;  // the shorter is looked up in the longer
  const grid_local_matrix *shorter = swapped ? y : x, *many = swapped ? x : y;
  const bool alike = (x->iso || !op->uses_x) && (y->iso || !op->uses_y);
  grid_selection selection = {};
  uint32_t *with = NULL, *from = NULL, *other = NULL;
  GrB_Info info;
  TRY(grid_cuda_selection_make(&selection, shorter->nvals));
  with = (uint32_t *)grid_device_malloc(shorter->nvals, sizeof *with);
  if (!with) TRY(grid_device_fail_memory(NULL, "entries of two matrices", shorter->nvals, sizeof *with));
  find_shared<<<grid_cuda_csr_blocks(shorter->nvals), THREADS, 0, grid_cuda_stream()>>>(
      grid_csr_pattern_of(shorter), grid_csr_pattern_of(many), selection.bits, with);
  TRY(grid_cuda_check_launch("entries that two matrices share"));
  TRY(grid_cuda_selection_count(&selection));
  TRY(grid_cuda_select_pattern(z, shorter, &selection, &from));
  if (z->nvals == 0) goto done;
  if (alike) {
    info = grid_cuda_intersect_one(z, x, y, op);
    goto done;
  }
  other = (uint32_t *)grid_device_malloc(z->nvals, sizeof *other);
  if (!other) TRY(grid_device_fail_memory(NULL, "entries of two matrices", z->nvals, sizeof *other));
  gather_indices<<<grid_cuda_blocks_for(z->nvals), 256, 0, grid_cuda_stream()>>>(from, z->nvals, with, other);
  TRY(grid_cuda_check_launch("entries that two matrices share"));
  {
    const grid_pair_args p = {x, y, swapped ? other : from, swapped ? from : other, op, false};
    info = grid_cuda_pair_values(z, &p);
  }
done:
  grid_cuda_selection_free(&selection);
  grid_device_free(with);
  grid_device_free(from);
  grid_device_free(other);
  return info;
}
