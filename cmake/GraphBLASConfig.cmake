# find_package(GraphBLAS): the target GraphBLAS::GraphBLAS is gridblas.
include(CMakeFindDependencyMacro)
find_dependency(gridblas PATHS ${CMAKE_CURRENT_LIST_DIR}/../gridblas NO_DEFAULT_PATH)
if(NOT TARGET GraphBLAS::GraphBLAS)
  add_library(GraphBLAS::GraphBLAS INTERFACE IMPORTED)
  target_link_libraries(GraphBLAS::GraphBLAS INTERFACE gridblas::gridblas)
endif()
