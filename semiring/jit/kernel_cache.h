/* Machine code on disk, in $GRIDBLAS_CACHE, else $XDG_CACHE_HOME/gridblas, else ~/.cache/gridblas
 * (GRIDBLAS_CACHE=off: nowhere): one file a kernel, named by the hash of its key. A file holds the key itself
 * as well and a checksum, so that a damaged or foreign one is seen and made anew. The folder must be the
 * user's own, and nobody else may write to it or replace it from above (trusted_files.h). What is not there is
 * looked for among the kernels made with the library (prebuilt_kernels.h), in a folder that may be root's, too.
 * Nothing here is an error: without a folder, or on a full disk, kernels are compiled again next time. */
#ifndef GRID_KERNEL_CACHE_H
#define GRID_KERNEL_CACHE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Hash of bytes (FNV-1a), going on from h; GRID_HASH_START at first. */
#define GRID_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t grid_jit_hash(uint64_t h, const void *p, size_t bytes);

/* The code that was kept under the key (a text), grid_malloc'ed; NULL: none that can be trusted. */
void *grid_jit_cache_load(const char *key, size_t *bytes);
void grid_jit_cache_store(const char *key, const void *code, size_t bytes);
/* Reports, once, that a folder is not used since others may write to it. */
void grid_jit_cache_report(void (*report)(const char *what));
#endif
