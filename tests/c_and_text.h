/* A definition as C code and as text, so that the run-time compiled kernel and the program run the same code.
 */
#ifndef GRID_C_AND_TEXT_H
#define GRID_C_AND_TEXT_H
#define WITH_TEXT(name, storage, ...) storage __VA_ARGS__ static const char name##_text[] = #__VA_ARGS__;
#endif
