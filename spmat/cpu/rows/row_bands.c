/* See row_bands.h. Ranges give the number of entries of each row, so that arrays have the exact size. Threads
 * copy equal shares of the entries. */
#include "spmat/cpu/rows/row_bands.h"

#include <string.h>

#include "spmat/vector/bitmap_words.h"
#include "spmat/vector/value_sizes.h"

GrB_Info grid_row_bands_find(grid_row_bands *b, grid_band_finder find, const void *context) {
  const uint64_t n = b->z->row.n;
  const int threads = grid_work_threads(n);
  b->segments = threads < GRID_BAND_SEGMENTS ? (uint64_t)threads : GRID_BAND_SEGMENTS;
  b->count = grid_malloc(n + 1, sizeof *b->count);
  if (!grid_offsets_make(&b->low, n, b->a->nvals) || !b->count)
    return grid_fail_memory(NULL, "ranges of rows", n, 2 * sizeof *b->count);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (uint64_t p = 0; p < b->segments; p++) {
    const uint64_t r = n * p / b->segments, end = n * (p + 1) / b->segments, in = find(b, context, r, end);
    const grid_compressed *a = &b->a->by_row;
    b->selected[p] = b->complement ? grid_vector_start(a, end) - grid_vector_start(a, r) - in : in;
  }
  return GrB_SUCCESS;
}

uint64_t grid_row_bands_count(const grid_row_bands *b) {
  uint64_t n = 0;
  for (uint64_t p = 0; p < b->segments; p++) n += b->selected[p];
  return n;
}

void grid_row_bands_free(grid_row_bands *b) {
  grid_offsets_free(&b->low);
  grid_free(b->count);
}

/* Entries of a row of a. */
static inline uint64_t count_all(const grid_row_bands *b, uint64_t r) {
  return grid_vector_start(&b->a->by_row, r + 1) - grid_vector_start(&b->a->by_row, r);
}

/* Offsets of the rows r .. end - 1, of which the first one begins at entry `at`. Those of 32 bits replace the
 * counts. */
static void set_offsets(const grid_row_bands *b, grid_offsets start, uint64_t r, uint64_t end, uint64_t at) {
  for (; r < end; r++) {
    const uint64_t in = b->count[r];
    grid_offset_set(start, r, at);
    at += b->complement ? count_all(b, r) - in : in;
  }
}

/* The arrays of z for so many entries, and the offsets of its rows. */
static GrB_Info allocate(grid_row_bands *b, uint64_t selected) {
  grid_local_matrix *z = b->z;
  const uint64_t n = z->row.n;
  const size_t size = b->size;
  const bool wide = selected >= grid_tune.offsets64_from;
  grid_offsets start = {.offsets32 = b->count};
  uint64_t at[GRID_BAND_SEGMENTS] = {0};
  if (wide && !grid_offsets_make(&start, n + 1, selected))
    return grid_fail_memory(NULL, "matrix rows", n + 1, sizeof(uint64_t));
  for (uint64_t p = 1; p < b->segments; p++) at[p] = at[p - 1] + b->selected[p - 1];
#pragma omp parallel for schedule(static) num_threads((int)b->segments)
  for (uint64_t p = 0; p < b->segments; p++)
    set_offsets(b, start, n * p / b->segments, n * (p + 1) / b->segments, at[p]);
  grid_offset_set(start, n, selected);
  if (wide) grid_free(b->count);
  b->count = NULL;
  z->nvals = selected;
  z->by_row.ptr = start.offsets32, z->by_row.offsets64 = start.offsets64;
  z->by_row.idx = grid_malloc(selected, sizeof *z->by_row.idx);
  z->by_row.val = size ? grid_malloc(selected, size) : NULL;
  return z->by_row.idx && (!size || z->by_row.val)
             ? GrB_SUCCESS
             : grid_fail_memory(NULL, "matrix entries", selected, sizeof(uint32_t) + size);
}

