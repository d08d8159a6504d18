/* A shortest path by a search from its source. */
#include "bench/check/traversal/check_bfs_path.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  check_rows r;
  int64_t *level;
  uint64_t *queue;
} searches;

static bool begin(searches *s, const check_graph *g) {
  *s = (searches){.level = malloc((g->n + 1) * sizeof *s->level),
                  .queue = malloc((g->n + 1) * sizeof *s->queue)};
  return s->level != NULL && s->queue != NULL && check_rows_make(&s->r, g, false);
}

static void end(searches *s) {
  free(s->level), free(s->queue);
  check_rows_free(&s->r);
}

/* at[k] = the vertex at place k of the path; false: a place is wrong, or there twice. */
static bool read_places(uint64_t *at, const double *place, uint64_t n, int64_t length) {
  int64_t places = 0;
  for (uint64_t k = 0; k < n; k++) at[k] = n;
  for (uint64_t v = 0; v < n; v++) {
    if (isnan(place[v])) continue;
    if (!(place[v] >= 0 && place[v] <= (double)length && place[v] == floor(place[v]))) return false;
    if (at[(uint64_t)place[v]] != n) return false;
    at[(uint64_t)place[v]] = v;
    places++;
  }
  return places == length + 1;
}

static const char *follow(searches *s, uint64_t source, uint64_t target, const double *place, int64_t length,
                          char *text, size_t capacity) {
  check_search(s->level, s->queue, &s->r, source, -1);
  if (s->level[target] != length) {
    snprintf(text, capacity, "the distance is %" PRId64 ", the answer says %" PRId64, s->level[target],
             length);
    return text;
  }
  uint64_t *at = s->queue;
  if (!read_places(at, place, s->r.n, length)) return "a place on the path is wrong";
  if (length < 0) return NULL;
  if (at[0] != source || at[length] != target) return "the path has other ends";
  for (int64_t k = 0; k < length; k++)
    if (check_rows_find(&s->r, at[k], at[k + 1]) == s->r.start[s->r.n]) {
      snprintf(text, capacity, "vertices number %" PRIu64 " and %" PRIu64 " of the path have no edge", at[k],
               at[k + 1]);
      return text;
    }
  return NULL;
}

const char *check_bfs_path(const check_graph *g, uint64_t source, uint64_t target, const double *place,
                           int64_t length, char *text, size_t capacity) {
  searches s;
  const char *why =
      begin(&s, g) ? follow(&s, source, target, place, length, text, capacity) : check_no_memory;
  end(&s);
  return why;
}
