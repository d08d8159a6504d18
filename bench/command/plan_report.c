/* What gridblas plan says about delegates and GPUs. */
#include <math.h>

#include "bench/command/plan.h"

int plan_report_delegates(report *r, const Grid_Degrees *g, int P, int C, const Grid_Network *net) {
  Grid_Delegate_Choice choice;
  if (Grid_choose_delegates(&choice, g, P, C, 0, net) != GrB_SUCCESS)
    return fail_library("choosing delegates");
  report_number(r, "delegates_cost_ms", 1e3 * choice.cost);
  report_number(r, "delegates_save_ms_a_search", 1e3 * choice.saved);
  if (choice.searches == 0) {
    report_text(r, "delegates_pay", "never");
    return STATUS_OK;
  }
  report_count(r, "delegates_best_threshold", (uint64_t)choice.best);
  report_number(r, "delegates_pay_after_searches", choice.searches);
  return STATUS_OK;
}

enum { EDGE_FACTOR = 31, MAX_SCALE = 40 };

/* The least power of two of vertices, with as many entries each as an R-MAT graph has, from which P GPUs are
 * faster than half of them and than one. */
static int least_scale(int P) {
  int scale = 1;
  for (; scale < MAX_SCALE; scale++) {
    const uint64_t n = UINT64_C(1) << scale, entries = EDGE_FACTOR * n;
    const double all = Grid_device_search_seconds(n, entries, P);
    if (all < Grid_device_search_seconds(n, entries, P / 2) &&
        all < Grid_device_search_seconds(n, entries, 1))
      break;
  }
  return scale;
}

double plan_entries(const Grid_Degrees *g) {
  double entries = 0;
  for (uint64_t k = 0; k < g->count; k++) entries += g->weight[k] * (double)g->degree[k];
  return entries;
}

void plan_report_gpus(report *r, plan_gpus *gpus, const Grid_Degrees *g) {
  const uint64_t entries = (uint64_t)plan_entries(g);
  for (int k = 0; k < PLANNED_GPUS; k++) {
    const int P = 1 << k;
    char key[40];
    gpus[k] = (plan_gpus){.number = P,
                          .least_scale = P == 1 ? 0 : least_scale(P),
                          .search = Grid_device_search_seconds(g->n, entries, P),
                          .product = Grid_device_product_seconds(g->n, entries, P),
                          .matrix_bytes = plan_matrix_bytes(g, P, 1, false)};
    snprintf(key, sizeof key, "gpus_%d_ms", P);
    report_number(r, key, 1e3 * gpus[k].search);
    snprintf(key, sizeof key, "gpus_%d_product_ms", P);
    report_number(r, key, 1e3 * gpus[k].product);
    snprintf(key, sizeof key, "gpus_%d_matrix_MB", P);
    report_number(r, key, 1e-6 * gpus[k].matrix_bytes);
    if (P == 1) continue;
    snprintf(key, sizeof key, "gpus_%d_pay_from_scale", P);
    report_count(r, key, (uint64_t)gpus[k].least_scale);
  }
}
