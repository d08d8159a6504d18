# Prebuilt kernels: compiled with the library instead of at their first use (20 to 200 ms each). NVRTC needs no GPU.
# cmake/predefined_kernels.c names those of predefined operators; spmat/cuda/jit/prebuilt_kernels.txt lists the others that the algorithms use;
# cmake/kernels.sh regenerates that list, on a GPU.
if(NOT CUDA_TOOLKIT_FOUND OR GRIDBLAS_SANITIZE)
  return()
endif()
add_executable(make_kernels cmake/make_kernels.c cmake/predefined_kernels.c)
target_include_directories(make_kernels PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(make_kernels PRIVATE gridblas_flags gridblas)
if(GRIDBLAS_KERNELS)
  set(list ${PROJECT_SOURCE_DIR}/spmat/cuda/jit/prebuilt_kernels.txt)
  set(kernels ${PROJECT_BINARY_DIR}/kernels)
  # for each compute capability of the build
  string(REGEX MATCHALL "[0-9]+" capabilities "${CMAKE_CUDA_ARCHITECTURES}")
  list(REMOVE_DUPLICATES capabilities)
  add_custom_command(OUTPUT ${kernels}/made-of COMMAND $<TARGET_FILE:make_kernels> --predefined ${list} ${kernels} ${capabilities} DEPENDS ${list} make_kernels
                     COMMENT "Prebuilding GPU kernels" VERBATIM)
  add_custom_target(kernels ALL DEPENDS ${kernels}/made-of)
  install(DIRECTORY ${kernels}/ DESTINATION ${CMAKE_INSTALL_LIBDIR}/gridblas/kernels COMPONENT library FILES_MATCHING PATTERN *.kernel)
endif()
