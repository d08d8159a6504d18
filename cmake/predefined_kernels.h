/* The kernels of predefined operators on the types that programs use most. Others, those of further types
 * among them, are compiled at their first use. */
#ifndef PREDEFINED_KERNELS_H
#define PREDEFINED_KERNELS_H
#include "semiring/jit/kernel_source.h"

/* use_source(source, file) for each kernel: kernels/`file` under the preamble `source`, which is freed
 * afterwards.
 */
void predefined_kernels(void (*use_source)(const grid_jit_source *source, const char *file));
#endif
