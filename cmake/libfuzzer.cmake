# Whether the compiler has libFuzzer, which only clang does: GRID_LIBFUZZER.
include(CheckCSourceCompiles)
set(CMAKE_REQUIRED_FLAGS -fsanitize=fuzzer,address)
check_c_source_compiles("int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return !d && n; }" GRID_LIBFUZZER)
unset(CMAKE_REQUIRED_FLAGS)
