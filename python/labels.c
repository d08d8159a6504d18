/* Communities by labels that nodes take over from their neighbors, in NetworkX's order, for
 * gridblas/nx/labels.py. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT void spread_labels(int64_t n, const int64_t *begin, const int64_t *heads, const int64_t *order,
                          double *weight, int64_t *near, int64_t *label);
EXPORT bool spread_labels_once(int64_t n, const int64_t *begin, const int64_t *heads, const double *weights,
                               const int64_t *order, int64_t (*choose)(int64_t), double *weight,
                               int64_t *near, int64_t *label);

/* The labels next to a node, as its neighbors come, and their weights; those of other labels are 0. */
typedef struct {
  const int64_t *begin, *heads;
  const double *weights; /* of arcs; NULL: each neighbor weighs 1, parallel arcs count once */
  double *weight;
  int64_t *near, count;
  const int64_t *label;
} neighborhood;

/* near becomes the labels of the largest weight. */
static void find_labels(neighborhood *of, int64_t node) {
  int64_t listed = 0;
  double most = 0;
  for (int64_t arc = of->begin[node]; arc < of->begin[node + 1]; arc++) {
    const int64_t label = of->label[of->heads[arc]];
    if (of->weights == NULL && arc > of->begin[node] && of->heads[arc] == of->heads[arc - 1]) continue;
    if (of->weight[label] == 0) of->near[listed++] = label;
    of->weight[label] += of->weights == NULL ? 1 : of->weights[arc];
  }
  for (int64_t k = 0; k < listed; k++)
    if (of->weight[of->near[k]] > most) most = of->weight[of->near[k]];
  of->count = 0;
  for (int64_t k = 0; k < listed; k++) {
    const int64_t label = of->near[k];
    if (of->weight[label] == most) of->near[of->count++] = label;
    of->weight[label] = 0;
  }
}

static bool is_near(const neighborhood *of, int64_t label) {
  for (int64_t k = 0; k < of->count; k++)
    if (of->near[k] == label) return true;
  return false;
}

static bool has_neighbors(const neighborhood *of, int64_t node) {
  return of->begin[node] < of->begin[node + 1];
}

static bool is_complete(neighborhood *of, int64_t n) {
  for (int64_t node = 0; node < n; node++) {
    if (!has_neighbors(of, node)) continue;
    find_labels(of, node);
    if (!is_near(of, of->label[node])) return false;
  }
  return true;
}

/* Nodes take over, in an order, the label that most neighbors have, of several their own or else the
 * greatest, until each has such a label. weight: all 0; near: an integer a node. */
void spread_labels(int64_t n, const int64_t *begin, const int64_t *heads, const int64_t *order,
                   double *weight, int64_t *near, int64_t *label) {
  neighborhood of = {begin, heads, NULL, weight, near, 0, label};
  while (!is_complete(&of, n))
    for (int64_t k = 0; k < n; k++) {
      const int64_t node = order[k];
      if (!has_neighbors(&of, node)) continue;
      find_labels(&of, node);
      if (is_near(&of, label[node])) continue;
      label[node] = near[0];
      for (int64_t i = 1; i < of.count; i++)
        if (near[i] > label[node]) label[node] = near[i];
    }
}

/* Nodes take over, in an order, one of the labels of the largest weight, unless they have one. choose: a
 * number below the one given. Returns whether one has done so. */
bool spread_labels_once(int64_t n, const int64_t *begin, const int64_t *heads, const double *weights,
                        const int64_t *order, int64_t (*choose)(int64_t), double *weight, int64_t *near,
                        int64_t *label) {
  neighborhood of = {begin, heads, weights, weight, near, 0, label};
  bool changed = false;
  for (int64_t k = 0; k < n; k++) {
    const int64_t node = order[k];
    if (!has_neighbors(&of, node)) continue;
    find_labels(&of, node);
    if (is_near(&of, label[node])) continue;
    label[node] = near[choose(of.count)];
    changed = true;
  }
  return changed;
}
