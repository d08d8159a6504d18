# Installation: library, headers, CMake package, pkg-config file. (The program is installed by bench/.)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gridblas)
if(GRIDBLAS_STATIC OR NOT GRIDBLAS_SHARED)
  set(installed_static TRUE)
  install(TARGETS gridblas EXPORT gridblas_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
  install(FILES ${prefixed_archive} DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
  install(EXPORT gridblas_static NAMESPACE gridblas:: DESTINATION ${package_dir} COMPONENT development)
endif()
if(GRIDBLAS_SHARED)
  install(TARGETS gridblas_shared gridblas_prefixed_shared EXPORT gridblas_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development)
  install(EXPORT gridblas_shared NAMESPACE gridblas:: DESTINATION ${package_dir} COMPONENT development)
endif()
set(plugins_component development) # with the library that loads them
if(GRIDBLAS_SHARED)
  set(plugins_component library)
endif()
if(mpi_plugins)
  install(TARGETS ${mpi_plugins} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/gridblas COMPONENT ${plugins_component})
endif()
# In a separate folder: /usr/include/GraphBLAS.h may be SuiteSparse's.
install(FILES ${public_headers} ${prefixed_header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gridblas COMPONENT development)

configure_package_config_file(cmake/gridblasConfig.cmake.in ${PROJECT_BINARY_DIR}/gridblasConfig.cmake
                              INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gridblasConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gridblasConfig.cmake ${PROJECT_BINARY_DIR}/gridblasConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT development)
# find_package(GraphBLAS) finds the package GraphBLAS where GraphBLAS_ROOT is the prefix. The Debian packages leave it out: SuiteSparse's has that name.
install(FILES cmake/GraphBLASConfig.cmake ${PROJECT_BINARY_DIR}/GraphBLASConfigVersion.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/GraphBLAS COMPONENT graphblas_package)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/GraphBLASConfigVersion.cmake VERSION 2.1.0 COMPATIBILITY AnyNewerVersion) # of the standard

# Programs that link the static library also link its dependencies. The shared library is found in its installation folder.
list(JOIN optional_libraries " " optional_needs)
set(pkgconfig_needs "${OpenMP_C_FLAGS} -lz ${optional_needs} -lm")
foreach(library IN LISTS cuda_libraries)
  if(library MATCHES "^CUDA::(.*)")
    list(APPEND pkgconfig_cuda -l${CMAKE_MATCH_1})
  elseif(library MATCHES "^[/-]") # a file or a flag
    list(APPEND pkgconfig_cuda ${library})
  else()
    list(APPEND pkgconfig_cuda -l${library})
  endif()
endforeach()
if(pkgconfig_cuda)
  list(JOIN pkgconfig_cuda " " pkgconfig_cuda)
  set(pkgconfig_cuda "-L${CUDAToolkit_LIBRARY_DIR} ${pkgconfig_cuda} -lrt -lpthread -ldl")
  string(PREPEND pkgconfig_needs "${pkgconfig_cuda} ")
endif()
if(GRIDBLAS_SHARED)
  set(pkgconfig_public "-Wl,-rpath,\${libdir}")
  set(pkgconfig_private ${pkgconfig_needs})
else()
  set(pkgconfig_public ${pkgconfig_needs})
endif()
file(RELATIVE_PATH pkgconfig_prefix /x/${CMAKE_INSTALL_LIBDIR}/pkgconfig /x) # relative, so that the tree can be moved
foreach(pkgconfig_name gridblas gridblas_prefixed)
  configure_file(cmake/gridblas.pc.in ${PROJECT_BINARY_DIR}/${pkgconfig_name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${pkgconfig_name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
  set(pkgconfig_definition " -DGRIDBLAS_PREFIXED_NAMES")
endforeach()
