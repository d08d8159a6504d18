/* A disk cache of machine code, in $GRIDBLAS_CACHE, else $XDG_CACHE_HOME/gridblas, else ~/.cache/gridblas
 * (GRIDBLAS_CACHE=off: none): one file per kernel, named by the hash of its key. A file also has the key
 * and a checksum, so that damaged or foreign files are detected and the kernel is compiled again. The
 * directory must be the user's, and nobody else may write to it or replace it (trusted_files.h). A kernel
 * that is not there is searched among the prebuilt kernels (prebuilt_kernels.h), in a directory that may be
 * root's or the library's owner's. Nothing here is an error: without a directory, or on a full disk, kernels
 * are compiled again. */
#ifndef GRID_KERNEL_CACHE_H
#define GRID_KERNEL_CACHE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Hash of bytes (FNV-1a), continuing from h; initially GRID_HASH_START. */
#define GRID_HASH_START UINT64_C(0xcbf29ce484222325)
static inline uint64_t grid_jit_hash(uint64_t h, const void *p, size_t bytes) {
  for (const unsigned char *c = (const unsigned char *)p; bytes > 0; c++, bytes--)
    h = (h ^ *c) * UINT64_C(0x100000001b3);
  return h;
}

/* The code stored under the key (a text), from grid_malloc; NULL: none that can be trusted. */
void *grid_jit_cache_load(const char *key, size_t *bytes);
void grid_jit_cache_store(const char *key, const void *code, size_t bytes);
/* The directory; false: there is none. */
bool grid_jit_cache_folder(char *to, size_t capacity);
/* Reports once that a directory is not used because others may write to it. */
void grid_jit_cache_report(void (*report)(const char *what));
#endif
