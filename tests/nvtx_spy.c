/* Stands in for a profiler: NVTX loads it where NVTX_INJECTION64_PATH names it, and it writes
 * ranges and marks into the file NVTX_SPY, a line each: "begin NAME", "end", "mark NAME". */
#include <stdio.h>
#include <stdlib.h>

#include <nvtx3/nvToolsExt.h>

static FILE *out;

static int NVTX_API begin(const char *name) {
  return fprintf(out, "begin %s\n", name);
}

static int NVTX_API end(void) {
  return fprintf(out, "end\n");
}

static void NVTX_API mark(const char *name) {
  fprintf(out, "mark %s\n", name);
}

static void hook(NvtxFunctionTable table, unsigned size, unsigned which, NvtxFunctionPointer f) {
  if (which < size) *table[which] = f;
}

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get);
int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get) {
  const char *path = getenv("NVTX_SPY");
  const NvtxExportTableCallbacks *callbacks = get(NVTX_ETID_CALLBACKS);
  NvtxFunctionTable table;
  unsigned size = 0;
  out = path ? fopen(path, "w") : NULL;
  if (!out || !callbacks || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &table, &size)) return 0;
  hook(table, size, NVTX_CBID_CORE_RangePushA, (NvtxFunctionPointer)begin);
  hook(table, size, NVTX_CBID_CORE_RangePop, (NvtxFunctionPointer)end);
  hook(table, size, NVTX_CBID_CORE_MarkA, (NvtxFunctionPointer)mark);
  return 1;
}
