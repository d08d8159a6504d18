/* NVRTC, which is loaded when a kernel must be compiled: one build runs with and without it. */
#ifndef GRID_NVRTC_H
#define GRID_NVRTC_H
#include <nvrtc.h>
#include <stdbool.h>

#define GRID_NVRTC_FUNCTIONS(F) \
  F(Version)                    \
  F(GetErrorString)             \
  F(CreateProgram)              \
  F(CompileProgram)             \
  F(DestroyProgram)             \
  F(GetProgramLogSize)          \
  F(GetProgramLog)              \
  F(GetCUBINSize) F(GetCUBIN) F(GetPTXSize) F(GetPTX) F(GetNumSupportedArchs) F(GetSupportedArchs)

typedef struct {
#define GRID_NVRTC_MEMBER(f) __typeof__(nvrtc##f) *f;
  GRID_NVRTC_FUNCTIONS(GRID_NVRTC_MEMBER)
#undef GRID_NVRTC_MEMBER
  int major, minor; /* its version */
  bool tried;
  void *library; /* NULL: there is none, and missing says why */
  char missing[240];
} grid_nvrtc;

/* Loads it into *n, all zero at first, once. False: there is none. $GRIDBLAS_NVRTC names a file, or is "off";
 * else it is libnvrtc of the build's major version, where the loader finds it or in the build's toolkit. */
bool grid_nvrtc_load(grid_nvrtc *n);
#endif
