# The Fortran module `gridblas` (docs/fortran.md), made from the public headers, and libgridblas_fortran.a with it.
set(GRIDBLAS_FORTRAN AUTO CACHE STRING "Fortran module: AUTO, ON (an error without a compiler) or OFF")
set_property(CACHE GRIDBLAS_FORTRAN PROPERTY STRINGS AUTO ON OFF)
set(fortran_found FALSE)
if(GRIDBLAS_FORTRAN AND NOT GRIDBLAS_SANITIZE)
  include(CheckLanguage)
  check_language(Fortran)
  if(CMAKE_Fortran_COMPILER)
    enable_language(Fortran)
    set(fortran_found TRUE)
    message(STATUS "Fortran module: ${CMAKE_Fortran_COMPILER}")
  elseif(GRIDBLAS_FORTRAN STREQUAL "ON")
    message(FATAL_ERROR "GRIDBLAS_FORTRAN is ON, and there is no Fortran compiler (Debian: gfortran).")
  else()
    message(STATUS "Fortran module: none (Debian: gfortran)")
  endif()
endif()
if(NOT fortran_found)
  return()
endif()

set(fortran_dir ${PROJECT_BINARY_DIR}/fortran)
file(MAKE_DIRECTORY ${fortran_dir})
add_custom_command(OUTPUT ${fortran_dir}/gridblas.f90 ${fortran_dir}/fortran_objects.c VERBATIM DEPENDS ${public_headers} ${PROJECT_SOURCE_DIR}/cmake/fortran.awk
                   COMMAND ${CMAKE_C_COMPILER} -std=c11 -E -P -I${PROJECT_SOURCE_DIR}/include -include gridblas_algos.h ${PROJECT_SOURCE_DIR}/include/gridblas.h -o ${fortran_dir}/headers.i
                   COMMAND awk -v module=${fortran_dir}/gridblas.f90 -v objects=${fortran_dir}/fortran_objects.c -f ${PROJECT_SOURCE_DIR}/cmake/fortran.awk ${fortran_dir}/headers.i
                   COMMENT "Fortran module")
add_library(gridblas_fortran STATIC ${fortran_dir}/gridblas.f90 ${fortran_dir}/fortran_objects.c)
set_target_properties(gridblas_fortran PROPERTIES POSITION_INDEPENDENT_CODE ON Fortran_MODULE_DIRECTORY ${fortran_dir}/module)
target_compile_options(gridblas_fortran PRIVATE $<$<COMPILE_LANG_AND_ID:Fortran,GNU>:-std=f2018>)
target_include_directories(gridblas_fortran PRIVATE ${PROJECT_SOURCE_DIR}/include INTERFACE ${fortran_dir}/module)

# The module file is for this compiler; for others the sources are installed, too.
install(TARGETS gridblas_fortran ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(FILES ${fortran_dir}/module/gridblas.mod DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gridblas COMPONENT development)
install(FILES ${fortran_dir}/gridblas.f90 ${fortran_dir}/fortran_objects.c DESTINATION ${CMAKE_INSTALL_DATADIR}/gridblas/fortran COMPONENT development)
