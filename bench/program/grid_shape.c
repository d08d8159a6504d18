/* The shape of the grid where the program chooses it from the tuples of its graph. */
#include "bench/program/tuples.h"

static int count_degrees(degree_sample *s, const graph *g) {
  tuples t;
  const int status = tuples_open(&t, g);
  while (status == STATUS_OK && tuples_next(&t))
    for (uint64_t k = 0; k < t.count; k++) degree_sample_add(s, t.rows[k], t.cols[k]);
  tuples_close(&t);
  return status;
}

void library_settings(const options *o) {
  if (o->threads > 0) Grid_threads(o->threads);
  if (o->memory > 0) Grid_memory_limit(o->memory);
  if (o->device_memory > 0) Grid_device_memory_limit(o->device_memory);
}

int shape_choose(const graph *g, const options *o) {
  degree_sample s;
  bool retry = false;
  if (!grid_shape_is_automatic() || g->pages != NULL || o->R > 0 || o->device != Grid_CPU) return STATUS_OK;
  if (o->work == WORK_NONE) return fail(STATUS_INPUT, "the command does not say what it does most");
  const bool made = degree_sample_open(&s, g->n, !g->directed);
  int status = fail_on_any(STATUS_INPUT, made ? NULL : "no memory to count degrees");
  if (status == STATUS_OK) status = count_degrees(&s, g);
  if (status == STATUS_OK && grid_restart_on_best_shape(&retry, &s, o->work) != GrB_SUCCESS)
    status = fail_library("choosing the grid");
  if (retry) library_settings(o);
  degree_sample_close(&s);
  return status;
}
