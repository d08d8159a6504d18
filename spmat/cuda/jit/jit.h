/* Run-time compilation: a kernel source of spmat/cuda/kernels, which is embedded in the library as text, is
 * compiled by NVRTC for the types and operators of one call. The host writes a preamble that gives them the
 * names the kernel source uses (semiring/jit/kernel_source.h). Kernels are cached in memory, and their
 * machine code on disk (semiring/jit/kernel_cache.h), by the compute capability that they are for and the
 * full source that they were made from. Compiling needs no GPU; loading does.
 *
 *   grid_jit_source s;
 *   grid_jit_begin(&s);
 *   grid_jit_type(&s, "Z", w->type);
 *   grid_jit_unary(&s, "op", op);
 *   info = grid_jit_kernel(&kernel, &s, "apply.cuh", "apply");     GRID_UNSUPPORTED: the CPU runs
 *   if (info == GrB_SUCCESS) info = grid_jit_launch(kernel, blocks, threads, (void *[]){&n, ...}, "apply");
 */
#ifndef GRID_JIT_H
#define GRID_JIT_H
#include "semiring/jit/kernel_source.h"
#include "spmat/device/device.h"

/* ---- kernels ------------------------------------------------------------------------------------------- */

/* The kernel `function` of kernels/`file` under the preamble s, which is freed. GRID_UNSUPPORTED: something
 * has no device form or does not compile, or there is no NVRTC. Then grid_report_fallback has reported it,
 * and grid_last_error has the compiler's message. The kernel lives until the device is closed. */
GrB_Info grid_jit_kernel(void **kernel, grid_jit_source *s, const char *file, const char *function);
/* The same for a call whose operands and result have so many bytes. Unless such a call waits
 * (spmat/device/kernel_waits.h), a kernel that must be compiled is compiled in another thread. Until that has
 * ended it is GRID_UNSUPPORTED, which has been reported: the CPU is faster than the wait. */
GrB_Info grid_jit_kernel_or_cpu(void **kernel, grid_jit_source *s, const char *file, const char *function,
                                uint64_t bytes);
/* The kernel if it is in memory or on disk, else GRID_UNSUPPORTED, without a report. */
GrB_Info grid_jit_cached_kernel(void **kernel, grid_jit_source *s, const char *file, const char *function);
/* jit_calls.c: looks a kernel up without its source, for repeated calls: `of` identifies it by a static
 * string and the types and operators that it was made for. Only kernels of predefined ones are stored. */
typedef struct {
  const void *of[6];
} grid_jit_key;
bool grid_jit_find_kernel(void **kernel, const grid_jit_key *key);
void grid_jit_store_kernel(const grid_jit_key *key, void *kernel);
void grid_jit_forget_calls(void);
/* The source that a kernel was made from, in memory; NULL: it is not in the cache. */
const char *grid_jit_text_of(const void *kernel);
/* Launches it on the library's stream; args as for cudaLaunchKernel. */
GrB_Info grid_jit_launch(void *kernel, unsigned blocks, unsigned threads, void **args, const char *what);
/* The same, with shared memory for each block. */
GrB_Info grid_jit_launch_shared(void *kernel, unsigned blocks, unsigned threads, size_t shared, void **args,
                                const char *what);

/* Makes a kernel in another thread while the program goes on; s is freed. NULL: impossible now, or (cached)
 * the kernel is neither in memory nor on disk. _take waits for it, and returns the kernel like
 * grid_jit_kernel, without reporting one that does not compile. A request is in the cache of kernels, which
 * frees it: other calls for the same kernel wait for the same thread. */
typedef struct grid_jit_code grid_jit_request;
grid_jit_request *grid_jit_request_begin(grid_jit_source *s, const char *file, bool cached);
bool grid_jit_request_is_done(const grid_jit_request *o);
GrB_Info grid_jit_request_take(grid_jit_request *o, void **kernel, const char *function);

/* Machine code of kernels/`file` under s, which stays valid: from memory, from disk, or compiled now. *code
 * belongs to the cache. GrB_INVALID_VALUE, with the log in the message, if it does not compile. */
typedef grid_jit_request grid_jit_code;
GrB_Info grid_jit_compile(grid_jit_code **code, const grid_jit_source *s, const char *file);
const void *grid_jit_image(const grid_jit_code *code, size_t *bytes);
/* Compiles for this compute capability (90 for 9.0) while no GPU is open; else for that of the GPU. */
void grid_jit_compile_for(int compute_capability);
/* The compiler and its options, as text. */
const char *grid_jit_compiler(void);
/* Drops all kernels in memory, and waits for those that are being compiled, which enter the cache on disk;
 * the device is closed, or was never used. */
void grid_jit_close(void);
/* Origins of codes, since the start. */
typedef struct {
  uint64_t from_memory, from_disk, compiled, failed;
} grid_jit_counts;
grid_jit_counts grid_jit_count(void);

/* The embedded sources (made by cmake/embed.cmake). */
extern const int grid_jit_texts;
extern const char *const grid_jit_text_name[];
extern const char *const grid_jit_text[];

#endif
