/* Copies and formats of a vector chunk, on the host and on the device. */
#include "spmat/vector/backend.h"
#include "spmat/vector/bound_operator.h"
#include "spmat/vector/chunk_memory.h"

/* ---- allocation ---------------------------------------------------------------------------------------- */

GrB_Info grid_chunk_reserve_val(grid_chunk *c, uint64_t count) {
  GrB_Info info = grid_chunk_to_host(c);
  return info == GrB_SUCCESS ? grid_chunk_host_val(c, count) : info;
}

GrB_Info grid_chunk_reserve_list(grid_chunk *c, uint64_t nvals, bool iso) {
  GrB_Info info = grid_chunk_to_host(c);
  return info == GrB_SUCCESS ? grid_chunk_host_list(c, nvals, iso) : info;
}

GrB_Info grid_chunk_reserve_dense(grid_chunk *c, bool iso) {
  GrB_Info info = grid_chunk_to_host(c);
  return info == GrB_SUCCESS ? grid_chunk_host_dense(c, iso) : info;
}

/* ---- copy ---------------------------------------------------------------------------------------------- */

/* The values of word w. */
static void copy_word(grid_chunk *to, const grid_chunk *from, int64_t w) {
  const size_t size = from->type->size, at = (size_t)w * 64 * size;
  uint64_t s = from->format == GRID_BITMAP ? from->bits[w] : grid_tail(from->n, (uint64_t)w);
  if (grid_word_filled(s)) /* values of absent entries may be overwritten */
    memcpy((char *)to->val + at, (const char *)from->val + at, grid_word_length(s) * size);
  else
    grid_value_copy_bits((char *)to->val + at, (const char *)from->val + at, 1, s, size);
}

static void copy_dense(grid_chunk *to, const grid_chunk *from) {
  const int64_t words = (int64_t)grid_words(from->n);
  const bool bitmap = from->format == GRID_BITMAP;
  if (bitmap) grid_copy_bytes(to->bits, from->bits, (size_t)words * sizeof(uint64_t));
  if (from->iso || grid_chunk_is_quarter_full(from)) {
    grid_copy_bytes(to->val, from->val, (from->iso ? 1 : from->n) * from->type->size);
    return;
  }
  const int threads = grid_word_threads((uint64_t)words);
  if (grid_is_serial(threads)) {
    for (int64_t w = 0; w < words; w++) copy_word(to, from, w);
  } else {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t w = 0; w < words; w++) copy_word(to, from, w);
  }
}

/* from lies on the device and has entries; c has no arrays yet. Where few indices have entries, only their
 * values are read. */
static GrB_Info copy_on_device(grid_chunk *c, const grid_chunk *from) {
  GrB_Info info = GrB_SUCCESS;
  enum { INDICES_PER_ENTRY = 16 };
  const bool bitmap = from->format == GRID_BITMAP;
  const bool is_sparse = bitmap && !from->iso && from->nvals < from->n / INDICES_PER_ENTRY;
  const size_t size = from->type->size;
  TRY(grid_chunk_reserve_device(c, bitmap, from->iso));
  if (bitmap) TRY(grid_device_copy(c->bits, from->bits, grid_words(from->n) * sizeof *from->bits));
  if (is_sparse)
    TRY(grid_cuda->chunks->copy_values(c->val, from->bits, from->val, size, from->n));
  else
    TRY(grid_device_copy(c->val, from->val, (from->iso ? 1 : from->n) * size));
  memcpy(c->host_value, from->host_value, sizeof c->host_value);
done:
  return info;
}

static GrB_Info copy_on_host(grid_chunk *c, const grid_chunk *from) {
  GrB_Info info = GrB_SUCCESS;
  if (from->format == GRID_LIST) {
    TRY(grid_chunk_reserve_list(c, from->nvals, from->iso));
    grid_copy_bytes(c->idx, from->idx, from->nvals * sizeof(uint64_t));
    grid_copy_bytes(c->val, from->val, (from->iso ? 1 : from->nvals) * from->type->size);
  } else {
    if (from->format == GRID_BITMAP)
      TRY(grid_chunk_reserve_dense(c, from->iso));
    else
      TRY(grid_chunk_reserve_val(c, from->iso ? 1 : from->n));
    copy_dense(c, from);
  }
done:
  return info;
}

GrB_Info grid_chunk_copy(grid_chunk *to, const grid_chunk *from) {
  GrB_Info info = GrB_SUCCESS;
  grid_chunk c;
  grid_chunk_init(&c, from->type, from->n);
  TRY(grid_chunk_wait(from));
  if (from->nvals) {
    TRY(from->device ? copy_on_device(&c, from) : copy_on_host(&c, from));
    c.format = from->format, c.iso = from->iso, c.nvals = from->nvals;
  }
  grid_chunk_swap(to, &c);
done:
  grid_chunk_free(&c);
  return info;
}

