/* A text with this processor's features: code compiled for them runs only where they exist. */
#ifndef GRID_CPU_FEATURES_H
#define GRID_CPU_FEATURES_H
#include <stddef.h>

void grid_processor_fingerprint(char *to, size_t capacity);
#endif
