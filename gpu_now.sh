export GPU_SECONDS=150 OUT
bash bench/gpu.sh $OUT build >$OUT/b.txt 2>&1; tail -1 $OUT/b.txt
export LD_LIBRARY_PATH=$PWD/.carry/lib GRIDBLAS_KERNELS=$PWD/build/gpu/kernels NCCL_NVLS_ENABLE=0 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl_vader_single_copy_mechanism=none OMP_NUM_THREADS=8
g=build/gpu/gridblas
nvidia-smi -L | cut -c1-30
k() { grep -E "median_time|harmonic_mean|construction_t" | awk '{printf "%s ", $2}'; }
for s in 16 20 22 24 25 26; do
  for r in 1 2; do
  a="graph500 --scale $s --device cuda --roots 32 --skip-validation"
  echo "$s one $(timeout 60 $g $a | k) | 2x1 windows $(timeout 60 mpirun -n 2 $g $a --grid 2x1 | k) | 2x1 replicated $(GRIDBLAS_TUNE=search_replicated=4000000000 timeout 60 mpirun -n 2 $g $a --grid 2x1 | k)"
  [ $s = 24 ] && echo "$s 1x2 replicated $(GRIDBLAS_TUNE=search_replicated=4000000000 timeout 60 mpirun -n 2 $g $a --grid 1x2 | k)"
  [ $s -ge 25 ] && break
  done
done
unset OMP_NUM_THREADS
GRIDBLAS_TUNE= timeout 100 ctest --test-dir build/gpu -R "unit_search_grid.2$|unit_lookahead.cuda.2.replicated|cuda.1.operators|unit_cuda|unit_jit" -L gpu -j 32 --timeout 90 --output-on-failure >$OUT/test.txt 2>&1
tail -22 $OUT/test.txt
rm -f $OUT/*.json
