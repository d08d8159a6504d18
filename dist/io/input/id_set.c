/* See id_set.h. */
#include "dist/io/input/id_set.h"

#include <string.h>

#include "semiring/support/mem.h"

GrB_Info grid_id_set_reserve(grid_id_set *s, uint64_t largest) {
  const uint64_t need = largest / 64 + 1;
  if (need <= s->words) return GrB_SUCCESS;
  const uint64_t words = need + need / 2, most = UINT64_C(1) << 26;
  const uint64_t capacity = words < most ? words : need > most ? need : most;
  uint64_t *bits = grid_realloc(s->bits, capacity, sizeof *bits);
  if (!bits) return grid_fail_memory(NULL, "names of vertices", capacity, sizeof *bits);
  memset(bits + s->words, 0, (capacity - s->words) * sizeof *bits);
  s->bits = bits;
  s->words = capacity;
  return GrB_SUCCESS;
}

void grid_id_set_free(grid_id_set *s) {
  grid_free(s->bits);
  grid_free(s->before);
  *s = (grid_id_set){0};
}

GrB_Info grid_id_set_merge(grid_id_set *s, GrB_Info info) {
  uint64_t words = s->words;
  TRY(grid_agree(NULL, info));
  TRY(grid_ctx.transport->allreduce(GRID_SET_ALL, &words, 1, GRID_MAX));
  info = words ? grid_id_set_reserve(s, 64 * words - 1) : info;
  /* capacities differ; all processes use the common prefix */
  words = s->words;
  TRY(grid_agree(NULL, info));
  TRY(grid_ctx.transport->allreduce(GRID_SET_ALL, &words, 1, GRID_MIN));
  s->words = words;
  TRY(grid_ctx.transport->allreduce(GRID_SET_ALL, s->bits, words, GRID_BOR));
  s->before = grid_malloc(words, sizeof *s->before);
  TRY(grid_agree(NULL, s->before ? info : grid_fail_memory(NULL, "names of vertices", words, 4)));
  for (uint64_t w = 0; w < words; w++) {
    s->before[w] = (uint32_t)s->n;
    s->n += (uint64_t)__builtin_popcountll(s->bits[w]);
  }
done:
  return info;
}

void grid_id_set_list(uint64_t *name, const grid_id_set *s) {
  for (uint64_t w = 0, k = 0; w < s->words; w++)
    for (uint64_t left = s->bits[w]; left; left &= left - 1)
      name[k++] = w * 64 + (uint64_t)__builtin_ctzll(left);
}
