/* See call_placement.h. */
#include "dist/object/call_placement.h"

#include "dist/grid/hooks.h"
#include "dist/object/objects.h"

grid_placement_counts grid_placed;

static bool default_is_active GRID_OF_CONTEXT; /* a decision holds until the end of the outermost call */
#define is_active GRID_IN_CONTEXT(default_is_active)

/* The object behind a handle if it is a live vector or matrix, else NULL. */
static grid_head *head_of(const void *object) {
  grid_head *h = (grid_head *)(uintptr_t)object;
  return h && (grid_is_live_handle(h, GRID_IS_VECTOR) || grid_is_live_handle(h, GRID_IS_MATRIX)) ? h : NULL;
}

/* `size` is of all processes together. */
static bool is_below(uint64_t size, uint64_t threshold) {
  return size / (uint64_t)grid_ctx.P < threshold;
}

static bool is_small(const grid_head *h) {
  return h->kind == GRID_IS_VECTOR
             ? is_below(((const struct GrB_Vector_opaque *)(const void *)h)->n, grid_tune.device_vector_min)
             : is_below(grid_hooks.matrix_size((GrB_Matrix)(uintptr_t)h), grid_tune.device_matrix_min);
}

static bool has_objects(const void *const *objects, size_t n) {
  for (size_t k = 0; k < n; k++)
    if (head_of(objects[k])) return true;
  return false;
}

static bool are_small(uint64_t work, const void *const *objects, size_t n) {
  for (size_t k = 0; k < n; k++) {
    const grid_head *h = head_of(objects[k]);
    if (h && !is_small(h)) return false;
  }
  return is_below(work, grid_tune.device_matrix_min);
}

/* An object may be several arguments of a call. */
static bool is_repeated(const void *const *objects, size_t k) {
  for (size_t j = 0; j < k; j++)
    if (objects[j] == objects[k]) return true;
  return false;
}

/* Counts a small call for each object on the device; has every one had enough of them to leave it? */
static bool may_leave_device(const void *const *objects, size_t n) {
  bool may = true;
  for (size_t k = 0; k < n; k++) {
    grid_head *h = head_of(objects[k]);
    if (!h || h->device_calls == 0 || h->device_calls > GRID_CALLS_BEFORE_MOVE || is_repeated(objects, k))
      continue;
    h->device_calls++;
    may = false;
  }
  return may;
}

void grid_call_placement_count(uint64_t calls, const void *const *objects, size_t n) {
  for (size_t k = 0; k < n && !is_active; k++) {
    grid_head *h = head_of(objects[k]);
    if (!h || h->device_calls == 0) continue;
    h->device_calls =
        calls > GRID_CALLS_BEFORE_MOVE ? GRID_CALLS_BEFORE_MOVE + 1 : (uint8_t)(h->device_calls + calls);
  }
}

/* Threads of other contexts compute at the same time. */
static void count(uint64_t *of) {
  if (grid_context_is_default()) ++*of;
}

/* Where the objects are from now on. On the device a large call begins the count of small ones anew. */
static void set_placement(const void *const *objects, size_t n, bool host, bool small) {
  for (size_t k = 0; k < n; k++) {
    grid_head *h = head_of(objects[k]);
    if (!h) continue;
    if (host && h->device_calls) count(&grid_placed.moves);
    if (host || !small || !h->device_calls) h->device_calls = !host;
  }
}

bool grid_call_placement_begin(uint64_t work, const void *const *objects, size_t n) {
  const bool is_sized = work > 0 || has_objects(objects, n);
  if (is_active || (!is_sized && !grid_device_is_opening_due())) return false;
  const bool small = !is_sized || are_small(work, objects, n), host = small && may_leave_device(objects, n);
  if (!host && grid_device_ensure_open() != GrB_SUCCESS) return false; /* the device is off from now on */
  set_placement(objects, n, host, small);
  count(host ? &grid_placed.host : &grid_placed.device);
  is_active = true;
  grid_device_bypass(host);
  return true;
}

void grid_call_placement_end(void) {
  is_active = false;
  grid_device_bypass(false);
}

bool grid_call_is_small(void) {
  return is_active && !grid_device_is_on();
}
