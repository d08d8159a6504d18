/* Whether delegates pay, and which threshold: what a search gains by the model of layouts against what it
 * costs to make them (docs/how/delegates.md). */
#include <math.h>

#include "dist/plan/layout_cost.h"
#include "dist/plan/network.h"
#include "dist/plan/split_cost.h"

GrB_Info grid_estimate_delegate_gain(double *gain, const grid_degree_classes *c, uint64_t n, int P, int C,
                                     const Grid_Network *net) {
  Grid_Layout to[Grid_LAYOUTS];
  Grid_Search s;
  int best;
  *gain = 0;
  if (P == 1) return GrB_SUCCESS;
  GrB_Info info = grid_estimate_search(&s, c, n, P);
  if (info != GrB_SUCCESS) return info;
  const int count = Grid_layouts(to, &best, &s, net, false);
  for (int k = 0; k + 1 < count; k++) /* a layout with delegates follows the one without */
    if (to[k].C == C && to[k + 1].C == C) *gain = to[k].seconds - GRID_REQUEST_MARGIN * to[k + 1].seconds;
  grid_free_search(&s);
  return info;
}

/* Tries thresholds STEP classes apart, half a power of two, from the highest degree down to the last that
 * leaves one delegate for GRID_VERTICES_PER_DELEGATE vertices. */
enum { STEP = 4 };

static GrB_Info find_best(Grid_Delegate_Choice *to, grid_sorted_degrees *k, uint64_t n, int P, int C,
                          const Grid_Network *net) {
  double delegates = 0, gain;
  GrB_Info info = GrB_SUCCESS;
  for (int class = GRID_DEGREE_CLASSES - 1; class > 0 && info == GrB_SUCCESS; class --) {
    delegates += k->number[class];
    if (delegates * GRID_VERTICES_PER_DELEGATE > (double)n) break;
    if (delegates < 1 || class % STEP != 0) continue;
    k->c.first = class;
    info = grid_estimate_delegate_gain(&gain, &k->c, n, P, C, net);
    if (info != GrB_SUCCESS || gain <= to->saved) continue;
    to->saved = gain, to->best = (int64_t)grid_degree_class_min((unsigned)class) - 1;
  }
  return info;
}

GrB_Info Grid_choose_delegates(Grid_Delegate_Choice *to, const Grid_Degrees *g, int P, int C, double searches,
                               const Grid_Network *net) {
  static const char call[] = "Grid_choose_delegates";
  grid_sorted_degrees k;
  GrB_Info info = grid_check_degrees(call, g);
  if (info != GrB_SUCCESS) return info;
  if (!to || !net) return grid_fail(NULL, GrB_NULL_POINTER, "%s: an argument is NULL", call);
  if (P < 1 || P > GRID_MAX_PLANNED_PROCESSES || C < 1 || P % C != 0)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: %d processes on %d columns", call, P, C);
  Grid_Delegate_Choice choice = {.best = -1, .threshold = Grid_DELEGATES_OFF};
  grid_sort_into_classes(&k, g);
  const bool index = C == 1 && P > 1;
  double entries = 0;
  for (int x = 0; x < GRID_DEGREE_CLASSES; x++) entries += k.number[x] * k.degree[x];
  if (!index || (g->symmetric && g->n >= GRID_MIN_VERTICES && g->n / (uint64_t)P < UINT32_MAX))
    info = find_best(&choice, &k, g->n, P, C, net);
  if (info != GrB_SUCCESS) return info;
  choice.cost =
      index ? grid_index_seconds((double)g->n, entries, P, net) : grid_split_seconds(entries, P, net);
  if (choice.saved > 0) choice.searches = ceil(choice.cost / choice.saved);
  if (choice.saved > 0 && searches >= choice.searches) choice.threshold = choice.best;
  *to = choice;
  return info;
}
