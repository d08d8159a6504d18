/* R-MAT tuples on several devices: each generates a share, grouped by the process whose block holds the
 * entry, and sends the groups there. */
#include "dist/comm/device_transport.h"
#include "dist/io/rmat/rmat.h"
#include "spmat/backend.h"
#include "spmat/device/phase_times.h"

/* Exchanges *keys, in groups of `capacity`. count: number in each group, followed by space for offsets and
 * for the counts of all processes. */
static GrB_Info send_groups(grid_head *head, uint64_t *count, uint64_t capacity, uint64_t **keys,
                            uint64_t *n) {
  const size_t P = (size_t)grid_ctx.P;
  uint64_t *first = count + P, *all = first + P;
  GrB_Info info = GrB_SUCCESS;
  for (size_t r = 0; r < P; r++) first[r] = r * capacity;
  TRY(grid_ctx.transport->allgather(GRID_SET_ALL, count, P * sizeof *count, all));
  TRY(grid_send_keys(head, &(grid_key_groups){first, all, P, "the tuples of a matrix block"}, keys, n));
  grid_lap_record("tuples to their blocks");
done:
  return info;
}

GrB_Info grid_rmat_keys(grid_head *head, const grid_rmat_job *job, uint64_t **keys, uint64_t *n) {
  const size_t P = (size_t)grid_ctx.P;
  uint64_t capacity = 0, *count = grid_malloc((2 + P) * P, sizeof *count);
  grid_lap_start();
  *keys = NULL;
  GrB_Info info = count ? GrB_SUCCESS : grid_fail_memory(NULL, "message sizes", (2 + P) * P, sizeof *count);
  if (info == GrB_SUCCESS) info = grid_cuda->builder->rmat(job, keys, &capacity, count);
  TRY(grid_agree(head, info));
  grid_lap_record("generate");
  *n = count[0];
  if (P > 1) TRY(send_groups(head, count, capacity, keys, n));
done:
  grid_free(count);
  if (info != GrB_SUCCESS) {
    grid_device_free(*keys);
    *keys = NULL;
  }
  return info;
}
