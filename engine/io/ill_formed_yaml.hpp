#pragma once
// What to do about a text that is no YAML.

#include <yaml-cpp/exceptions.h>

#include <kinetree/finding.hpp>
#include <string>

namespace kinetree::inline inner {

/// A finding on a file whose text the parser refused by `error`.
Finding ill_formed_yaml(const YAML::Exception& error, const std::string& text, const std::string& file);

}  // namespace kinetree::inline inner
