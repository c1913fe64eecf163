#include <kinetree/mjcf.hpp>

#include "model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return kinetree::fuzz::check_model(data, size, kinetree::read_mjcf_text);
}