static GrB_Info fill_pattern_on_device(grid_chunk *to, const grid_chunk *s, const void *x) {
  GrB_Info info = GrB_SUCCESS;
  const size_t size = to->type->size;
  TRY(grid_chunk_reserve_device(to, s->format == GRID_BITMAP, true));
  if (s->format == GRID_BITMAP) TRY(grid_device_copy(to->bits, s->bits, grid_words(s->n) * sizeof *s->bits));
  TRY(grid_cuda->chunks->fill(to->val, memcpy(to->host_value, x, size), size, 1));
done:
  return info;
}

static GrB_Info fill_pattern_on_host(grid_chunk *to, const grid_chunk *s, const void *x) {
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_chunk_reserve_val(to, 1));
  if (s->format == GRID_LIST) TRY(grid_chunk_reserve_list(to, s->nvals, true));
  if (s->format == GRID_LIST) memcpy(to->idx, s->idx, s->nvals * sizeof *s->idx);
  if (s->format == GRID_BITMAP) TRY(grid_chunk_reserve_dense(to, true));
  if (s->format == GRID_BITMAP) memcpy(to->bits, s->bits, grid_words(s->n) * sizeof *s->bits);
  memcpy(to->val, x, to->type->size);
done:
  return info;
}

GrB_Info grid_chunk_fill_pattern(grid_chunk *to, const grid_chunk *s, const void *x) {
  const bool is_present = s->device && grid_device_can_hold(to->type);
  GrB_Info info = GrB_SUCCESS;
  if (s->nvals == 0) return info;
  if (!is_present) TRY(grid_chunk_to_host(s));
  TRY(is_present ? fill_pattern_on_device(to, s, x) : fill_pattern_on_host(to, s, x));
  to->format = s->format, to->nvals = s->nvals, to->iso = true;
done:
  return info;
}

/* ---- formats ------------------------------------------------------------------------------------------- */

static GrB_Info device_to_bitmap(grid_chunk *c) {
  GrB_Info info = GrB_SUCCESS;
  if (c->format == GRID_FULL) {
    TRY(grid_chunk_reserve_device(c, true, c->iso));
    TRY(grid_cuda->chunks->combine(c->bits, NULL, NULL, GRID_AND, c->n, NULL));
    c->format = GRID_BITMAP;
  }
  TRY(grid_chunk_to_device(c)); /* an empty chunk gets a bitmap of zeros */
done:
  return info;
}

GrB_Info grid_chunk_to_list(grid_chunk *c) {
  GrB_Info info = grid_chunk_to_host(c);
  return info == GrB_SUCCESS ? grid_chunk_host_to_list(c) : info;
}

GrB_Info grid_chunk_to_bitmap(grid_chunk *c) {
  if (c->device && c->format != GRID_BITMAP) return device_to_bitmap(c);
  return grid_chunk_host_to_bitmap(c);
}

GrB_Info grid_chunk_choose_format(grid_chunk *c) {
  if (!c->device) return grid_chunk_host_choose_format(c);
  if (c->nvals == 0) grid_chunk_empty(c);
  if (c->nvals && c->nvals == c->n) c->format = GRID_FULL; /* an uncounted one stays uncounted */
  return GrB_SUCCESS;
}

/* Stores the value at every index, entry or not, with contiguous writes. */
static GrB_Info device_expand_iso(grid_chunk *c) {
  GrB_Info info = GrB_SUCCESS;
  if (c->nvals) {
    TRY(grid_chunk_reserve_device(c, false, false));
    TRY(grid_cuda->chunks->fill(c->val, c->host_value, c->type->size, c->n));
  }
  c->iso = false;
done:
  return info;
}

/* x at the entries of the bitmap c: its pages without entries stay untouched. */
static void fill_entries(const grid_chunk *c, char *val, const void *x) {
  const size_t size = c->type->size;
  const uint64_t words = grid_words(c->n);
  const int threads = grid_word_threads(words);
  if (grid_is_serial(threads)) {
    grid_value_fill_bits(val, x, c->bits, words, size);
    return;
  }
#pragma omp parallel num_threads(threads)
  {
    const uint64_t id = grid_thread(), all = grid_threads(), from = words * id / all,
                   to = words * (id + 1) / all;
    grid_value_fill_bits(val + from * 64 * size, x, c->bits + from, to - from, size);
  }
}

GrB_Info grid_chunk_expand_iso(grid_chunk *c) {
  if (!c->iso) return GrB_SUCCESS;
  if (c->device) return device_expand_iso(c);
  const size_t size = c->type->size;
  const uint64_t count = c->format == GRID_LIST ? c->nvals : c->n;
  const bool fits = c->cap_val / size >= count && size <= GRID_SMALL_VALUE;
  _Alignas(16) char one[GRID_SMALL_VALUE];
  char *val = fits ? c->val : grid_malloc(count, size);
  if (!val && count) return grid_fail_memory(NULL, "vector values", count, size);
  const char *x = fits && count ? memcpy(one, val, size) : c->val; /* the fill may overwrite it */
  if (c->format == GRID_BITMAP)
    fill_entries(c, val, x);
  else
    grid_value_fill_array(val, x, size, count);
  if (val != c->val) {
    grid_free(c->val);
    c->val = val, c->cap_val = count * size;
  }
  c->iso = false;
  return GrB_SUCCESS;
}
