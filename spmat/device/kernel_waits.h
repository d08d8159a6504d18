/* Which calls on the device wait until their kernel is compiled, of the context in use. */
#ifndef GRID_KERNEL_WAITS_H
#define GRID_KERNEL_WAITS_H
#include <stdbool.h>
#include <stdint.h>

/* True: small calls need not wait, since the CPU may compute them meanwhile. For contexts of one process:
 * several would have their kernels at different times. False until it is set. */
void grid_device_allow_cpu_meanwhile(bool allowed);
/* Does a call whose operands and result have so many bytes wait for its kernel? */
bool grid_device_waits_for_kernel(uint64_t bytes);

#endif
