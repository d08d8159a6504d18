# libgridblas_prefixed: the same objects with grid_ before every GrB_ and GxB_ name, for a program that also links another GraphBLAS library.
# Targets: gridblas_prefixed (static), gridblas_prefixed_shared.
set(prefixed_dir ${PROJECT_BINARY_DIR}/include)
set(prefixed_header ${prefixed_dir}/gridblas_names.h)
set(prefixed_archive ${PROJECT_BINARY_DIR}/libgridblas_prefixed.a)
file(MAKE_DIRECTORY ${prefixed_dir})
add_custom_command(OUTPUT ${prefixed_header} ${prefixed_dir}/names.txt VERBATIM DEPENDS ${public_headers} ${PROJECT_SOURCE_DIR}/cmake/prefixed_names.sh
                   COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/prefixed_names.sh ${CMAKE_C_COMPILER} ${PROJECT_SOURCE_DIR}/include > ${prefixed_header}
                   COMMAND sed -n "s/^#define \\(G.B_.* \\)/\\1/p" ${prefixed_header} > ${prefixed_dir}/names.txt COMMENT "Prefixed link names")
add_custom_command(OUTPUT ${prefixed_archive} VERBATIM DEPENDS gridblas ${prefixed_dir}/names.txt
                   COMMAND ${CMAKE_OBJCOPY} --redefine-syms=${prefixed_dir}/names.txt $<TARGET_FILE:gridblas> ${prefixed_archive} COMMENT "libgridblas_prefixed.a")
add_custom_target(prefixed_archive DEPENDS ${prefixed_header} ${prefixed_archive})

add_library(gridblas_prefixed STATIC IMPORTED GLOBAL)
set_target_properties(gridblas_prefixed PROPERTIES IMPORTED_LOCATION ${prefixed_archive} INTERFACE_COMPILE_DEFINITIONS GRIDBLAS_PREFIXED_NAMES
                      INTERFACE_INCLUDE_DIRECTORIES "${PROJECT_SOURCE_DIR}/include;${prefixed_dir}" INTERFACE_LINK_LIBRARIES "${library_needs}")
add_dependencies(gridblas_prefixed prefixed_archive)

if(GRIDBLAS_SHARED)
  set(prefixed_object ${PROJECT_BINARY_DIR}/libgridblas_prefixed.o)
  add_custom_command(OUTPUT ${prefixed_object} VERBATIM DEPENDS ${prefixed_archive} COMMAND ${CMAKE_LINKER} -r -o ${prefixed_object} --whole-archive ${prefixed_archive})
  grid_shared_library(gridblas_prefixed_shared gridblas_prefixed ${prefixed_object})
  set_source_files_properties(${prefixed_object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  target_compile_definitions(gridblas_prefixed_shared INTERFACE GRIDBLAS_PREFIXED_NAMES)
  target_include_directories(gridblas_prefixed_shared INTERFACE $<BUILD_INTERFACE:${prefixed_dir}>)
endif()
