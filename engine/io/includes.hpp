#pragma once
// Files that an XML model includes, looked at before the library that follows them does: it may go round in circles, or
// wait for a FIFO for ever.

#include <tinyxml2.h>

#include <functional>
#include <kinetree/finding.hpp>
#include <string>
#include <vector>

#include "engine/io/include_guard.hpp"

namespace kinetree::inline inner {

/// What a document, which has a root element and is read from `file`, includes, in its order.
using IncludesOf = std::function<std::vector<Include>(const tinyxml2::XMLDocument& document, const std::string& file)>;

/// Calls use(element) for an element and all inside it, in the file's order.
template <class Use>
void each_element(const tinyxml2::XMLElement& e, const Use& use) {
  use(e);  // recursion is bounded: tinyxml2 refuses to nest deeper than 100 elements
  for (const auto* c = e.FirstChildElement(); c; c = c->NextSiblingElement()) each_element(*c, use);
}

/// Follows the includes of `document`, which is read from `file`. False, with errors that name includer and line: a
/// file includes itself or its includer; it is a folder, a device or a named FIFO; there are more includes than the
/// limits allow; or an included text breaks the limits of its own.
bool check_includes(const tinyxml2::XMLDocument& document, const std::string& file, const IncludesOf& includes_of,
                    std::vector<Finding>& findings, const IncludeLimits& limits = {});

}  // namespace kinetree::inline inner
