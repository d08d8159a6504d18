/* Numbers the delegates of a split by descending degree. */
#include "dist/delegates/delegate_split.h"
#include "spmat/sort/radix.h"

/* Entries in row and column together, or once in a symmetric matrix. */
static uint64_t degree_of(GrB_Matrix A, uint64_t v) {
  return (uint64_t)A->degrees.row[v] + (A->degrees.col == A->degrees.row ? 0 : A->degrees.col[v]);
}

uint32_t grid_split_degree(GrB_Matrix A, uint64_t v) {
  const uint64_t degree = degree_of(A, v);
  return degree > UINT32_MAX ? UINT32_MAX : (uint32_t)degree;
}

/* This process's delegates by ascending vertex, as keys: index in its chunk << 32 | degree. */
static GrB_Info local_delegates(GrB_Matrix A, uint64_t threshold, uint64_t **keys, uint64_t *n) {
  const uint64_t length = grid_chunk_length(A->nrows, grid_ctx.k);
  *n = 0;
  for (uint64_t v = 0; v < length; v++) *n += degree_of(A, v) > threshold;
  uint64_t *key = *keys = grid_malloc(*n, sizeof *key);
  if (!key) return grid_fail_memory(NULL, "delegates", *n, sizeof *key);
  for (uint64_t v = 0, at = 0; v < length; v++) {
    if (degree_of(A, v) > threshold) key[at++] = v << 32 | grid_split_degree(A, v);
  }
  return GrB_SUCCESS;
}

static GrB_Info alloc_numbers(grid_split *s) {
  s->id = grid_malloc(s->d, sizeof *s->id);
  s->degree = grid_malloc(s->d, sizeof *s->degree);
  s->order = grid_malloc(s->d, sizeof *s->order);
  s->start = grid_malloc((uint64_t)grid_ctx.P + 1, sizeof *s->start);
  return s->id && s->degree && s->order && s->start ? GrB_SUCCESS
                                                    : grid_fail_memory(NULL, "delegates", s->d, 16);
}

/* Numbers the delegates by descending degree, those of one degree by ascending vertex, from the keys of all
 * processes in their order: s->start is set. tmp: an array of s->d. */
static void number_by_degree(GrB_Matrix A, grid_split *s, uint64_t *key, uint64_t *tmp) {
  int owner = 0;
  for (uint64_t at = 0; at < s->d; at++) {
    while (at >= s->start[owner + 1]) owner++;
    s->id[at] = grid_chunk_first(A->nrows, owner) + (key[at] >> 32); /* in the order of vertices */
    key[at] = (UINT32_MAX - (key[at] & UINT32_MAX)) << 32 | at;
  }
  grid_radix_sort(key, NULL, s->d, 0, 0, 0, tmp, NULL);
  for (uint64_t k = 0; k < s->d; k++) tmp[k] = s->id[key[k] & UINT32_MAX];
  for (uint64_t k = 0; k < s->d; k++) {
    s->id[k] = tmp[k];
    s->degree[k] = UINT32_MAX - (uint32_t)(key[k] >> 32);
    s->order[key[k] & UINT32_MAX] = (uint32_t)k;
  }
}

/* The bits of this process's delegates among its vertices, and room for messages of bits. Local. */
static GrB_Info mark_local(GrB_Matrix A, grid_split *s) {
  const uint64_t P = (uint64_t)grid_ctx.P, words = grid_words(grid_local_padded_size(A->nrows)),
                 first = grid_chunk_first(A->nrows, grid_ctx.k), end = s->start[grid_ctx.k + 1];
  for (uint64_t k = 0; k < P; k++)
    if (grid_words(s->start[k + 1] - s->start[k]) > s->bitmap_words)
      s->bitmap_words = grid_words(s->start[k + 1] - s->start[k]);
  s->local_bits = grid_calloc(words, sizeof *s->local_bits);
  s->local_word = grid_malloc(words, sizeof *s->local_word);
  s->local_word_rank = grid_malloc(words, sizeof *s->local_word_rank);
  s->local_numbers = grid_calloc(grid_words(s->d), sizeof *s->local_numbers);
  s->exchange = grid_calloc((P + 1) * grid_split_message_words(s), sizeof *s->exchange);
  s->merge = grid_malloc(1 + grid_words(s->d), sizeof *s->merge);
  if (!s->local_bits || !s->local_word || !s->local_word_rank || !s->local_numbers || !s->exchange ||
      !s->merge)
    return grid_fail_memory(NULL, "delegates", words + (P + 1) * grid_split_message_words(s), 8);
  for (uint64_t at = s->start[grid_ctx.k]; at < end; at++) {
    const uint64_t v = s->id[s->order[at]] - first;
    s->local_bits[v >> 6] |= UINT64_C(1) << (v & 63);
    s->local_numbers[s->order[at] >> 6] |= UINT64_C(1) << (s->order[at] & 63);
  }
  uint64_t rank = 0;
  for (uint64_t w = 0; w < words; w++) {
    if (!s->local_bits[w]) continue;
    s->local_word[s->local_nonzero] = (uint32_t)w;
    s->local_word_rank[s->local_nonzero++] = (uint32_t)rank;
    rank += (uint64_t)__builtin_popcountll(s->local_bits[w]);
  }
  return GrB_SUCCESS;
}

GrB_Info grid_split_number_delegates(GrB_Matrix A, const grid_split_device *device, grid_split *s) {
  const uint64_t P = (uint64_t)grid_ctx.P;
  uint64_t *local = NULL, *all = NULL, *tmp = NULL, n = 0;
  GrB_Info info = device->on ? grid_split_device_delegates(A, device, (uint32_t)s->threshold, &local, &n)
                             : local_delegates(A, (uint64_t)s->threshold, &local, &n);
  s->d = n;
  TRY(grid_agree_sum(&A->head, info, &s->d, 1));
  if (s->d >= UINT32_MAX) s->d = 0;
  if (s->d == 0) goto done;
  info = alloc_numbers(s);
  tmp = grid_malloc(s->d, sizeof *tmp);
  if (info == GrB_SUCCESS && !tmp) info = grid_fail_memory(NULL, "delegates", s->d, sizeof *tmp);
  TRY(grid_agree(&A->head, info));
  TRY(grid_ctx.transport->allgather(GRID_SET_ALL, &n, sizeof n, s->start + 1));
  s->start[0] = 0;
  for (uint64_t k = 0; k < P; k++) s->start[k + 1] += s->start[k];
  TRY(grid_gather_elements(local, n, sizeof *local, (void **)&all));
  number_by_degree(A, s, all, tmp);
  TRY(grid_agree(&A->head, mark_local(A, s)));
done:
  grid_free(local);
  grid_free(all);
  grid_free(tmp);
  return info;
}
