// Two parts side by side, entry by entry: their union, what a mask leaves of either, what they share, and one
// in place of some of the other's entries.
// Where an entry stands in the result is counted: those of its own side before it, and those of the other
// side before its column, which is found by binary search in the other's row. So work is the same for each
// entry, however long rows are.
#include "spmat/cuda/matrix/kept.cuh"

namespace {

enum { THREADS = GRID_PART_THREADS };

// bit e: is the place of x's entry e one of the mask's kept ones (in), or is it not?
__global__ void __launch_bounds__(THREADS)
    restrict_entries(grid_part_rows x, grid_part_rows mask, kept_bits truth, bool in, uint32_t *bits) {
  grid_part_each(x, [&](bool here, uint64_t e, uint64_t lo, uint64_t hi) {
    bool yes = false;
    if (here) {
      const uint32_t at = find_in_row(mask, grid_part_row(x.ptr, lo, hi, e), x.idx[e]);
      yes = (at != GRID_NO_ENTRY && is_kept(truth, at)) == in;
    }
    const uint32_t word = __ballot_sync(~0u, yes);
    if ((threadIdx.x & 31) == 0) bits[e >> 5] = word;
  });
}

// bit e: is y's entry e kept, and has x no kept one at its place?
__global__ void __launch_bounds__(THREADS)
    find_alone(grid_part_rows y, kept_bits y_kept, grid_part_rows x, kept_bits x_kept, uint32_t *bits) {
  grid_part_each(y, [&](bool here, uint64_t e, uint64_t lo, uint64_t hi) {
    bool yes = here && is_kept(y_kept, (uint32_t)e);
    if (yes) {
      const uint32_t at = find_in_row(x, grid_part_row(y.ptr, lo, hi, e), y.idx[e]);
      yes = at == GRID_NO_ENTRY || !is_kept(x_kept, at);
    }
    const uint32_t word = __ballot_sync(~0u, yes);
    if ((threadIdx.x & 31) == 0) bits[e >> 5] = word;
  });
}

__global__ void join_starts(const uint32_t *x, kept_bits x_kept, const uint32_t *y, kept_bits y_alone,
                            uint64_t n, uint32_t *ptr) {
  GRID_FOR(r, n + 1) ptr[r] = kept_before(x_kept, x[r]) + kept_before(y_alone, y[r]);
}

struct joined {
  uint32_t *idx, *from_x, *from_y;
};

// x's entries into the result; from_y: y's kept entry at the same place.
__global__ void __launch_bounds__(THREADS) join_x(grid_part_rows x, kept_bits x_kept, grid_part_rows y,
                                                  kept_bits y_kept, kept_bits y_alone, joined to) {
  grid_part_each(x, [&](bool here, uint64_t e, uint64_t lo, uint64_t hi) {
    if (!here || !is_kept(x_kept, (uint32_t)e)) return;
    const uint32_t c = x.idx[e];
    const uint64_t r = grid_part_row(x.ptr, lo, hi, e);
    const uint32_t end = y.ptr[r + 1], at = grid_part_bound(y.idx, y.ptr[r], end, c),
                   place = kept_before(x_kept, (uint32_t)e) + kept_before(y_alone, at);
    const bool both = at < end && y.idx[at] == c && is_kept(y_kept, at);
    to.idx[place] = c;
    to.from_x[place] = (uint32_t)e;
    to.from_y[place] = both ? at : GRID_NO_ENTRY;
  });
}

__global__ void __launch_bounds__(THREADS)
    join_y(grid_part_rows y, kept_bits y_alone, grid_part_rows x, kept_bits x_kept, joined to) {
  grid_part_each(y, [&](bool here, uint64_t e, uint64_t lo, uint64_t hi) {
    if (!here || !is_kept(y_alone, (uint32_t)e)) return;
    const uint32_t c = y.idx[e];
    const uint64_t r = grid_part_row(y.ptr, lo, hi, e);
    const uint32_t at = grid_part_bound(x.idx, x.ptr[r], x.ptr[r + 1], c),
                   place = kept_before(y_alone, (uint32_t)e) + kept_before(x_kept, at);
    to.idx[place] = c;
    to.from_x[place] = GRID_NO_ENTRY;
    to.from_y[place] = (uint32_t)e;
  });
}

// with[e]: y's entry at the place of x's entry e; bit e: is there one?
__global__ void __launch_bounds__(THREADS)
    find_shared(grid_part_rows x, grid_part_rows y, uint32_t *bits, uint32_t *with) {
  grid_part_each(x, [&](bool here, uint64_t e, uint64_t lo, uint64_t hi) {
    uint32_t at = GRID_NO_ENTRY;
    if (here) with[e] = at = find_in_row(y, grid_part_row(x.ptr, lo, hi, e), x.idx[e]);
    const uint32_t word = __ballot_sync(~0u, at != GRID_NO_ENTRY);
    if ((threadIdx.x & 31) == 0) bits[e >> 5] = word;
  });
}

__global__ void pick(const uint32_t *from, uint64_t n, const uint32_t *with, uint32_t *to) {
  GRID_FOR(k, n) to[k] = with[from[k]];
}

// ---- union
// ---------------------------------------------------------------------------------------------------------

// A side of a union: a part, or one without entries, and which are kept.
struct side {
  const grid_part *p;
  grid_part_rows m;
  grid_kept kept;
};

GrB_Info restrict_side(side *s, grid_keep keep, const grid_part *mask, const grid_kept *truth, bool nobody) {
  GrB_Info info = GrB_SUCCESS;
  s->kept = grid_kept{NULL, NULL, s->m.nvals, s->m.nvals};
  if (s->m.nvals == 0 || keep == GRID_KEEP_ALL || keep == GRID_KEEP_NONE) return info;
  if (nobody && keep == GRID_KEEP_OUT) return info;
  TRY(grid_cuda_kept_make(&s->kept, s->m.nvals));
  if (nobody)
    TRY(grid_device_zero(s->kept.bits, (s->m.nvals / 32 + 1) * sizeof *s->kept.bits));
  else
    restrict_entries<<<grid_cuda_part_blocks(s->m.nvals), THREADS, 0, grid_cuda_stream()>>>(
        s->m, grid_part_rows_of(mask), kept_of(*truth), keep == GRID_KEEP_IN, s->kept.bits);
  TRY(grid_cuda_launched("entries under a mask"));
  TRY(grid_cuda_kept_count(&s->kept));
done:
  return info;
}

// y's entries that x has not.
GrB_Info find_rest(grid_kept *alone, const side *x, const side *y) {
  GrB_Info info;
  *alone = grid_kept{NULL, NULL, y->m.nvals, 0};
  if (y->m.nvals == 0) return GrB_SUCCESS;
  TRY(grid_cuda_kept_make(alone, y->m.nvals));
  find_alone<<<grid_cuda_part_blocks(y->m.nvals), THREADS, 0, grid_cuda_stream()>>>(
      y->m, kept_of(y->kept), x->m, kept_of(x->kept), alone->bits);
  TRY(grid_cuda_launched("joining two matrices"));
  TRY(grid_cuda_kept_count(alone));
done:
  return info;
}

GrB_Info make_joined(grid_part *z, const side *x, const side *y, const grid_kept *alone, joined *to) {
  const uint64_t n = x->kept.count + alone->count, rows = x->m.n;
  cudaStream_t stream = grid_cuda_stream();
  z->row.n = rows, z->col.n = z->col.dim, z->nvals = n;
  if (n >= grid_wide_from) return GRID_NOT_HERE;
  z->by_row.ptr = (uint32_t *)grid_device_malloc(rows + 1, sizeof(uint32_t));
  z->by_row.idx = to->idx = (uint32_t *)grid_device_malloc(n, sizeof(uint32_t));
  to->from_x = (uint32_t *)grid_device_malloc(n, sizeof(uint32_t));
  to->from_y = (uint32_t *)grid_device_malloc(n, sizeof(uint32_t));
  if (!z->by_row.ptr || !to->idx || !to->from_x || !to->from_y)
    return grid_device_fail_memory(NULL, "two matrices together", n + rows, 3 * sizeof(uint32_t));
  join_starts<<<grid_cuda_many(rows + 1), 256, 0, stream>>>(x->m.ptr, kept_of(x->kept), y->m.ptr,
                                                            kept_of(*alone), rows, z->by_row.ptr);
  if (x->m.nvals)
    join_x<<<grid_cuda_part_blocks(x->m.nvals), THREADS, 0, stream>>>(x->m, kept_of(x->kept), y->m,
                                                                      kept_of(y->kept), kept_of(*alone), *to);
  if (y->m.nvals)
    join_y<<<grid_cuda_part_blocks(y->m.nvals), THREADS, 0, stream>>>(y->m, kept_of(*alone), x->m,
                                                                      kept_of(x->kept), *to);
  return grid_cuda_launched("joining two matrices");
}

// *one (of z's type, to be freed): the value of all entries, where both sides have one alike (part_union.c).
GrB_Info find_one(void **one, const grid_part *z, const side *s, GrB_BinaryOp op) {
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
    const grid_copier lone = grid_copier_bind(z->type, s[k].p->type);
    grid_copy_one(&lone, v + n++ * size, s[k].p->iso_val);
  }
  if (n == 2 && op) {
    GrB_Info info = grid_binary_bind(&both, op, z->type, s[0].p->type, s[1].p->type);
    if (info == GrB_SUCCESS) grid_binary_one(&both, v + n++ * size, s[0].p->iso_val, s[1].p->iso_val);
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

GrB_Info give_values(grid_part *z, const side *s, const joined *to, GrB_BinaryOp op) {
  void *one = NULL;
  GrB_Info info = find_one(&one, z, s, op);
  if (info != GrB_SUCCESS) return info;
  if (one) {
    info = grid_part_set_one(z, one);
    grid_free(one);
    return info;
  }
  if (!s[0].p || !s[1].p) {  // one side alone
    const bool first = s[0].p != NULL;
    const grid_pairing p = {first ? s[0].p : s[1].p, NULL, first ? to->from_x : to->from_y, NULL, NULL, true};
    return grid_cuda_pair_values(z, &p);
  }
  const grid_pairing p = {s[0].p, s[1].p, to->from_x, to->from_y, op, true};
  return grid_cuda_pair_values(z, &p);
}

// Rows of a part without entries.
GrB_Info no_rows(side *s, uint64_t n, uint32_t **zeros) {
  GrB_Info info = GrB_SUCCESS;
  if (!*zeros) {
    *zeros = (uint32_t *)grid_device_malloc(n + 1, sizeof **zeros);
    if (!*zeros) return grid_device_fail_memory(NULL, "empty rows", n + 1, sizeof **zeros);
    info = grid_device_zero(*zeros, (n + 1) * sizeof **zeros);
  }
  s->m = grid_part_rows{*zeros, NULL, n, 0};
  return info;
}

// s: two parts, of which one may be NULL, all of whose entries are kept.
GrB_Info find_sides(side s[2], const grid_part *x, const grid_part *y, uint64_t rows, uint32_t **zeros) {
  GrB_Info info = GrB_SUCCESS;
  s[0].p = x, s[1].p = y;
  for (int k = 0; k < 2 && info == GrB_SUCCESS; k++) {
    if (s[k].p)
      s[k].m = grid_part_rows_of(s[k].p);
    else
      info = no_rows(&s[k], rows, zeros);
    s[k].kept = grid_kept{NULL, NULL, s[k].m.nvals, s[k].m.nvals};
  }
  return info;
}

}  // namespace

extern "C" GrB_Info grid_cuda_part_join(grid_part *z, const grid_union *u) {
  side s[2] = {};
  grid_kept alone = {}, truth = {};
  joined to = {};
  uint32_t *zeros = NULL;
  const bool masked = u->mask && u->mask->nvals > 0;
  bool nobody = !masked;
  GrB_Info info = GrB_SUCCESS;
  TRY(find_sides(s, u->keep_x == GRID_KEEP_NONE ? NULL : u->x, u->keep_y == GRID_KEEP_NONE ? NULL : u->y,
                 z->row.dim, &zeros));
  if (masked) TRY(grid_cuda_kept_true(&truth, u->mask, u->structure, &nobody));
  TRY(restrict_side(&s[0], u->keep_x, u->mask, &truth, nobody));
  TRY(restrict_side(&s[1], u->keep_y, u->mask, &truth, nobody));
  TRY(find_rest(&alone, &s[0], &s[1]));
  TRY(make_joined(z, &s[0], &s[1], &alone, &to));
  if (z->nvals) TRY(give_values(z, s, &to, u->op));
done:
  grid_cuda_kept_free(&s[0].kept);
  grid_cuda_kept_free(&s[1].kept);
  grid_cuda_kept_free(&alone);
  grid_cuda_kept_free(&truth);
  grid_device_free(to.from_x);
  grid_device_free(to.from_y);
  grid_device_free(zeros);
  return info;
}

// ---- assignment
// ----------------------------------------------------------------------------------------------------

// c's entries outside the region, or where there is none those that t does not have, and all of t's.
extern "C" GrB_Info grid_cuda_part_assign(grid_part *z, const grid_part *c, const grid_part *t,
                                          const grid_region *region) {
  side s[2] = {};
  const grid_kept all = {};
  grid_kept alone = {};
  joined to = {};
  uint32_t *zeros = NULL;
  GrB_Info info = GrB_SUCCESS;
  TRY(find_sides(s, c, t, z->row.dim, &zeros));
  if (c && region) {
    TRY(grid_cuda_kept_region(&s[0].kept, c, region, false));
    TRY(grid_cuda_kept_count(&s[0].kept));
  } else if (c && t) {
    TRY(grid_cuda_kept_make(&s[0].kept, c->nvals));
    restrict_entries<<<grid_cuda_part_blocks(c->nvals), THREADS, 0, grid_cuda_stream()>>>(
        s[0].m, s[1].m, kept_of(all), false, s[0].kept.bits);
    TRY(grid_cuda_launched("entries that are replaced"));
    TRY(grid_cuda_kept_count(&s[0].kept));
  }
  TRY(find_rest(&alone, &s[0], &s[1]));
  TRY(make_joined(z, &s[0], &s[1], &alone, &to));
  if (z->nvals) TRY(give_values(z, s, &to, NULL));
done:
  grid_cuda_kept_free(&s[0].kept);
  grid_cuda_kept_free(&alone);
  grid_device_free(to.from_x);
  grid_device_free(to.from_y);
  grid_device_free(zeros);
  return info;
}

// ---- intersection
// --------------------------------------------------------------------------------------------------

extern "C" GrB_Info grid_cuda_meet_one(grid_part *z, const grid_part *x, const grid_part *y,
                                       GrB_BinaryOp op) {
  grid_binary bound = {};
  char *one = (char *)grid_calloc(1, z->type->size);
  GrB_Info info = one ? GrB_SUCCESS : grid_fail_memory(NULL, "a matrix value", 1, z->type->size);
  TRY(info);
  TRY(grid_binary_bind(&bound, op, z->type, x->type, y->type));
  grid_binary_one(&bound, one, grid_part_one(x), grid_part_one(y));
  TRY(grid_part_set_one(z, one));
done:
  grid_binary_free(&bound);
  grid_free(one);
  return info;
}

extern "C" GrB_Info grid_cuda_part_intersect(grid_part *z, const grid_part *x, const grid_part *y,
                                             GrB_BinaryOp op) {
  const bool turned = y->nvals < x->nvals;  // the shorter is looked up in the longer
  const grid_part *few = turned ? y : x, *many = turned ? x : y;
  const bool alike = (x->iso || !op->uses_x) && (y->iso || !op->uses_y);
  grid_kept kept = {};
  uint32_t *with = NULL, *from = NULL, *other = NULL;
  GrB_Info info;
  TRY(grid_cuda_kept_make(&kept, few->nvals));
  with = (uint32_t *)grid_device_malloc(few->nvals, sizeof *with);
  if (!with) TRY(grid_device_fail_memory(NULL, "entries of two matrices", few->nvals, sizeof *with));
  find_shared<<<grid_cuda_part_blocks(few->nvals), THREADS, 0, grid_cuda_stream()>>>(
      grid_part_rows_of(few), grid_part_rows_of(many), kept.bits, with);
  TRY(grid_cuda_launched("entries that two matrices share"));
  TRY(grid_cuda_kept_count(&kept));
  TRY(grid_cuda_kept_part(z, few, &kept, &from));
  if (z->nvals == 0) goto done;
  if (alike) {
    info = grid_cuda_meet_one(z, x, y, op);
    goto done;
  }
  other = (uint32_t *)grid_device_malloc(z->nvals, sizeof *other);
  if (!other) TRY(grid_device_fail_memory(NULL, "entries of two matrices", z->nvals, sizeof *other));
  pick<<<grid_cuda_many(z->nvals), 256, 0, grid_cuda_stream()>>>(from, z->nvals, with, other);
  TRY(grid_cuda_launched("entries that two matrices share"));
  {
    const grid_pairing p = {x, y, turned ? other : from, turned ? from : other, op, false};
    info = grid_cuda_pair_values(z, &p);
  }
done:
  grid_cuda_kept_free(&kept);
  grid_device_free(with);
  grid_device_free(from);
  grid_device_free(other);
  return info;
}
