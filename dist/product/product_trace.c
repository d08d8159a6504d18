/* Tracing: the record of each product, summed over the grid, handed to the program's function. */
#include <omp.h>

#include "dist/object/burble.h"
#include "dist/product/dist_product.h"
#include "spmat/device/device.h"

grid_product_tracer grid_tracer;

void Grid_trace(Grid_trace_function f, void *context) {
  grid_tracer = (grid_product_tracer){f, context};
}

double grid_product_clock(void) {
  return omp_get_wtime() * 1e3;
}

static const char *name_of_step(const Grid_Product *s, const double *time) {
  if (time == &s->expand_ms) return "expand";
  if (time == &s->mask_ms) return "mask";
  if (time == &s->local_ms) return "local";
  if (time == &s->fold_ms) return "fold";
  return time == &s->write_ms ? "write" : "delegates";
}

void grid_product_add_lap(const grid_product *p, double *to, double *since) {
  const bool on_device = p->where == GRID_ON_DEVICE;
  if (on_device) (void)grid_device_wait(); /* a failure shows again */
  if (grid_burble) grid_trace_step(name_of_step(&p->stats, to), *since / 1e3, on_device);
  const double t = grid_product_now();
  *to += t - *since;
  *since = t;
}

GrB_Info grid_trace_product(grid_product *p) {
  Grid_Product *s = &p->stats;
  uint64_t *sum[] = {&s->found,      &s->inspected,      &s->expand_bytes,  &s->mask_bytes,
                     &s->fold_bytes, &s->delegate_bytes, &s->list_messages, &s->bitmap_messages,
                     &s->sent_bytes, &s->number_bytes};
  double *slowest[] = {&s->expand_ms, &s->mask_ms, &s->local_ms, &s->fold_ms, &s->delegate_ms, &s->write_ms};
  enum { SUMS = sizeof sum / sizeof *sum, TIMES = sizeof slowest / sizeof *slowest };
  uint64_t v[SUMS], t[TIMES + 1];
  s->calls = grid_traffic_now.calls - s->calls; /* those of the sums below not counted */
  s->sent_bytes = grid_traffic_now.bytes - s->sent_bytes;
  for (int k = 0; k < SUMS; k++) v[k] = *sum[k];
  for (int k = 0; k < TIMES; k++) t[k] = (uint64_t)(*slowest[k] * 1e6); /* nanoseconds */
  t[TIMES] = s->inspected;
  GrB_Info info = grid_ctx.transport->allreduce(GRID_SET_ALL, v, SUMS, GRID_SUM);
  if (info == GrB_SUCCESS) info = grid_ctx.transport->allreduce(GRID_SET_ALL, t, TIMES + 1, GRID_MAX);
  if (info != GrB_SUCCESS) return info;
  for (int k = 0; k < SUMS; k++) *sum[k] = v[k];
  for (int k = 0; k < TIMES; k++) *slowest[k] = (double)t[k] / 1e6;
  s->inspected_most = t[TIMES];
  grid_tracer.call(s, grid_tracer.context);
  return GrB_SUCCESS;
}
