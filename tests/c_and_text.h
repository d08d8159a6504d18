/* A definition as C code and as text: what is compiled at run time is what the program runs. */
#ifndef GRID_C_AND_TEXT_H
#define GRID_C_AND_TEXT_H
#define WITH_TEXT(name, storage, ...) storage __VA_ARGS__ static const char name##_text[] = #__VA_ARGS__;
#endif
