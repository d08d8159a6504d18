/* What this processor can do, as text: code that was compiled for it runs on no lesser one. */
#ifndef GRID_CPU_FEATURES_H
#define GRID_CPU_FEATURES_H
#include <stddef.h>

void grid_processor_fingerprint(char *to, size_t capacity);
#endif
