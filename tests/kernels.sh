#!/bin/bash
# The compiled product kernels are compiled: their object files hold no region that OpenMP cut out and no call through a pointer, which would be
# an operator that was not put in. The drivers' object file shows that both are seen where they are.
# Usage: kernels.sh OBJECT;OBJECT;... (those of the library)
set -u
command -v objdump >/dev/null || { echo "skipped: no objdump (Debian: binutils)"; exit 77; }
[ "$(uname -m)" = x86_64 ] || { echo "skipped: calls through pointers are looked for in x86-64 code"; exit 77; }

# FILE: regions cut out, calls through pointers, calls
count() {
  objdump -dr --no-show-raw-insn "$1" | awk '/^[0-9a-f]+ <.*_omp_fn/ { cut++ } /\t(call|jmp) +\*/ { pointers++ } END { print cut + 0, pointers + 0 }'
}

bad=0 seen=0
IFS=';' read -ra objects <<<"$1"
for object in "${objects[@]}"; do
  case $object in
  */spmat/cpu/kernels/* | */spmat/cpu/mxm/mxm_fp* | */spmat/cpu/mxm/mxm_int* | */spmat/cpu/mxm/mxm_bool* | */spmat/cpu/mxm/mxm_any*)
    seen=$((seen + 1))
    read -r cut pointers < <(count "$object")
    [ "$cut" = 0 ] || { echo "$object: $cut regions that OpenMP cut out"; bad=1; }
    [ "$pointers" = 0 ] || { echo "$object: $pointers calls through pointers"; bad=1; }
    ;;
  */spmat/cpu/product/product_drive*)
    read -r cut pointers < <(count "$object")
    [ "$cut" -gt 0 ] && [ "$pointers" -gt 0 ] || { echo "$object: no regions or no calls through pointers are seen; this test is blind"; bad=1; }
    ;;
  esac
done
[ "$seen" -ge 7 ] || { echo "only $seen object files of kernels"; bad=1; }
echo "kernels: $seen object files"
exit $bad
