# The quick set: what tests/run.sh runs without --all (docs/testing.md). It is every test but those named here, which get the label "long" or
# "long_sanitized", so a new test is quick by default. A unit test runs on one process and on one other number: most on 4 (2 x 2); on 6 (3 x 2) where a test must notice that
# rows and columns of the grid were exchanged.
set(rows_and_columns "unit_(product|matrix|submatrix|transpose|transport)")
set(long_tests
    "unit_.*[.](1|3|7|8|9)" "fortran_.*[.]6" "${rows_and_columns}[.]4" # other numbers of processes
    "unit_.*[.][1-9][.].*" # variants on several processes
    "twin[.][1-9][.].*" "twin[.]0[.](push|offsets64|threads|blocking).*" "twin[.]0[.]programs[.].*" "(ops|algorithms)[.].*" algorithm_cases "valgrind[.].*"
    "python[.](4|venv|networkx([.]answers)?|graphblas|twin|mpi4py[.]4).*" tidy cppcheck source headers petsc "fuzz[.].*" install site site_browser report_browser report cluster mismatched_calls program lost_process[.]more api layers_planted atomics)
list(APPEND long_tests "unit_(outofcore_operations|device_memory|jit_cpu)[.][24]" "unit_product[.]jit" "unit_jit_(product|vec)" progress "unit_large_dims_searches[.]4") # more than 10 s each
set(quick_tests # exceptions from the list above
    "unit_pull_ring[.]3" "twin[.]6[.]row_major" "twin[.]4[.](auto|programs)" "ops[.]rmat")
# With sanitizers run the unit tests on several processes, without them variants on one process, and those that are slow with them.
set(slow_with_sanitizers
    "unit_(sort|formats|chunk|local_matrix_writeback|kronecker|jit_cpu|outofcore_operations|outofcore_programs|device_memory|mxv_kernels|failures[.]4|long_vectors|long_vectors[.]3|functions[.]4|partition[.]4|product[.]4[.](uneven|block_pages)|entrywise[.]4[.]dense|piggybacked_counts[.]4[.]no_shm)"
    "unit_algos.*[.]4" "unit_(transport|submatrix|matrix|product|transpose)[.]6" "unit_(outofcore|owner_requests|delegate_bits)[.]4" unit_large_dims_searches)
if(GRIDBLAS_SANITIZE)
  list(APPEND long_tests ${slow_with_sanitizers} "unit_.*[.]0[.].*")
else()
  list(APPEND long_tests "unit_[a-z0-9_]*[.][46]")
  list(APPEND quick_tests ${slow_with_sanitizers})
endif()

# matches_any(RESULT TEXT EXPRESSION...): tried one by one, because CMake limits the groups of one expression.
function(matches_any result text)
  set(${result} OFF PARENT_SCOPE)
  foreach(expression IN LISTS ARGN)
    if(text MATCHES "^(${expression})$")
      set(${result} ON PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# Of the long tests `tests/run.sh --all` runs these with sanitizers, and all others without: of unit tests those on one process, 2 x 2 and 3 x 2.
set(sanitized "unit_[a-z0-9_]*([.][46])?" program "fuzz[.].*")
set(not_sanitized "unit_jit_.*" # the sanitizer build has no compiled kernels
    "unit_(outofcore_operations|algos_communities)[.][46]") # slowest with sanitizers; on one process they run with them

# Labels the tests of the current folder that are not in the quick set: long, or long_sanitized. A unit test that runs on 4 processes is long on 2 and 6.
function(grid_mark_long)
  foreach(name IN LISTS grid_unit_names)
    if(4 IN_LIST processes_${name})
      list(APPEND long_tests "${name}[.]2")
      if(NOT name MATCHES "^${rows_and_columns}$")
        list(APPEND long_tests "${name}[.]6")
      endif()
    endif()
  endforeach()
  get_property(tests DIRECTORY PROPERTY TESTS)
  foreach(test IN LISTS tests)
    matches_any(is_long ${test} ${long_tests})
    matches_any(is_quick ${test} ${quick_tests})
    if(is_long AND NOT is_quick)
      matches_any(is_sanitized ${test} ${sanitized})
      matches_any(is_excepted ${test} ${not_sanitized})
      if(is_sanitized AND NOT is_excepted)
        set_property(TEST ${test} APPEND PROPERTY LABELS long_sanitized)
      else()
        set_property(TEST ${test} APPEND PROPERTY LABELS long)
      endif()
    endif()
  endforeach()
endfunction()
