/* memory.h: how much memory a row takes of the system, whatever library asks for it: resident bytes of a
 * process, now and at most. Linux. */
#ifndef GRID_MEMORY_H
#define GRID_MEMORY_H
#include <stdbool.h>

/* Goes on in a child process (true: this is the child), for which freed memory goes back to the system at
 * once. In the parent: false, when the child has ended. No library has been started before. */
bool memory_child(void);
bool memory_child_succeeded(void); /* the last one */
/* From now on memory_peak() is that of what follows. false: the system does not allow it. */
bool memory_reset(void);
double memory_now(void), memory_peak(void);
#endif
