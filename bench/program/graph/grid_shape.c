/* The shape of the grid where the program chooses it from the tuples of its graph. */
#include "bench/program/graph/tuples.h"

static int count_degrees(degree_sample *s, const graph *g) {
  tuples t;
  const int status = tuples_open(&t, g);
  while (status == STATUS_OK && tuples_next(&t))
    for (uint64_t k = 0; k < t.count; k++) degree_sample_add(s, t.rows[k], t.cols[k]);
  tuples_close(&t);
  return status;
}

static int set_size(const char *option, const char *text, int field) {
  if (text == NULL) return STATUS_OK;
  if (text[0] != '\0' && GrB_Global_set_String(GrB_GLOBAL, text, field) == GrB_SUCCESS) return STATUS_OK;
  return fail(STATUS_INPUT, "%s %s: a size as 500M or 4G", option, text);
}

int library_settings(const options *o) {
  if (o->threads > 0) Grid_threads(o->threads);
  const int status = set_size("--memory", o->memory, Grid_MEMORY);
  return status != STATUS_OK ? status : set_size("--device-memory", o->device_memory, Grid_DEVICE_MEMORY);
}

/* How many searches the command makes; 0: unknown. */
static double count_searches(const options *o) {
  return o->scale > 0 ? (double)o->roots : 0; /* graph500 */
}

/* Of --delegates auto, where the number of searches is known: off unless delegates pay, by the model; on one
 * column the library then finds the threshold by counted edges. */
static int choose_delegates(graph *g, const degree_sample *s, const options *o) {
  const Grid_Degrees is = {s->n, s->degree, s->count, s->symmetric, NULL};
  Grid_Delegate_Choice choice;
  Grid_Network net;
  int R, C;
  if (o->delegates != Grid_DELEGATES_AUTO || count_searches(o) == 0) return STATUS_OK;
  Grid_shape(&R, &C);
  GrB_Info info = Grid_network(&net, true);
  if (info == GrB_SUCCESS)
    info = Grid_agree(Grid_choose_delegates(&choice, &is, R * C, C, count_searches(o), &net), NULL);
  if (info != GrB_SUCCESS) return fail_library("choosing delegates");
  uint64_t none = choice.threshold < 0; /* machines that differ may round differently */
  if (Grid_max(&none, 1) != GrB_SUCCESS) return fail_library("choosing delegates");
  if (none)
    g->delegates = Grid_DELEGATES_OFF;
  else if (C > 1)
    g->delegates = (int32_t)choice.threshold;
  return STATUS_OK;
}

static void print_better_number_of_gpus(const graph *g, const options *o) {
  const uint64_t entries = (g->directed ? 1 : 2) * g->edges.total;
  const int P = Grid_size();
  int best = P;
  for (int k = 1; k < P; k++)
    if (Grid_device_search_seconds(g->n, entries, k) < Grid_device_search_seconds(g->n, entries, best))
      best = k;
  if (best == P || o->work != WORK_SEARCHES || !o->verbose || Grid_rank() != 0) return;
  fprintf(stderr, "gridblas: predicted: a search takes %.2g ms on %d GPUs, %.2g ms on %d\n",
          1e3 * Grid_device_search_seconds(g->n, entries, P), P,
          1e3 * Grid_device_search_seconds(g->n, entries, best), best);
}

int shape_choose(graph *g, const options *o) {
  degree_sample s;
  bool retry = false;
  g->delegates = o->delegates;
  if (!grid_shape_is_automatic() || g->pages != NULL || o->R > 0) return STATUS_OK;
  if (o->device != Grid_CPU) {
    print_better_number_of_gpus(g, o);
    return STATUS_OK;
  }
  if (o->work == WORK_NONE) return fail(STATUS_INPUT, "the command does not say what it does most");
  const bool made = degree_sample_open(&s, g->n, !g->directed);
  int status = fail_on_any(STATUS_INPUT, made ? NULL : "no memory to count degrees");
  if (status == STATUS_OK) status = count_degrees(&s, g);
  if (status == STATUS_OK && grid_restart_on_best_shape(&retry, &s, o->work) != GrB_SUCCESS)
    status = fail_library("choosing the grid");
  if (status == STATUS_OK && retry) status = library_settings(o);
  if (status == STATUS_OK) status = choose_delegates(g, &s, o);
  degree_sample_close(&s);
  return status;
}
