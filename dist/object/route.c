/* route.c: entries travel to the owners of their indices. */
#include <string.h>

#include "dist/object/vector.h"

uint64_t grid_shared_from = UINT64_C(1) << 14;
/* 262,144 of them on 4 processes: 1.0 ms, dealt out 1.7. */
int grid_shared_processes = 4;

void grid_delivery_free(grid_delivery *e) {
  grid_free(e->idx);
  grid_free(e->val);
  *e = (grid_delivery){0};
}

/* What is sent, ordered by owner. */
typedef struct {
  uint64_t *count; /* entries for each process */
  uint64_t *next;  /* where its next one goes; one block with count */
  uint64_t *idx;
  char *val;
} outbox;

static GrB_Info outbox_alloc(outbox *o, uint64_t n, size_t size) {
  const size_t P = (size_t)grid_here.P;
  *o = (outbox){.count = grid_calloc(2 * P, sizeof(uint64_t)),
                .idx = grid_malloc(n, sizeof(uint64_t)),
                .val = grid_malloc(n, size)};
  if (!o->count || !o->idx || !o->val)
    return grid_fail_memory(NULL, "entries to send", n, sizeof(uint64_t) + size);
  o->next = o->count + P;
  return GrB_SUCCESS;
}

static void outbox_free(outbox *o) {
  grid_free(o->count);
  grid_free(o->idx);
  grid_free(o->val);
}

/* Sorts the entries by owner, stably; indices become local to the owner. */
static void outbox_fill(outbox *o, uint64_t n, const uint64_t *idx, const char *val, size_t step, size_t size,
                        uint64_t dim) {
  uint64_t own;
  for (uint64_t k = 0; k < n; k++) o->count[grid_chunk_of(dim, idx[k])]++;
  for (int r = 1; r < grid_here.P; r++) o->next[r] = o->next[r - 1] + o->count[r - 1];
  for (uint64_t k = 0; k < n; k++) {
    const uint64_t at = o->next[grid_owner(dim, idx[k], &own)]++;
    o->idx[at] = own;
    memcpy(o->val + at * size, val + k * step * size, size);
  }
}

static GrB_Info keep(grid_delivery *to, uint64_t n, const uint64_t *idx, const char *val, size_t step,
                     size_t size, GrB_Info info) {
  TRY(info);
  to->idx = grid_malloc(n, sizeof(uint64_t));
  to->val = grid_malloc(n, size);
  if (!to->idx || !to->val) TRY(grid_fail_memory(NULL, "entries", n, sizeof(uint64_t) + size));
  if (n) memcpy(to->idx, idx, n * sizeof *idx);
  for (uint64_t k = 0; k < n; k++) memcpy((char *)to->val + k * size, val + k * step * size, size);
  to->n = n;
done:
  if (info != GrB_SUCCESS) grid_delivery_free(to);
  return info;
}

GrB_Info grid_route(grid_delivery *to, uint64_t n, const uint64_t *idx, const void *val, size_t step,
                    size_t size, uint64_t dim, GrB_Info info) {
  outbox o = {0};
  *to = (grid_delivery){0};
  if (grid_here.P == 1) return keep(to, n, idx, val, step, size, info);
  if (info == GrB_SUCCESS) info = outbox_alloc(&o, n, size);
  TRY(grid_agree(NULL, info));
  outbox_fill(&o, n, idx, val, step, size, dim);
  TRY(grid_exchange_elements(o.idx, o.count, sizeof(uint64_t), (void **)&to->idx, &to->n));
  TRY(grid_exchange_elements(o.val, o.count, size, &to->val, &to->n));
done:
  outbox_free(&o);
  if (info != GrB_SUCCESS) grid_delivery_free(to);
  return info;
}
