/* resume.c: see resume.h. */
#include "algos/resume.h"

#include <string.h>

enum { LONGEST = 3900 }; /* of a folder's name */
static struct {
  char folder[LONGEST + 1]; /* empty: none */
  uint64_t every, resumed;
  uint64_t what; /* what tells a computation from others, as one number */
} where;

uint64_t Grid_checkpoint_resumed(void) {
  return where.resumed;
}

/* FNV-1a. */
static uint64_t hash(const char *text) {
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (; text != NULL && *text != '\0'; text++) h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return h;
}

GrB_Info Grid_checkpoint_every(const char *folder, uint64_t every, const char *what) {
  if (folder != NULL && (folder[0] == '\0' || strlen(folder) > LONGEST || every == 0))
    return Grid_agree(GrB_INVALID_VALUE, every == 0 ? "Grid_checkpoint_every: every is 0"
                                                    : "Grid_checkpoint_every: the folder's name is empty or "
                                                      "too long");
  where.folder[0] = '\0';
  where.every = every;
  where.what = hash(what);
  if (folder != NULL) memcpy(where.folder, folder, strlen(folder) + 1);
  return GrB_SUCCESS;
}

uint64_t grid_key_of(double x) {
  uint64_t key;
  memcpy(&key, &x, sizeof key);
  return key;
}

GrB_Info grid_computation(computation *c, const char *name, GrB_Matrix A, GrB_Index n) {
  memset(c, 0, sizeof *c);
  if (where.folder[0] == '\0') return GrB_SUCCESS;
  snprintf(c->name, sizeof c->name, "%s", name);
  c->key[0] = n, c->key[1] = where.what;
  return GrB_Matrix_nvals(&c->key[2], A);
}

/* The state, and whose it is. */
static int add_owner(Grid_Kept *all, computation *c, const Grid_Kept *state, int n) {
  all[0] = (Grid_Kept){.name = "computation", .bytes = c, .size = sizeof *c};
  memcpy(all + 1, state, (size_t)n * sizeof *state);
  return n + 1;
}

static GrB_Info check_owner(const computation *owner, const computation *c) {
  char text[LONGEST + 200];
  if (memcmp(owner, c, sizeof *c) == 0) return GrB_SUCCESS;
  snprintf(text, sizeof text, "%s: the checkpoints in %s are of another computation (%.31s%s)", c->name,
           where.folder, owner->name,
           strcmp(owner->name, c->name) != 0 ? "" : " of another graph or with other options");
  return Grid_agree(GrB_INVALID_VALUE, text);
}

GrB_Info grid_resume(uint64_t *done, const computation *c, const Grid_Kept *state, int n) {
  Grid_Kept all[RESUME_MOST];
  computation owner;
  uint64_t step;
  where.resumed = 0;
  if (where.folder[0] == '\0') return GrB_SUCCESS;
  const uint64_t m = (uint64_t)add_owner(all, &owner, state, n);
  GrB_Info info = Grid_restore(where.folder, &step, all, 1);
  if (info == GrB_NO_VALUE) return GrB_SUCCESS;
  TRY(info);
  TRY(check_owner(&owner, c));
  TRY(Grid_restore(where.folder, &step, all, m));
  *done = where.resumed = step;
out:
  return info;
}

GrB_Info grid_keep_up(uint64_t done, const computation *c, const Grid_Kept *state, int n) {
  Grid_Kept all[RESUME_MOST];
  computation owner = *c;
  if (where.folder[0] == '\0' || done % where.every != 0) return GrB_SUCCESS;
  return Grid_checkpoint(where.folder, done, all, (uint64_t)add_owner(all, &owner, state, n));
}
