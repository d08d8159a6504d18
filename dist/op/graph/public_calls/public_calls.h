/* For the files of this folder: they are made of public calls, and bench/ compiles them for the peer, too. */
#ifndef GRID_PUBLIC_CALLS_H
#define GRID_PUBLIC_CALLS_H

/* On failure jumps to `out`, where everything is freed, with the status in `info`. */
#define TRY(call)                      \
  do {                                 \
    info = (call);                     \
    if (info != GrB_SUCCESS) goto out; \
  } while (0)

/* A type or function, and its text, from which the library compiles kernels. It does not hold the storage
 * class. */
#define WITH_TEXT(name, storage, ...) storage __VA_ARGS__ static const char name##_text[] = #__VA_ARGS__;

#endif
