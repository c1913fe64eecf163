// kinetree_micro: where the time of an algorithm goes, from spatial operations up to whole solves.

#include <benchmark/benchmark.h>

#include "bench/micro/register.hpp"

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  kinetree::bench::register_kernels();
  kinetree::bench::register_passes();
  kinetree::bench::register_algorithms();
  kinetree::bench::register_functions();
  kinetree::bench::register_executors();
  kinetree::bench::register_models();
  kinetree::bench::register_simulations();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
