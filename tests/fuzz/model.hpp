#pragma once
// A model's reader, and the building of a model from what it read.

#include <kinetree/load_model.hpp>
#include <utility>

#include "reader.hpp"

namespace kinetree::fuzz {

inline int check_model(const std::uint8_t* data, std::size_t size,
                       Reading (*read)(const std::string& text, const std::string& name)) {
  return check(data, size, [&](const std::string& text) {
    Reading reading = read(text, "fuzz");
    if (has_error(reading.findings)) return;
    make_model(reading.description, {}, std::move(reading.findings));
  });
}

}  // namespace kinetree::fuzz
