/* Runs a unit test with a device on, as its environment says. GRID_TEST_GPU=1: a GPU. GRID_TEST_DEVICE=1: a
 * device simulated in host memory, which has no memory for operations on matrices (fake_full.h). */
#ifndef GRID_TEST_DEVICE_H
#define GRID_TEST_DEVICE_H
#include <stdbool.h>

#include "gridblas.h"

/* Does the environment name a device? */
bool test_device_is_named(void);
/* Is a GPU required that this machine lacks? The test then exits with status 77. Before GrB_init. */
bool test_device_is_missing(void);
/* Turns the device on, if the environment names one. After GrB_init. */
GrB_Info test_device_on(void);
#endif
