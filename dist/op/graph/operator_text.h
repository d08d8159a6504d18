/* Operators of this folder whose text a GPU compiles. */
#ifndef GRID_OPERATOR_TEXT_H
#define GRID_OPERATOR_TEXT_H

/* A function and its text, which does not hold the storage class. */
#define WITH_TEXT(name, storage, ...) storage __VA_ARGS__ static const char name##_text[] = #__VA_ARGS__;

#endif
