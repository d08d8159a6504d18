# Embeds headers as C arrays in the library, for run-time compilation, which includes them by name.
#
# grid_embed(SOURCES NAME.c PREFIX HEADER FILE...): generates NAME.c in the build folder and adds it to the list SOURCES. It defines PREFIXs (the
# number), PREFIX_name[] and PREFIX[], which HEADER declares.
function(grid_embed sources name prefix header)
  set(out ${PROJECT_BINARY_DIR}/${name})
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
  add_custom_command(OUTPUT ${out}
                     COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DPREFIX=${prefix} -DHEADER=${header} "-DFILES=${ARGN}" -P ${script}
                     DEPENDS ${ARGN} ${script} VERBATIM)
  set(${sources} ${${sources}} ${out} PARENT_SCOPE)
endfunction()

# As a script: writes the file.
if(CMAKE_SCRIPT_MODE_FILE AND OUT)
  set(arrays "")
  set(names "")
  set(texts "")
  set(k 0)
  foreach(file IN LISTS FILES)
    get_filename_component(name ${file} NAME)
    file(READ ${file} hex HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes "${bytes}")
    string(APPEND arrays "static const unsigned char text${k}[] = { // ${name}\n${bytes}0};\n")
    string(APPEND names "  \"${name}\",\n")
    string(APPEND texts "  (const char *)text${k},\n")
    math(EXPR k "${k} + 1")
  endforeach()
  file(WRITE ${OUT}.new "// Made by cmake/embed.cmake: the texts that run-time compilation includes.\n#include \"${HEADER}\"\n\n\
${arrays}\nconst int ${PREFIX}s = ${k};\nconst char *const ${PREFIX}_name[] = {\n${names}};\n\
const char *const ${PREFIX}[] = {\n${texts}};\n")
  file(RENAME ${OUT}.new ${OUT})
endif()
