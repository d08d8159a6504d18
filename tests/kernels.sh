#!/bin/bash
# Checks that the compiled product kernels inline their operators: their object files have no outlined OpenMP region and no call through a pointer, which
# would be an operator that was not inlined. The drivers' object file must have both, which shows that the check can see them.
# Usage: kernels.sh OBJECT;OBJECT;... (the library's object files)
set -u
command -v objdump >/dev/null || { echo "skipped: no objdump (Debian: binutils)"; exit 77; }
[ "$(uname -m)" = x86_64 ] || { echo "skipped: the check reads x86-64 code only"; exit 77; }

# FILE: outlined regions, calls through pointers, calls
count() {
  objdump -dr --no-show-raw-insn "$1" | awk '/^[0-9a-f]+ <.*_omp_fn/ { cut++ } /\t(call|jmp) +\*/ { pointers++ } END { print cut + 0, pointers + 0 }'
}

bad=0 count=0
IFS=';' read -ra objects <<<"$1"
for object in "${objects[@]}"; do
  case $object in
  */spmat/cpu/kernels/* | */spmat/cpu/mxm/mxm_fp* | */spmat/cpu/mxm/mxm_int* | */spmat/cpu/mxm/mxm_bool* | */spmat/cpu/mxm/mxm_any*)
    count=$((count + 1))
    read -r cut pointers < <(count "$object")
    [ "$cut" = 0 ] || { echo "$object: $cut outlined OpenMP regions"; bad=1; }
    [ "$pointers" = 0 ] || { echo "$object: $pointers calls through pointers"; bad=1; }
    ;;
  */spmat/cpu/product/product_drive*)
    read -r cut pointers < <(count "$object")
    [ "$cut" -gt 0 ] && [ "$pointers" -gt 0 ] || { echo "$object: no outlined regions or no calls through pointers found; the check does not work"; bad=1; }
    ;;
  esac
done
[ "$count" -ge 7 ] || { echo "only $count object files of kernels"; bad=1; }
echo "kernels: $count object files"
exit $bad
