/* Applies many changes of single entries to a chunk; changes of a list are sorted and merged into it. */
#include "spmat/cpu/vector/vec_cpu.h"
#include "spmat/sort/radix.h"

#include <string.h>

/* Up to this many changes are applied one by one. */
enum { SHORT_LIST = 16 };

typedef struct {
  const grid_chunk *c;
  const grid_vec_changes *x;
  uint64_t n, *key, *number; /* the changes in order of index, the last of each */
} changes;

/* Sorts the changes by index, stably; then keeps the last one of each index. */
static GrB_Info sort(changes *s) {
  const grid_vec_changes *x = s->x;
  uint64_t *workspace = grid_malloc(2 * x->n, sizeof *workspace);
  s->key = grid_malloc(x->n, sizeof *s->key);
  s->number = grid_malloc(x->n, sizeof *s->number);
  if (!workspace || !s->key || !s->number) {
    grid_free(workspace);
    return grid_fail_memory(NULL, "changed elements", 4 * x->n, sizeof *workspace);
  }
  for (uint64_t k = 0; k < x->n; k++) {
    if (x->idx[k] - x->first >= s->c->n) continue;
    s->key[s->n] = x->idx[k] - x->first;
    s->number[s->n++] = k;
  }
  grid_radix_sort(s->key, (char *)s->number, s->n, sizeof *s->number, 0, 0, workspace,
                  (char *)(workspace + x->n));
  grid_free(workspace);
  uint64_t retained = 0;
  for (uint64_t k = 0; k < s->n; k++) {
    if (k + 1 < s->n && s->key[k + 1] == s->key[k]) continue;
    s->key[retained] = s->key[k];
    s->number[retained++] = s->number[k];
  }
  s->n = retained;
  return GrB_SUCCESS;
}

/* The list t = c with the changes; there is room. */
static void merge(grid_chunk *t, const changes *s) {
  const grid_chunk *c = s->c;
  const size_t size = c->type->size;
  uint64_t at = 0;
  for (uint64_t k = 0; k <= s->n; k++) {
    const uint64_t to = k < s->n ? grid_lower_bound(c->idx, at, c->nvals, s->key[k]) : c->nvals;
    memcpy(t->idx + t->nvals, c->idx + at, (to - at) * sizeof *t->idx);
    if (!t->iso) memcpy((char *)t->val + t->nvals * size, (char *)c->val + at * size, (to - at) * size);
    t->nvals += to - at;
    at = to;
    if (k == s->n) break;
    if (at < c->nvals && c->idx[at] == s->key[k]) at++;
    if (s->x->removed[s->number[k]]) continue;
    t->idx[t->nvals] = s->key[k];
    if (!t->iso) memcpy((char *)t->val + t->nvals * size, s->x->val + s->number[k] * size, size);
    t->nvals++;
  }
}

/* Do all changes set the value that c's entries share? */
static bool remains_iso(const changes *s) {
  const size_t size = s->c->type->size;
  if (!s->c->iso || s->c->nvals == 0) return false;
  for (uint64_t k = 0; k < s->n; k++)
    if (!s->x->removed[s->number[k]] && memcmp(s->c->val, s->x->val + s->number[k] * size, size) != 0)
      return false;
  return true;
}

static GrB_Info change_list(grid_chunk *c, const grid_vec_changes *x) {
  changes s = {.c = c, .x = x};
  GrB_Info info = GrB_SUCCESS;
  grid_chunk t;
  grid_chunk_init(&t, c->type, c->n);
  TRY(sort(&s));
  const bool iso = remains_iso(&s);
  if (!iso) TRY(grid_chunk_expand_iso(c));
  TRY(grid_chunk_reserve_list(&t, c->nvals + s.n, iso));
  t.iso = iso;
  if (iso) memcpy(t.val, c->val, c->type->size);
  merge(&t, &s);
  grid_chunk_swap(c, &t);
  if (c->nvals == 0) grid_chunk_empty(c);
  TRY(grid_chunk_choose_format(c));
done:
  grid_free(s.key);
  grid_free(s.number);
  grid_chunk_free(&t);
  return info;
}

GrB_Info grid_vec_change(grid_chunk *c, const grid_vec_changes *x) {
  GrB_Info info = GrB_SUCCESS;
  if (x->n > SHORT_LIST && c->format == GRID_LIST && !c->device && c->nvals) return change_list(c, x);
  for (uint64_t k = 0; k < x->n; k++) {
    const uint64_t i = x->idx[k] - x->first;
    if (i >= c->n) continue;
    if (x->removed[k])
      TRY(grid_chunk_remove(c, i));
    else
      TRY(grid_chunk_set(c, i, x->val + k * c->type->size));
    /* a chunk that is still a list merges the remaining changes */
    if (c->format != GRID_LIST || c->device || x->n - k <= SHORT_LIST || c->nvals < SHORT_LIST) continue;
    const grid_vec_changes rest = {x->idx + k + 1, x->removed + k + 1, x->val + (k + 1) * c->type->size,
                                   x->n - k - 1, x->first};
    return change_list(c, &rest);
  }
done:
  return info;
}
