/* Sets and gets one field of a descriptor. */
#ifndef GRID_DESCRIPTOR_H
#define GRID_DESCRIPTOR_H
#include "semiring/semiring.h"

/* desc is live. Errors: GrB_INVALID_VALUE (value, predefined descriptor); `call` is named in the text. */
GrB_Info grid_descriptor_set(GrB_Descriptor desc, GrB_Desc_Field field, int32_t value, const char *call);
GrB_Desc_Value grid_descriptor_value(GrB_Descriptor desc, GrB_Desc_Field field);
/* Sets an option beside the standard's (GRID_SORT, ...), called `name`. */
GrB_Info grid_descriptor_set_option(GrB_Descriptor desc, int option, int32_t value, const char *name,
                                    const char *call);
#endif
