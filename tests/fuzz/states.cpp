#include "engine/io/states.hpp"

#include "reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kinetree;
  static const Model model = make_model("random:4:seed=1:floating=1");
  return fuzz::check(data, size, [](const std::string& text) { read_states_text(text, "fuzz", model); });
}
