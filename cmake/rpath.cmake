# The run path of an installed program or library, which is the same in the build folder: CMake's rewriting at
# installation leaves a ":" at the end, and an empty entry makes the loader search the current folder.
set(library_files ${ZLIB_LIBRARIES} ${optional_libraries}) # dependencies of libgridblas

# The folders of the system, which the loader knows.
set(system_folders "^(/usr)?/lib(32|64)?(/${CMAKE_LIBRARY_ARCHITECTURE})?$")
# set_run_path(TARGET ENTRIES...): an entry is a folder that begins with $ORIGIN (the folder of the target's own file), or a library that the target needs.
# Debian's HDF5 is a link to a file in the system's folders, which the loader knows: no entry for those.
function(set_run_path target)
  set(folders "")
  foreach(entry IN LISTS ARGN)
    if(IS_ABSOLUTE "${entry}" AND entry MATCHES "\\.so")
      get_filename_component(file ${entry} REALPATH)
      get_filename_component(entry ${file} DIRECTORY)
    endif()
    if(entry MATCHES "^(/|\\$)" AND NOT entry MATCHES "${system_folders}" AND NOT entry MATCHES "\\.a$")
      list(APPEND folders "${entry}")
    endif()
  endforeach()
  list(APPEND folders ${CMAKE_INSTALL_RPATH})
  list(REMOVE_DUPLICATES folders)
  set_target_properties(${target} PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "${folders}")
endfunction()
