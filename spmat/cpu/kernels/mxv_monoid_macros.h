/* Properties of the common monoids for the kernels' source (mxv_range.h): PLAIN, ADD_PLAIN as SUM, STOP and
 * STOPS for each; ADD is the monoid's operator. */
#ifndef GRID_MXV_MONOID_MACROS_H
#define GRID_MXV_MONOID_MACROS_H
/* A minimum replaces a NaN by any number; comparing with a number is a single instruction. */
#define PLAIN_PLUS(z)  true
#define PLAIN_MIN(z)   ((z) == (z))
#define PLAIN_MAX(z)   ((z) == (z))
#define PLAIN_LOR(z)   true
#define PLAIN_LAND(z)  true
#define LESSER(z, t)   ((t) < (z) ? (t) : (z))
#define GREATER(z, t)  ((t) > (z) ? (t) : (z))
#define SUM_PLUS(z, t) ADD(z, t)
#define SUM_MIN(z, t)  LESSER(z, t)
#define SUM_MAX(z, t)  GREATER(z, t)
#define SUM_LOR(z, t)  ADD(z, t)
#define SUM_LAND(z, t) ADD(z, t)

/* The least number ends a minimum, too, but is met so seldom that testing for it costs more. */
#define STOP_PLUS     0
#define STOP_MIN      0
#define STOP_MAX      0
#define STOP_LOR      1
#define STOP_LAND     1
#define STOPS_LOR(z)  (z)
#define STOPS_LAND(z) (!(z))
#endif
