#include <kinetree/calibration.hpp>

#include "reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kinetree;
  return fuzz::check(data, size, [](const std::string& text) {
    const Calibration read = read_calibration(text, "fuzz");
    if (!(read_calibration(to_text(read), "again") == read)) std::abort();
  });
}
