/* A disk cache of the machine code of run-time compiled kernels. */
#include "semiring/jit/kernel_cache.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "semiring/jit/jit_settings.h"
#include "semiring/jit/prebuilt_kernels.h"
#include "semiring/support/create_file.h"
#include "semiring/support/mem.h"
#include "semiring/support/trusted_files.h"

/* ---- location ---- */

static bool is_disabled(void) {
  return strcmp(grid_jit_setting(GRID_JIT_CACHE), "off") == 0;
}

bool grid_jit_cache_folder(char *to, size_t capacity) {
  const char *setting = grid_jit_setting(GRID_JIT_CACHE), *xdg = getenv("XDG_CACHE_HOME"),
             *home = getenv("HOME");
  int n = -1;
  if (*setting)
    n = is_disabled() ? -1 : snprintf(to, capacity, "%s", setting);
  else if (xdg && *xdg)
    n = snprintf(to, capacity, "%s/gridblas", xdg);
  else if (home && *home)
    n = snprintf(to, capacity, "%s/.cache/gridblas", home);
  return n > 0 && (size_t)n < capacity;
}

enum { NAME = 48 };

/* Two hashes of different starts: 128 bits. */
static void hash_file_name(const char *key, char to[NAME]) {
  uint64_t a = grid_jit_hash(GRID_HASH_START, key, strlen(key)),
           b = grid_jit_hash(~GRID_HASH_START, key, strlen(key));
  snprintf(to, NAME, "%016llx%016llx.kernel", (unsigned long long)a, (unsigned long long)b);
}

static struct {
  pthread_mutex_t lock;         /* kernels of the CPU and of the GPU are looked for at the same time */
  char folder[PATH_MAX + 80];   /* what is wrong with it */
  char reported[PATH_MAX + 80]; /* the last one that was reported */
} flaw = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Cached code is executed, so nobody else may have written it. */
static int open_folder(const char *dir, bool make, grid_trust trust) {
  char where[PATH_MAX];
  const int at = grid_trusted_folder(dir, make, trust, where, sizeof where);
  if (at >= 0 || !*where) return at;
  pthread_mutex_lock(&flaw.lock);
  snprintf(flaw.folder, sizeof flaw.folder, "kernels on disk not used: others may write to %s", where);
  pthread_mutex_unlock(&flaw.lock);
  return at;
}

void grid_jit_cache_report(void (*report)(const char *what)) {
  pthread_mutex_lock(&flaw.lock);
  const bool is_new = strcmp(flaw.folder, flaw.reported) != 0;
  memcpy(flaw.reported, flaw.folder, sizeof flaw.reported);
  if (is_new) report(flaw.reported);
  pthread_mutex_unlock(&flaw.lock);
}

/* ---- files --------------------------------------------------------------------------------------------- */

typedef struct {
  char magic[8];
  uint64_t key_bytes, code_bytes, sum; /* sum: over key and code */
} head;
static const char magic[] = "gridjit1";
#define CODE_MAX (UINT64_C(1) << 28) /* limit: a larger size means a damaged file */

static uint64_t checksum(const char *key, size_t key_bytes, const void *code, size_t bytes) {
  return grid_jit_hash(grid_jit_hash(GRID_HASH_START, key, key_bytes), code, bytes);
}

static bool read_all(FILE *f, void *to, size_t bytes) {
  return fread(to, 1, bytes, f) == bytes;
}

static void *read_code(FILE *f, const char *key, size_t *bytes) {
  head h;
  size_t n = strlen(key);
  if (!read_all(f, &h, sizeof h) || memcmp(h.magic, magic, sizeof h.magic) != 0 || h.key_bytes != n ||
      h.code_bytes == 0 || h.code_bytes > CODE_MAX)
    return NULL;
  char *cached = grid_malloc(n, 1), *code = grid_malloc(h.code_bytes, 1);
  if (cached && code && read_all(f, cached, n) && memcmp(cached, key, n) == 0 &&
      read_all(f, code, h.code_bytes) && fgetc(f) == EOF && checksum(key, n, code, h.code_bytes) == h.sum) {
    *bytes = h.code_bytes;
  } else {
    grid_free(code);
    code = NULL;
  }
  grid_free(cached);
  return code;
}

static void *read_from_folder(const char *dir, const char *key, size_t *bytes, grid_trust trust) {
  char name[NAME];
  const int at = open_folder(dir, false, trust);
  if (at < 0) return NULL;
  hash_file_name(key, name);
  const int fd = grid_trusted_file(at, name, trust);
  FILE *f = fd >= 0 ? fdopen(fd, "rb") : NULL;
  void *code = f ? read_code(f, key, bytes) : NULL;
  if (f)
    fclose(f);
  else if (fd >= 0)
    close(fd);
  close(at);
  return code;
}

void *grid_jit_cache_load(const char *key, size_t *bytes) {
  char dir[PATH_MAX];
  grid_trust trust = GRID_TRUST_USER;
  void *code = grid_jit_cache_folder(dir, sizeof dir) ? read_from_folder(dir, key, bytes, trust) : NULL;
  for (size_t k = 0; !code && !is_disabled() && grid_jit_prebuilt(k, dir, sizeof dir, &trust); k++)
    code = read_from_folder(dir, key, bytes, trust);
  return code;
}

static bool write_file(int fd, const char *key, const void *code, size_t bytes) {
  FILE *f = fdopen(fd, "wb");
  head h = {.key_bytes = strlen(key), .code_bytes = bytes, .sum = checksum(key, strlen(key), code, bytes)};
  memcpy(h.magic, magic, sizeof h.magic);
  const bool good = f && fwrite(&h, sizeof h, 1, f) == 1 && fwrite(key, 1, h.key_bytes, f) == h.key_bytes &&
                    fwrite(code, 1, bytes, f) == bytes;
  if (f) return fclose(f) == 0 && good;
  close(fd);
  return false;
}

/* Writes under a temporary name and renames: a reader sees a complete file or none. */
void grid_jit_cache_store(const char *key, const void *code, size_t bytes) {
  char dir[PATH_MAX], name[NAME], fresh[NAME + 8];
  const int at = grid_jit_cache_folder(dir, sizeof dir) ? open_folder(dir, true, GRID_TRUST_USER) : -1;
  if (at < 0) return;
  hash_file_name(key, name);
  snprintf(fresh, sizeof fresh, "%s.XXXXXX", name);
  const int fd = grid_create_unique(at, fresh, 0600);
  if (fd >= 0 && (!write_file(fd, key, code, bytes) || renameat(at, fresh, at, name) != 0))
    unlinkat(at, fresh, 0);
  close(at);
}
