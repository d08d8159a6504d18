/* Weak components by union-find (union by the smaller root, path halving); strong ones by Tarjan's
 * depth-first search without recursion. */
#include "bench/check/components/check_components.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t root_of(uint64_t *parent, uint64_t v) {
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

static void merge_labels(uint64_t *label, const check_graph *g) {
  for (uint64_t v = 0; v < g->n; v++) label[v] = v;
  for (uint64_t k = 0; k < g->m; k++) {
    const uint64_t a = root_of(label, g->from[k]), b = root_of(label, g->to[k]);
    if (a < b) label[b] = a;
    if (b < a) label[a] = b;
  }
  for (uint64_t v = 0; v < g->n; v++) label[v] = root_of(label, v);
}

/* The state of a vertex in Tarjan's search. */
typedef struct {
  uint64_t number, low, next; /* the number by discovery (0: undiscovered), the low link, the next edge */
  bool waiting;               /* on the stack of vertices without a component */
} visit;

/* The component with root v: all vertices above v on the stack. */
static void close_component(uint64_t *label, visit *at, const uint64_t *stack, uint64_t *height, uint64_t v) {
  uint64_t low = v, bottom = *height;
  do {
    bottom--;
    if (stack[bottom] < low) low = stack[bottom];
  } while (stack[bottom] != v);
  for (uint64_t k = bottom; k < *height; k++) {
    label[stack[k]] = low;
    at[stack[k]].waiting = false;
  }
  *height = bottom;
}

static void tarjan(uint64_t *label, visit *at, uint64_t *stack, uint64_t *path, const check_rows *out) {
  uint64_t count = 0, height = 0;
  for (uint64_t source = 0; source < out->n; source++) {
    if (at[source].number != 0) continue;
    uint64_t depth = 0;
    path[depth++] = source;
    while (depth > 0) {
      const uint64_t v = path[depth - 1];
      visit *frame = &at[v];
      if (frame->number == 0) {
        frame->number = frame->low = ++count;
        frame->next = out->start[v];
        frame->waiting = true;
        stack[height++] = v;
      }
      if (frame->next < out->start[v + 1]) {
        const uint64_t w = out->to[frame->next++];
        if (at[w].number == 0)
          path[depth++] = w;
        else if (at[w].waiting && at[w].number < frame->low)
          frame->low = at[w].number;
        continue;
      }
      if (frame->low == frame->number) close_component(label, at, stack, &height, v);
      depth--;
      if (depth > 0 && frame->low < at[path[depth - 1]].low) at[path[depth - 1]].low = frame->low;
    }
  }
}

static bool strong_labels(uint64_t *label, const check_graph *g) {
  check_rows out;
  if (!check_rows_make(&out, g, false)) return false;
  visit *at = calloc(g->n, sizeof *at);
  uint64_t *stack = malloc(g->n * sizeof *stack), *path = malloc(g->n * sizeof *path);
  const bool allocated = at != NULL && stack != NULL && path != NULL;
  if (allocated) tarjan(label, at, stack, path, &out);
  free(at), free(stack), free(path);
  check_rows_free(&out);
  return allocated;
}

const char *check_components(const check_graph *g, const double *component, bool strong, char *text,
                             size_t capacity) {
  uint64_t *label = malloc(g->n * sizeof *label);
  bool made = label != NULL;
  if (made && strong && !g->both_directions)
    made = strong_labels(label, g);
  else if (made)
    merge_labels(label, g);
  const char *why = made ? NULL : check_no_memory;
  for (uint64_t v = 0; why == NULL && v < g->n; v++)
    if (!(component[v] == (double)label[v])) {
      snprintf(text, capacity,
               "vertex number %" PRIu64 " is in the component of vertex number %" PRIu64
               ", the answer says %.0f",
               v, label[v], component[v]);
      why = text;
    }
  free(label);
  return why;
}
