#include "bench/sweep/sweep_file.hpp"
#include "reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kinetree;
  return fuzz::check(data, size, [](const std::string& text) { bench::read_sweep_text(text, "fuzz", "/nowhere"); });
}
