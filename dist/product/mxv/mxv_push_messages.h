/* mxv_push_messages.h: a push of a symmetric pattern along rows, whose targets are sent to their owners. */
#ifndef GRID_MXV_PUSH_MESSAGES_H
#define GRID_MXV_PUSH_MESSAGES_H
#include "dist/product/mxv/mxv.h"

extern const grid_mxv_method grid_mxv_push_messages;
#endif
