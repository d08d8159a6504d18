# Libraries that the readers of some formats need, found by plain paths, so that an installed static library and its pkg-config file
# name them the same way. Missing ones are reported, and their tests are skipped by name.
set(optional_libraries "")   # files
set(optional_includes "")
set(optional_definitions "")

find_path(ZSTD_INCLUDE zstd.h)
find_library(ZSTD_LIBRARY zstd)
if(ZSTD_INCLUDE AND ZSTD_LIBRARY)
  list(APPEND optional_libraries ${ZSTD_LIBRARY})
  list(APPEND optional_definitions GRIDBLAS_ZSTD)
  message(STATUS "zstd: ${ZSTD_LIBRARY}")
else()
  message(STATUS "zstd: none (Debian: libzstd-dev); left out: files packed by zstd")
endif()

# HDF5 as Debian builds it with the same MPI (one for another MPI would link that, too), else without MPI: the library reads and writes in
# parallel by itself.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND AND MPI_C_LIBRARIES MATCHES "mpich")
  pkg_search_module(HDF5 QUIET hdf5-mpich hdf5-serial)
elseif(PkgConfig_FOUND)
  pkg_search_module(HDF5 QUIET hdf5-openmpi hdf5 hdf5-serial)
endif()
find_path(BINSPARSE_JANSSON jansson.h)
find_library(JANSSON_LIBRARY jansson)
if(HDF5_FOUND AND BINSPARSE_JANSSON AND JANSSON_LIBRARY)
  find_library(HDF5_LIBRARY NAMES hdf5 HINTS ${HDF5_LIBRARY_DIRS} NO_DEFAULT_PATH)
  list(APPEND optional_libraries ${HDF5_LIBRARY} ${JANSSON_LIBRARY})
  list(APPEND optional_includes ${HDF5_INCLUDE_DIRS} ${BINSPARSE_JANSSON})
  list(APPEND optional_definitions GRIDBLAS_HDF5)
  message(STATUS "HDF5: ${HDF5_LIBRARY}")
else()
  message(STATUS "HDF5: none (Debian: libhdf5-openmpi-dev), or no jansson; left out: Binsparse")
endif()
