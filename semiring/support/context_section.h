/* State of a grid. A variable of static storage that is marked so stands in a section of its own in the
 * program: `static struct {...} state GRID_OF_CONTEXT;`. The library then has one grid in use, which all code
 * refers to by these variables, and sets others aside by copying the section (dist/grid/context_state.h).
 * Pointers between marked variables stay right, since each comes back to its address. Not for what another
 * thread uses between calls, and not for what belongs to the process. `used`: the compiler does not see the
 * copies. */
#ifndef GRID_CONTEXT_SECTION_H
#define GRID_CONTEXT_SECTION_H
#define GRID_OF_CONTEXT __attribute__((section("grid_context"), used))
#endif
