# Libraries that the readers of some formats need, found by plain paths, so that an installed static library and its pkg-config file
# name them the same way. Missing ones are reported, and their tests are skipped by name.
set(optional_libraries "")   # files
set(optional_includes "")
set(optional_definitions "")

# optional_library(NAME HEADER LIBRARY LEFT_OUT): Debian's package lib<LIBRARY>-dev; the sources know it as GRIDBLAS_NAME.
macro(optional_library name header library left_out)
  find_path(${name}_INCLUDE ${header})
  find_library(${name}_LIBRARY ${library})
  if(${name}_INCLUDE AND ${name}_LIBRARY)
    list(APPEND optional_libraries ${${name}_LIBRARY})
    list(APPEND optional_includes ${${name}_INCLUDE})
    list(APPEND optional_definitions GRIDBLAS_${name})
    message(STATUS "lib${library}: ${${name}_LIBRARY}")
  else()
    message(STATUS "lib${library}: none (Debian: lib${library}-dev); left out: ${left_out}")
  endif()
endmacro()
optional_library(ZSTD zstd.h zstd "files packed by zstd")
optional_library(LIBDEFLATE libdeflate.h deflate "faster reading of gzip files of many members")
optional_library(METIS metis.h metis "orders of vertices that cut few edges")

# HDF5 without MPI: the library reads and writes in parallel by itself. One with MPI binds each program to that MPI.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_search_module(HDF5 QUIET hdf5-serial hdf5 hdf5-openmpi hdf5-mpich)
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
  message(STATUS "HDF5: none (Debian: libhdf5-dev), or no jansson; left out: Binsparse")
endif()
