/* Sends keys in device memory, and arrays parallel to them, to the processes that own the entries. */
#include "dist/comm/device_transport.h"
#include "dist/grid/process_grid.h"
#include "spmat/backend.h"

GrB_Info grid_send_groups(grid_head *head, const grid_key_groups *g, size_t size, void **at, uint64_t *n) {
  const size_t P = (size_t)grid_ctx.P, k = (size_t)grid_ctx.k;
  const grid_device_transport *transport;
  void *in = NULL;
  uint64_t all = 0;
  size_t *w = grid_malloc(4 * P, sizeof *w);
  GrB_Info info = w ? GrB_SUCCESS : grid_fail_memory(NULL, "message sizes", 4 * P, sizeof *w);
  for (size_t r = 0; r < P && w; r++) {
    const uint64_t come = g->count[r * g->stride + k];
    w[r] = g->count[k * g->stride + r] * size;
    w[P + r] = g->first[r] * size;
    w[2 * P + r] = come * size;
    w[3 * P + r] = all * size;
    all += come;
  }
  if (info == GrB_SUCCESS && !(in = grid_device_malloc(all, size)))
    info = grid_device_fail_memory(NULL, g->what, all, size);
  TRY(grid_agree(head, info));
  TRY(grid_device_transport_get(&transport));
  info = transport->exchange(GRID_SET_ALL, *at, w, w + P, in, w + 2 * P, w + 3 * P);
  TRY(grid_agree(head, info)); /* a failure is agreed on before the next message */
  grid_device_free(*at);
  *at = in;
  *n = all;
  in = NULL;
done:
  grid_device_free(in);
  grid_free(w);
  return info;
}

GrB_Info grid_send_keys(grid_head *head, const grid_key_groups *g, uint64_t **keys, uint64_t *n) {
  void *at = *keys;
  GrB_Info info = grid_send_groups(head, g, sizeof **keys, &at, n);
  *keys = at;
  return info;
}
