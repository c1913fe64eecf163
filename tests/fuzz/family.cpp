#include <kinetree/model.hpp>

#include "engine/model/family_text.hpp"
#include "reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kinetree;
  return fuzz::check(data, size, [](const std::string& text) {
    if (parse_family(text).bodies <= 1000) make_model(text);  // larger ones only take longer
  });
}
