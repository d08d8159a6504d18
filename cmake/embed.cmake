# cmake -DOUT=file.c -DFILES=a;b -P embed.cmake: writes the files' texts as C arrays, for run-time compilation
# (spmat/cuda/jit/jit.c includes them by their names).
set(arrays "")
set(rows "")
set(k 0)
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes "${bytes}")
  string(APPEND arrays "static const unsigned char text${k}[] = { // ${name}\n${bytes}0};\n")
  string(APPEND rows "  \"${name}\",\n")
  string(APPEND texts "  (const char *)text${k},\n")
  math(EXPR k "${k} + 1")
endforeach()
file(WRITE ${OUT}.new "// Made by cmake/embed.cmake: the texts that run-time compilation includes.\n#include \"spmat/cuda/jit/jit.h\"\n\n\
${arrays}\nconst int grid_jit_texts = ${k};\nconst char *const grid_jit_text_name[] = {\n${rows}};\n\
const char *const grid_jit_text[] = {\n${texts}};\n")
file(RENAME ${OUT}.new ${OUT})
