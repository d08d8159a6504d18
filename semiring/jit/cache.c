/* Machine code of run-time compiled kernels, kept on disk. */
#include "semiring/jit/cache.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "semiring/jit/came_with.h"
#include "semiring/mem.h"

uint64_t grid_jit_hash(uint64_t h, const void *p, size_t bytes) {
  for (const unsigned char *c = p; bytes > 0; c++, bytes--) h = (h ^ *c) * UINT64_C(0x100000001b3);
  return h;
}

/* ---- where --------------------------------------------------------------------------------------------- */

static bool is_off(void) {
  const char *own = getenv("GRIDBLAS_CACHE");
  return own && strcmp(own, "off") == 0;
}

static bool folder(char *to, size_t room) {
  const char *own = getenv("GRIDBLAS_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int n = -1;
  if (own && *own)
    n = is_off() ? -1 : snprintf(to, room, "%s", own);
  else if (xdg && *xdg)
    n = snprintf(to, room, "%s/gridblas", xdg);
  else if (home && *home)
    n = snprintf(to, room, "%s/.cache/gridblas", home);
  return n > 0 && (size_t)n < room;
}

/* Two hashes of different starts: 128 bits. */
static bool path_of(const char *key, const char *dir, char *to, size_t room) {
  uint64_t a = grid_jit_hash(GRID_HASH_START, key, strlen(key)),
           b = grid_jit_hash(~GRID_HASH_START, key, strlen(key));
  int n = snprintf(to, room, "%s/%016llx%016llx.kernel", dir, (unsigned long long)a, (unsigned long long)b);
  return n > 0 && (size_t)n < room;
}

static void make_folders(char *path) {
  for (char *c = path + 1; *c; c++) {
    if (*c != '/') continue;
    *c = 0;
    mkdir(path, 0700);
    *c = '/';
  }
}

/* What is kept there is run: nobody else may write into the folder. */
static bool is_trusted(const char *dir, bool roots) {
  struct stat st;
  return stat(dir, &st) == 0 && S_ISDIR(st.st_mode) && !(st.st_mode & 022) &&
         (st.st_uid == geteuid() || (roots && st.st_uid == 0));
}

/* ---- files --------------------------------------------------------------------------------------------- */

typedef struct {
  char magic[8];
  uint64_t key_bytes, code_bytes, sum; /* sum: over key and code */
} head;
static const char magic[8] = "gridjit1";
#define CODE_MOST (UINT64_C(1) << 28) /* no kernel is larger: what says so is damaged */

static uint64_t checksum(const char *key, size_t key_bytes, const void *code, size_t bytes) {
  return grid_jit_hash(grid_jit_hash(GRID_HASH_START, key, key_bytes), code, bytes);
}

static bool read_all(FILE *f, void *to, size_t bytes) {
  return fread(to, 1, bytes, f) == bytes;
}

static void *read_code(FILE *f, const char *key, size_t *bytes) {
  head h;
  size_t n = strlen(key);
  if (!read_all(f, &h, sizeof h) || memcmp(h.magic, magic, sizeof magic) != 0 || h.key_bytes != n ||
      h.code_bytes == 0 || h.code_bytes > CODE_MOST)
    return NULL;
  char *kept = grid_malloc(n, 1), *code = grid_malloc(h.code_bytes, 1);
  if (kept && code && read_all(f, kept, n) && memcmp(kept, key, n) == 0 && read_all(f, code, h.code_bytes) &&
      fgetc(f) == EOF && checksum(key, n, code, h.code_bytes) == h.sum) {
    *bytes = h.code_bytes;
  } else {
    grid_free(code);
    code = NULL;
  }
  grid_free(kept);
  return code;
}

static void *get_from(const char *dir, const char *key, size_t *bytes) {
  char path[PATH_MAX];
  FILE *f = path_of(key, dir, path, sizeof path) ? fopen(path, "rb") : NULL;
  if (!f) return NULL;
  void *code = read_code(f, key, bytes);
  fclose(f);
  return code;
}

void *grid_jit_cache_get(const char *key, size_t *bytes) {
  char dir[PATH_MAX - 64];
  void *code = folder(dir, sizeof dir) && is_trusted(dir, false) ? get_from(dir, key, bytes) : NULL;
  for (size_t k = 0; !code && !is_off() && grid_jit_came_with(k, dir, sizeof dir); k++)
    if (is_trusted(dir, true)) code = get_from(dir, key, bytes);
  return code;
}

/* Under a name of its own first, and renamed when it is complete: a reader sees all of it or nothing. */
void grid_jit_cache_put(const char *key, const void *code, size_t bytes) {
  char dir[PATH_MAX - 64], path[PATH_MAX], fresh[PATH_MAX + 8];
  if (!folder(dir, sizeof dir) || !path_of(key, dir, path, sizeof path)) return;
  make_folders(path);
  if (!is_trusted(dir, false)) return;
  snprintf(fresh, sizeof fresh, "%s.XXXXXX", path);
  int fd = mkstemp(fresh);
  if (fd < 0) return;
  FILE *f = fdopen(fd, "wb");
  head h = {.key_bytes = strlen(key), .code_bytes = bytes, .sum = checksum(key, strlen(key), code, bytes)};
  memcpy(h.magic, magic, sizeof magic);
  bool good = f && fwrite(&h, sizeof h, 1, f) == 1 && fwrite(key, 1, h.key_bytes, f) == h.key_bytes &&
              fwrite(code, 1, bytes, f) == bytes;
  if (f)
    good = fclose(f) == 0 && good;
  else
    close(fd);
  if (!good || rename(fresh, path) != 0) unlink(fresh);
}
