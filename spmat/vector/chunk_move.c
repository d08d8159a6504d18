/* Moves a chunk between host and device memory, and allocates one on the device. */
#include <string.h>

#include "spmat/vector/backend.h"
#include "spmat/vector/chunk_memory.h"

static GrB_Info device_array(void **p, uint64_t count, size_t size, const char *what) {
  *p = grid_device_malloc(count, size);
  return *p ? GrB_SUCCESS : grid_device_fail_memory(NULL, what, count, size);
}

GrB_Info grid_chunk_reserve_device(grid_chunk *c, bool bits, bool iso) {
  GrB_Info info = GrB_SUCCESS;
  const uint64_t words = grid_words(c->n), count = iso ? 1 : c->n;
  const size_t size = c->type->size;
  void *p;
  if (!c->device) {
    if (c->nvals) return grid_fail(NULL, GrB_PANIC, "device arrays for a chunk that is on the host");
    grid_chunk_free(c);
    c->device = true;
  }
  if (bits && (!c->bits || c->cap_bits < words)) {
    TRY(device_array(&p, words, sizeof(uint64_t), "a vector's bitmap"));
    grid_device_free(c->bits);
    c->bits = p, c->cap_bits = words;
  }
  if (!c->val || c->cap_val / size < count) {
    TRY(device_array(&p, count, size, "a vector's values"));
    grid_device_free(c->val);
    c->val = p, c->cap_val = count * size;
  }
done:
  return info;
}

/* Makes a bitmap of zeros, without values. */
static GrB_Info make_zeros(grid_chunk *d) {
  GrB_Info info = GrB_SUCCESS;
  const uint64_t words = grid_words(d->n);
  void *p;
  if (!d->bits || d->cap_bits < words) {
    TRY(device_array(&p, words, sizeof(uint64_t), "a vector's bitmap"));
    grid_device_free(d->bits);
    d->bits = p, d->cap_bits = words;
  }
  TRY(grid_device_zero(d->bits, words * sizeof(uint64_t)));
  d->format = GRID_BITMAP;
done:
  return info;
}

/* Writes the list c to the bitmap d, whose arrays are allocated. */
static GrB_Info scatter(grid_chunk *d, const grid_chunk *c) {
  GrB_Info info = GrB_SUCCESS;
  const size_t size = c->type->size;
  void *idx = NULL, *packed = NULL;
  if (c->nvals <= GRID_SHORT_LIST && (c->iso || size == 1 || size == 2 || size == 4 || size == 8))
    return grid_cuda->chunks->scatter_short_list(d->bits, c->iso ? NULL : d->val, c->n, c->idx, c->val,
                                                 (uint32_t)c->nvals, c->iso ? 0 : size);
  TRY(device_array(&idx, c->nvals, sizeof *c->idx, "a vector's list"));
  TRY(grid_device_write(idx, c->idx, c->nvals * sizeof *c->idx));
  if (!c->iso) {
    TRY(device_array(&packed, c->nvals, size, "a vector's list"));
    TRY(grid_device_write(packed, c->val, c->nvals * size));
  }
  TRY(grid_device_zero(d->bits, grid_words(c->n) * sizeof(uint64_t)));
  TRY(grid_cuda->chunks->scatter(d->bits, packed ? d->val : NULL, idx, packed, c->nvals, size));
done:
  grid_device_free(idx);
  grid_device_free(packed);
  return info;
}

/* A list of a long vector would become a bitmap and dense values on the device, which may take an eighth of
 * its memory. The widest value type counts, so that vectors of one length all stay or all move. */
static bool has_capacity(const grid_chunk *c) {
  enum { SHORT = 1 << 28 }; /* 2 GB of values of 8 bytes */
  const uint64_t size = c->type->size > sizeof(uint64_t) ? c->type->size : sizeof(uint64_t);
  const bool dense = c->nvals && c->format != GRID_LIST;
  grid_device_facts f;
  if (c->n <= SHORT || c->device || dense || grid_device_describe(&f) != GrB_SUCCESS) return true;
  const uint64_t limit = grid_device_get_limit(), eighth = (limit && limit < f.total ? limit : f.total) / 8;
  return c->n <= eighth / size && c->n / 8 + c->n * size <= eighth;
}

bool grid_chunk_can_move(const grid_chunk *c) {
  return c->n <= GRID_DENSE_LENGTH_MAX && grid_device_can_hold(c->type) && has_capacity(c);
}

GrB_Info grid_chunk_to_device(const grid_chunk *from) {
  GrB_Info info = GrB_SUCCESS;
  grid_chunk *c = (grid_chunk *)(uintptr_t)from, d;
  const size_t size = c->type->size;
  if (c->device) return c->format == GRID_LIST ? make_zeros(c) : GrB_SUCCESS;
  if (!grid_chunk_can_move(c)) return GRID_UNSUPPORTED;
  grid_chunk_init(&d, c->type, c->n);
  d.device = true;
  if (c->nvals == 0) {
    TRY(make_zeros(&d));
  } else {
    TRY(grid_chunk_reserve_device(&d, c->format != GRID_FULL, c->iso));
    if (c->format == GRID_LIST)
      TRY(scatter(&d, c));
    else if (c->format == GRID_BITMAP)
      TRY(grid_device_write(d.bits, c->bits, grid_words(c->n) * sizeof *c->bits));
    if (c->iso)
      TRY(grid_cuda->chunks->fill(d.val, memcpy(d.host_value, c->val, size), size, 1));
    else if (c->format != GRID_LIST)
      TRY(grid_device_write(d.val, c->val, c->n * size));
    d.format = c->format == GRID_FULL ? GRID_FULL : GRID_BITMAP;
    d.iso = c->iso, d.nvals = c->nvals;
  }
  grid_chunk_swap(c, &d);
done:
  grid_chunk_free(&d);
  return info;
}

GrB_Info grid_chunk_copy_to_host(grid_chunk *to, const grid_chunk *from) {
  GrB_Info info = GrB_SUCCESS;
  const uint64_t count = from->iso ? 1 : from->n;
  TRY(grid_chunk_wait(from));
  if (from->nvals == 0) return info;
  if (from->format == GRID_BITMAP) {
    TRY(grid_chunk_host_dense(to, from->iso));
    TRY(grid_device_get(to->bits, from->bits, grid_words(from->n) * sizeof *from->bits));
  } else {
    TRY(grid_chunk_host_val(to, count));
  }
  TRY(grid_device_get(to->val, from->val, count * from->type->size));
  to->format = from->format, to->iso = from->iso, to->nvals = from->nvals;
done:
  return info;
}

GrB_Info grid_chunk_to_host(const grid_chunk *from) {
  GrB_Info info = GrB_SUCCESS;
  grid_chunk *c = (grid_chunk *)(uintptr_t)from, h;
  if (!c->device) return GrB_SUCCESS;
  grid_chunk_init(&h, c->type, c->n);
  TRY(grid_chunk_copy_to_host(&h, c));
  (void)grid_chunk_host_choose_format(&h); /* skipped where memory is short */
  grid_chunk_swap(c, &h);
done:
  grid_chunk_free(&h);
  return info;
}
