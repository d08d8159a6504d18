/* The memory that a row takes from the system, for any library: resident bytes of a process, current and
 * maximal. Linux. */
#ifndef GRID_MEMORY_H
#define GRID_MEMORY_H
#include <stdbool.h>

/* Continues in a child process (true: in the child), which returns freed memory to the system at once. In the
 * parent: false, when the child has ended. No library may have started before. */
bool memory_child(void);
bool memory_child_succeeded(void); /* the last one */
/* Resets memory_peak(). false: the system does not allow it. */
bool memory_reset(void);
double memory_now(void), memory_peak(void);
#endif
