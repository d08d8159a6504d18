/* Pending changes; see pending_changes.h. */
#include "dist/object/pending_changes.h"

#include <stdlib.h>
#include <string.h>

#include "dist/grid/short_call.h"
#include "spmat/matrix/axis.h"

void grid_pending_free(grid_pending *p) {
  grid_free(p->position);
  grid_free(p->col);
  grid_free(p->removed);
  grid_free(p->val);
  grid_free(p->table);
  *p = (grid_pending){0};
}

static uint64_t position_of(const grid_pending *p, uint64_t i, uint64_t j) {
  return p->col ? i : i << p->col_bits | j;
}

/* ---- lookup: a hash table of positions, made at the first lookup ---- */

static uint64_t *slot_of(const grid_pending *p, uint64_t i, uint64_t j) {
  uint64_t h = (i * UINT64_C(0x9e3779b97f4a7c15)) ^ (j + UINT64_C(0x7f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
  const uint64_t at = position_of(p, i, j);
  h ^= h >> 32;
  h *= UINT64_C(0x94d049bb133111eb);
  for (h ^= h >> 29;; h++) {
    uint64_t *slot = &p->table[h & (p->slots - 1)];
    if (*slot == 0 || (p->position[*slot - 1] == at && (!p->col || p->col[*slot - 1] == j))) return slot;
  }
}

uint64_t grid_pending_last(const grid_pending *p, GrB_Index i, GrB_Index j) {
  return *slot_of(p, i, j);
}

static void drop_table(grid_pending *p) {
  grid_free(p->table);
  p->table = NULL, p->slots = p->indexed = 0;
}

bool grid_pending_index(grid_pending *p) {
  if (p->slots < 2 * p->n) {
    uint64_t slots = 128;
    while (slots < 4 * p->n) slots *= 2;
    uint64_t *table = grid_calloc(slots, sizeof *table);
    if (!table) return false;
    grid_free(p->table);
    p->table = table, p->slots = slots, p->indexed = 0;
  }
  for (; p->indexed < p->n; p->indexed++)
    *slot_of(p, grid_pending_row(p, p->indexed), grid_pending_col(p, p->indexed)) = p->indexed + 1;
  return true;
}

GrB_Info grid_pending_search(grid_pending *p, grid_head *head, size_t size, GrB_Index i, GrB_Index j,
                             bool *pending, const void **v) {
  if (p->slots < 2 * p->n) { /* the same on all processes: only then is an agreement needed */
    GrB_Info info = grid_pending_index(p)
                        ? GrB_SUCCESS
                        : grid_fail_memory(head, "pending entries", 4 * p->n, sizeof *p->table);
    if ((info = grid_agree(head, info)) != GrB_SUCCESS) {
      drop_table(p);
      return info;
    }
  }
  grid_pending_index(p);
  const uint64_t k = grid_pending_last(p, i, j);
  *pending = k > 0;
  if (k && !p->removed[k - 1]) *v = p->val + (k - 1) * size;
  return GrB_SUCCESS;
}

/* ---- adding ---- */

/* From this length on superseded changes are removed before the arrays grow. */
#define MANY (UINT64_C(1) << 20)

enum { FIRST_CAPACITY = 64 };

static bool grow_table(grid_pending *p, grid_pending_dims dims, size_t size) {
  const uint64_t capacity = p->capacity ? 2 * p->capacity : FIRST_CAPACITY;
  const int row_bits = grid_index_bits(dims.rows), col_bits = grid_index_bits(dims.cols);
  const bool packed = row_bits + col_bits <= 64;
  void *position = grid_realloc(p->position, capacity, sizeof *p->position);
  if (position) p->position = position;
  void *col = packed ? NULL : grid_realloc(p->col, capacity, sizeof *p->col);
  if (col) p->col = col;
  void *removed = grid_realloc(p->removed, capacity, sizeof *p->removed);
  if (removed) p->removed = removed;
  void *val = grid_realloc(p->val, capacity, size);
  if (val) p->val = val;
  if (!position || (!packed && !col) || !removed || !val) return false;
  p->capacity = capacity;
  p->col_bits = packed ? col_bits : 0;
  return true;
}

/* Number of changes that are the last of their positions; all are in the table. */
static uint64_t count_last(const grid_pending *p) {
  uint64_t last = 0;
  for (uint64_t k = 0; k < p->slots; k++) last += p->table[k] != 0;
  return last;
}

static int compare_numbers(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* Removes superseded changes; the order of the others is unchanged. */
static void remove_superseded(grid_pending *p, size_t size) {
  uint64_t n = 0;
  for (uint64_t k = 0; k < p->slots; k++)
    if (p->table[k]) p->table[n++] = p->table[k] - 1;
  qsort(p->table, n, sizeof *p->table, compare_numbers);
  for (uint64_t to = 0; to < n; to++) {
    const uint64_t k = p->table[to];
    p->position[to] = p->position[k];
    if (p->col) p->col[to] = p->col[k];
    p->removed[to] = p->removed[k];
    memmove(p->val + to * size, p->val + k * size, size);
  }
  p->n = n;
  drop_table(p);
}

/* Makes room for one more change. Collective, agreed on; not needed for the first ones of short values. */
static GrB_Info reserve_capacity(grid_pending *p, grid_head *head, grid_pending_dims dims, size_t size) {
  grid_short_call_begin(p->capacity ? UINT64_MAX : FIRST_CAPACITY, size > 8 ? size : 8);
  const bool indexed = p->n < MANY || grid_pending_index(p);
  const bool compact = indexed && p->n >= MANY && count_last(p) <= p->n / 2;
  const bool fine = indexed && (compact || grow_table(p, dims, size));
  GrB_Info info = fine ? GrB_SUCCESS : grid_fail_memory(head, "pending entries", 2 * p->n + 64, size + 17);
  if ((info = grid_short_call_agree(head, info)) != GrB_SUCCESS) {
    if (p->n == 0) grid_pending_free(p);
    if (p->capacity > p->n)
      p->capacity = p->n; /* equal capacities again, so that all processes grow
                           * together */
    drop_table(p);
    return info;
  }
  if (compact) remove_superseded(p, size);
  return info;
}

GrB_Info grid_pending_reserve(grid_pending *p, grid_head *head, grid_pending_dims dims, size_t size,
                              uint64_t more) {
  while (p->capacity - p->n < more) {
    GrB_Info info = reserve_capacity(p, head, dims, size);
    if (info != GrB_SUCCESS) return info;
  }
  return GrB_SUCCESS;
}

GrB_Info grid_pending_add(grid_pending *p, grid_head *head, grid_pending_dims dims, GrB_Type type,
                          const void *x, GrB_Type xtype, GrB_Index i, GrB_Index j) {
  const size_t size = type->size;
  if (p->n == p->capacity) {
    GrB_Info info = reserve_capacity(p, head, dims, size);
    if (info != GrB_SUCCESS) return info;
  }
  p->position[p->n] = position_of(p, i, j);
  if (p->col) p->col[p->n] = j;
  p->removed[p->n] = !x;
  if (x && xtype == type)
    memcpy(p->val + p->n * size, x, size);
  else if (x)
    grid_cast_array(p->val + p->n * size, type, x, xtype, 1, 1);
  p->n++;
  return GrB_SUCCESS;
}
