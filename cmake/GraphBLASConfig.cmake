# find_package(GraphBLAS): the targets GraphBLAS::GraphBLAS and, as SuiteSparse's package calls its own, SuiteSparse::GraphBLAS are gridblas.
include(CMakeFindDependencyMacro)
find_dependency(gridblas PATHS ${CMAKE_CURRENT_LIST_DIR}/../gridblas NO_DEFAULT_PATH)
foreach(graphblas_target GraphBLAS::GraphBLAS SuiteSparse::GraphBLAS)
  if(NOT TARGET ${graphblas_target})
    add_library(${graphblas_target} INTERFACE IMPORTED)
    target_link_libraries(${graphblas_target} INTERFACE gridblas::gridblas)
  endif()
endforeach()
