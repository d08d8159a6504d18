/* Loss of the device: it has failed for good, and no call to it succeeds any more. The handler informs
 * processes that share work with this one. */
#ifndef GRID_DEVICE_LOST_H
#define GRID_DEVICE_LOST_H

/* Sets the function that is called once the loss is seen; NULL: none. */
void grid_device_set_loss_handler(void (*f)(void));
/* Called by a backend that sees the loss. */
void grid_device_report_loss(void);
#endif