/* Copies n entries of a to z. size: of a value, 0: none. */
GRID_ALWAYS_INLINE void copy_entries(const grid_compressed *z, uint64_t to, const grid_compressed *a,
                                     uint64_t from, uint64_t n, uint32_t add, size_t size) {
  if (add)
    for (uint64_t k = 0; k < n; k++) z->idx[to + k] = a->idx[from + k] + add;
  else
    memcpy(z->idx + to, a->idx + from, n * sizeof *z->idx);
  if (size) memcpy((char *)z->val + to * size, (const char *)a->val + from * size, n * size);
}

/* The same, where z's entries up to `end` are written later and a has `all`. A short row is copied as
 * SHORT_COPY entries, which needs neither a loop nor a call. */
GRID_ALWAYS_INLINE void copy_part_of_row(const grid_row_bands *b, uint64_t to, uint64_t end, uint64_t from,
                                         uint64_t n, uint32_t add, size_t size) {
  enum { SHORT_COPY = 8 };
  const grid_compressed *z = &b->z->by_row, *a = &b->a->by_row;
  if (n <= SHORT_COPY && end - to >= SHORT_COPY && b->a->nvals - from >= SHORT_COPY)
    copy_entries(z, to, a, from, SHORT_COPY, add, size);
  else
    copy_entries(z, to, a, from, n, add, size);
}

/* z's entries `at` .. `end` - 1; both may lie inside a row. */
GRID_ALWAYS_INLINE void copy_bands_of(const grid_row_bands *b, uint64_t at, uint64_t end, uint32_t add,
                                      size_t size) {
  const grid_compressed *z = &b->z->by_row;
  for (uint64_t r = grid_row_of_entry(b->z, at); at < end; r++) {
    const uint64_t first = grid_vector_start(z, r), next = grid_vector_start(z, r + 1),
                   stop = next < end ? next : end;
    if (at >= stop) continue;
    copy_part_of_row(b, at, end, grid_offset(b->low, r) + (at - first), stop - at, add, size), at = stop;
  }
}

/* The same of rows without a range: what lies between two ranges is contiguous, in a and in z. */
GRID_ALWAYS_INLINE void copy_between_bands_of(const grid_row_bands *b, uint64_t at, uint64_t end,
                                              size_t size) {
  const grid_compressed *z = &b->z->by_row, *a = &b->a->by_row;
  const uint64_t n = b->z->row.n;
  uint64_t r = grid_row_of_entry(b->z, at), left_out = grid_vector_start(a, r) - grid_vector_start(z, r);
  while (at < end) {
    /* r's range would be at z's entry `to`; after it, so many more are left out */
    const uint64_t to = r < n ? grid_offset(b->low, r) - left_out : end, stop = to < end ? to : end;
    if (at < stop) copy_part_of_row(b, at, end, at + left_out, stop - at, 0, size), at = stop;
    if (r < n) r++, left_out = grid_vector_start(a, r) - grid_vector_start(z, r);
  }
}

static void copy_between_bands(const grid_row_bands *b, uint64_t at, uint64_t end) {
#define CALL(S) copy_between_bands_of(b, at, end, S)
  if (b->size == 0)
    copy_between_bands_of(b, at, end, 0);
  else
    GRID_BY_SIZE(b->size, CALL)
#undef CALL
}

static void copy_bands(const grid_row_bands *b, uint64_t at, uint64_t end) {
#define CALL(S) b->add ? copy_bands_of(b, at, end, b->add, S) : copy_bands_of(b, at, end, 0, S)
  if (b->complement)
    copy_between_bands(b, at, end);
  else if (b->size == 0 && b->add)
    copy_bands_of(b, at, end, b->add, 0);
  else if (b->size == 0)
    copy_bands_of(b, at, end, 0, 0);
  else
    GRID_BY_SIZE(b->size, CALL)
#undef CALL
}

GrB_Info grid_row_bands_copy(grid_row_bands *b) {
  enum { STRETCH = 1 << 14 };
  const uint64_t selected = grid_row_bands_count(b);
  const GrB_Info info = allocate(b, selected);
  if (info != GrB_SUCCESS) return info;
  const int threads = grid_work_threads(selected / 8);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (uint64_t at = 0; at < selected; at += STRETCH)
    copy_bands(b, at, selected - at < STRETCH ? selected : at + STRETCH);
  return GrB_SUCCESS;
}
