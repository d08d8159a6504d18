/* Choices of nodes one after another, in NetworkX's order, for gridblas/nx/greedy.py. */
#include <stdbool.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT void greedy_colors(int64_t n, const int64_t *begin, const int64_t *heads, const int64_t *order,
                          int64_t *last, int64_t *color);
EXPORT int64_t vote_rank(int64_t n, const int64_t *begin, const int64_t *heads, int64_t edges,
                         const int64_t *pairs, bool directed, double degree, int64_t most, double *votes,
                         double *ability, bool *elected, int64_t *found);

/* Each node, in an order, gets the least color that none of its neighbors has. color: all -1. last: n + 1
 * integers, all -1. */
void greedy_colors(int64_t n, const int64_t *begin, const int64_t *heads, const int64_t *order, int64_t *last,
                   int64_t *color) {
  for (int64_t k = 0; k < n; k++) {
    const int64_t node = order[k];
    for (int64_t arc = begin[node]; arc < begin[node + 1]; arc++)
      if (color[heads[arc]] >= 0) last[color[heads[arc]]] = node;
    int64_t least = 0;
    while (last[least] == node) least++;
    color[node] = least;
  }
}

/* The votes of all nodes for their neighbors; in a directed graph for those with an edge to them. */
static void count_votes(int64_t n, int64_t edges, const int64_t *pairs, bool directed, const double *ability,
                        double *votes) {
  for (int64_t k = 0; k < n; k++) votes[k] = 0;
  for (int64_t e = 0; e < edges; e++) {
    const int64_t u = pairs[2 * e], v = pairs[2 * e + 1];
    votes[u] += ability[v];
    if (!directed) votes[v] += ability[u];
  }
}

/* found becomes the nodes with most votes, of the same number the first, one a round, until none has any; the
 * neighbors of each vote less by 1 / degree from then on. Returns how many. ability: all 1; elected: all
 * false. */
int64_t vote_rank(int64_t n, const int64_t *begin, const int64_t *heads, int64_t edges, const int64_t *pairs,
                  bool directed, double degree, int64_t most, double *votes, double *ability, bool *elected,
                  int64_t *found) {
  for (int64_t count = 0; count < most; count++) {
    int64_t best = -1;
    count_votes(n, edges, pairs, directed, ability, votes);
    for (int64_t k = 0; k < n; k++) {
      if (elected[k]) votes[k] = 0;
      if (best < 0 || votes[k] > votes[best]) best = k;
    }
    if (votes[best] == 0) return count;
    found[count] = best;
    elected[best] = true;
    ability[best] = 0;
    for (int64_t arc = begin[best]; arc < begin[best + 1]; arc++) {
      double *x = &ability[heads[arc]];
      *x = *x - 1 / degree > 0 ? *x - 1 / degree : 0;
    }
  }
  return most;
}
