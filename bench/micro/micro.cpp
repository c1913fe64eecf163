// kinetree_micro: times that no sweep takes: of functions, executors, making models, and simulations.

#include <benchmark/benchmark.h>

#include "bench/micro/register.hpp"

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  kinetree::bench::register_functions();
  kinetree::bench::register_executors();
  kinetree::bench::register_models();
  kinetree::bench::register_simulations();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
