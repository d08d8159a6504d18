/* A device that has failed for good: no call to it succeeds any more. Whoever shares work with this process
 * is told, once the failure is seen. */
#ifndef GRID_DEVICE_LOST_H
#define GRID_DEVICE_LOST_H

/* f is called then; NULL: nothing is. */
void grid_device_set_loss_handler(void (*f)(void));
/* A backend says so. */
void grid_device_report_loss(void);
#endif
