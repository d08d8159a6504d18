/* See method.h. */
#include "dist/plan/method.h"

#include <stdio.h>
#include <string.h>

#include "dist/object/burble.h"
#include "dist/plan/tune_method.h"

const grid_method *grid_method_forced(const grid_method_table *t) {
  const char *name = grid_tune_method(t->operation);
  for (unsigned k = 0; name && k < t->n; k++)
    if (strcmp(t->rows[k]->name, name) == 0) return t->rows[k];
  return NULL;
}

/* Is row k still to be considered? */
static bool is_open(const grid_method_table *t, const grid_plan *plan, unsigned k) {
  const grid_method *m = t->rows[k];
  return !(plan->tried >> k & 1) && (!m->needs_several || grid_ctx.P > 1) && m->applies(plan);
}

const grid_method *grid_method_choose(const grid_method_table *t, const grid_plan *plan) {
  const grid_method *best = NULL;
  double least = 0;
  for (unsigned k = 0; plan->forced && k < t->n; k++)
    if (t->rows[k] == plan->forced && is_open(t, plan, k)) return plan->forced;
  for (unsigned k = 0; k < t->n; k++) {
    const grid_method *m = t->rows[k];
    if ((best && !m->cost) || !is_open(t, plan, k)) continue;
    if (!m->cost) return m;
    const double cost = m->cost(plan);
    if (!best || cost < least) best = m, least = cost;
  }
  return best;
}

void grid_method_trace(const grid_method_table *t, const grid_plan *plan, const char *detail) {
  const grid_method *chosen = plan->chosen;
  enum { LENGTH = 160 };
  char text[LENGTH];
  const char *sign = " (not";
  if (!grid_burble) return;
  int at = snprintf(text, LENGTH, "%s%s%s", chosen->name, detail ? ", " : "", detail ? detail : "");
  for (unsigned k = 0; k < t->n && at < LENGTH; k++) {
    const grid_method *m = t->rows[k];
    if (m == chosen || !m->cost || !is_open(t, plan, k)) continue;
    at += snprintf(text + at, (size_t)(LENGTH - at), "%s %s: %.3g", sign, m->name, m->cost(plan));
    sign = ",";
  }
  if (*sign == ',' && at < LENGTH) at += snprintf(text + at, (size_t)(LENGTH - at), ")");
  if (plan->forced && chosen != plan->forced && at < LENGTH)
    snprintf(text + at, (size_t)(LENGTH - at), "; %s does not apply", plan->forced->name);
  grid_trace_method(text);
}

GrB_Info grid_method_run(const grid_method_table *t, grid_plan *plan) {
  GrB_Info info = GRID_UNSUPPORTED;
  const grid_method *next = plan->chosen ? plan->chosen : grid_method_choose(t, plan);
  while (info == GRID_UNSUPPORTED && next) {
    plan->chosen = next;
    info = next->run(plan);
    for (unsigned k = 0; info == GRID_UNSUPPORTED && k < t->n; k++)
      if (t->rows[k] == next) plan->tried |= 1U << k;
    if (info == GRID_UNSUPPORTED) next = grid_method_choose(t, plan);
  }
  return info;
}
