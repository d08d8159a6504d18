/* The end of a fuzz target's file: with GRID_FUZZ_MAIN a program that replays the files it is given. */
#ifndef GRID_FUZZ_MAIN_H
#define GRID_FUZZ_MAIN_H
#ifdef GRID_FUZZ_MAIN
int main(int argc, char **argv) {
  for (int a = 1; a < argc; a++) {
    FILE *f = fopen(argv[a], "rb");
    uint8_t *data = malloc(1 << 24);
    if (!f || !data) {
      fprintf(stderr, "fuzz_replay: cannot read %s\n", argv[a]);
      return 2;
    }
    size_t n = fread(data, 1, 1 << 24, f);
    fclose(f);
    LLVMFuzzerTestOneInput(data, n);
    free(data);
  }
  printf("%d files replayed\n", argc - 1);
  return argc > 1 ? 0 : 2;
}
#endif
#endif
