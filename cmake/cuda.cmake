# The CUDA backend: cuda_sources, cuda_libraries and options of nvcc. Without a toolkit, one file reports that the backend is missing.
set(CUDA_TOOLKIT_FOUND FALSE)
if(NOT GRIDBLAS_CUDA STREQUAL "OFF")
  find_program(NVCC nvcc PATHS /usr/local/cuda/bin ENV CUDA_HOME PATH_SUFFIXES bin)
  if(NVCC)
    set(CMAKE_CUDA_COMPILER ${NVCC} CACHE FILEPATH "nvcc")
    # With several, "80-real;89-real;90-real;100-real;120" say: machine code for each, and PTX of the last for later GPUs.
    set(CMAKE_CUDA_ARCHITECTURES 90 CACHE STRING "Compute capabilities of the GPUs for which code is compiled")
    set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    set(CMAKE_CUDA_STANDARD 17)
    set(CUDA_TOOLKIT_FOUND TRUE)
  elseif(NOT GRIDBLAS_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR "GRIDBLAS_CUDA=${GRIDBLAS_CUDA}: there is no nvcc in PATH, in /usr/local/cuda/bin or in CUDA_HOME's bin")
  endif()
endif()

if(CUDA_TOOLKIT_FOUND)
  message(STATUS "CUDA toolkit: ${CUDAToolkit_VERSION} (${NVCC})")
  file(GLOB cuda_sources CONFIGURE_DEPENDS spmat/cuda/*.c spmat/cuda/*/*.c spmat/cuda/*/*.cu)
  list(FILTER cuda_sources EXCLUDE REGEX "cuda_missing\\.c$")
  # stdc++: for CUB and nvcc's host code in programs that are linked as C.
  set(cuda_libraries CUDA::cudart_static stdc++)
  list(JOIN CMAKE_CUDA_ARCHITECTURES ", " architectures)
  set_source_files_properties(spmat/cuda/device/device.cu PROPERTIES COMPILE_DEFINITIONS "GRID_CUDA_ARCHITECTURES=\"${architectures}\"")
  # NVRTC is loaded at run time, from the system's path or from where it is found here.
  find_library(NVRTC_LIBRARY nvrtc HINTS ${CUDAToolkit_LIBRARY_DIR})
  set_source_files_properties(spmat/cuda/jit/jit.c spmat/cuda/jit/nvrtc.c PROPERTIES
    COMPILE_DEFINITIONS "GRID_NVRTC_MAJOR=${CUDAToolkit_VERSION_MAJOR};GRID_NVRTC_MINOR=${CUDAToolkit_VERSION_MINOR};\
GRID_NVRTC_NAME=\"libnvrtc.so.${CUDAToolkit_VERSION_MAJOR}\";GRID_NVRTC_LIBRARY=\"${NVRTC_LIBRARY}\"")

  # The headers that run-time compiled kernels include.
  file(GLOB jit_texts CONFIGURE_DEPENDS spmat/cuda/kernels/*.cuh)
  list(TRANSFORM jit_texts REPLACE "^([^/])" "${PROJECT_SOURCE_DIR}/\\1")
  list(APPEND jit_texts ${PROJECT_SOURCE_DIR}/include/gridblas_table.h ${PROJECT_SOURCE_DIR}/semiring/cast_rules.h
       ${PROJECT_SOURCE_DIR}/semiring/jit/jit_integers.h)
  grid_embed(cuda_sources jit_texts.c grid_jit_text spmat/cuda/jit/jit.h ${jit_texts})
else()
  if(GRIDBLAS_CUDA STREQUAL "OFF")
    message(STATUS "CUDA toolkit: not used (GRIDBLAS_CUDA=OFF); the CPU backend alone is built")
  else()
    message(STATUS "CUDA toolkit: none; the CPU backend alone is built")
  endif()
  set(cuda_sources spmat/cuda/cuda_missing.c)
  set(cuda_libraries)
endif()

# The build needs only NCCL's header; the library is loaded at run time, from the system's path or from where it is found here.
# (Its Python package holds both.)
if(CUDA_TOOLKIT_FOUND)
  file(GLOB nccl_python /usr/lib/python3*/site-packages/nvidia/nccl /usr/local/lib/python3*/*-packages/nvidia/nccl
       /opt/*/.venv/lib/python3*/site-packages/nvidia/nccl)
  find_path(NCCL_INCLUDE nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS} ${nccl_python} PATH_SUFFIXES include)
  find_library(NCCL_LIBRARY NAMES nccl libnccl.so.2 HINTS ${CUDAToolkit_LIBRARY_DIR} ${nccl_python} PATH_SUFFIXES lib)
  if(NCCL_INCLUDE)
    message(STATUS "NCCL: ${NCCL_INCLUDE}/nccl.h, ${NCCL_LIBRARY}")
    set_source_files_properties(dist/comm/transport_nccl.c PROPERTIES
      COMPILE_DEFINITIONS "GRID_NCCL=1;GRID_NCCL_LIBRARY=\"${NCCL_LIBRARY}\""
      INCLUDE_DIRECTORIES "${CUDAToolkit_INCLUDE_DIRS};${NCCL_INCLUDE}")
  else()
    message(STATUS "NCCL: nccl.h not found; messages between GPUs go through host memory and MPI")
  endif()
endif()
