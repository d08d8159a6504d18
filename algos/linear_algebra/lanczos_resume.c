/* See lanczos_resume.h. */
#include "algos/linear_algebra/lanczos_resume.h"

#include <stdlib.h>

enum { NOW, ALPHA, BETA, BASIS };

void grid_lanczos_progress_free(lanczos_progress *w) {
  free(w->state), free(w->name);
}

/* The state after `rows` products, with the vectors of the basis; returns its number of items. */
static int list_state(lanczos_progress *w, lanczos *l, uint64_t rows) {
  Grid_Checkpoint_Item *const s = w->state;
  s[NOW] = (Grid_Checkpoint_Item){.name = "now", .bytes = &w->now, .size = sizeof w->now};
  s[ALPHA] = (Grid_Checkpoint_Item){.name = "alpha", .bytes = l->alpha, .size = rows * sizeof *l->alpha};
  s[BETA] = (Grid_Checkpoint_Item){.name = "beta", .bytes = l->beta, .size = rows * sizeof *l->beta};
  for (uint64_t j = 0; j < l->m; j++) {
    snprintf(w->name[j], sizeof w->name[j], "basis.%llu", (unsigned long long)j);
    s[BASIS + j] = (Grid_Checkpoint_Item){.name = w->name[j], .vector = l->q[j]};
  }
  return BASIS + (int)l->m;
}

GrB_Info grid_lanczos_resume(uint64_t *rows, lanczos_progress *w, lanczos *l) {
  GrB_Info info;
  TRY(grid_checkpoint_key_make(&w->key,
                               l->gram    ? "singular_values"
                               : l->scale ? "spectral_embedding"
                                          : "lanczos",
                               l->A, l->n));
  if (!grid_checkpoint_is_set()) goto out;
  w->key.key[3] = l->k, w->key.key[4] = l->most, w->key.key[5] = l->seed;
  w->state = malloc((BASIS + l->most) * sizeof *w->state);
  w->name = malloc(l->most * sizeof *w->name);
  const bool allocated = w->state != NULL && w->name != NULL;
  TRY(grid_refuse(allocated ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, l->call, "out of memory"));
  list_state(w, l, 0);
  TRY(grid_checkpoint_resume(rows, &w->key, w->state, 1)); /* how many vectors */
  if (*rows == 0) goto out;
  for (; l->m < w->now.m; l->m++) TRY(GrB_Vector_new(&l->q[l->m], GrB_FP64, l->n));
  TRY(grid_checkpoint_resume(rows, &w->key, w->state, list_state(w, l, *rows)));
  l->largest = w->now.largest;
out:
  return info;
}

GrB_Info grid_lanczos_record(lanczos_progress *w, lanczos *l, uint64_t rows) {
  if (!grid_checkpoint_is_due(rows)) return GrB_SUCCESS;
  w->now.m = l->m, w->now.largest = l->largest;
  return grid_checkpoint_iteration(rows, &w->key, w->state, list_state(w, l, rows));
}
