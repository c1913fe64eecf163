#pragma once
// Elements that libsdformat does not know, of users or of a newer SDFormat: it keeps them as texts.

#include <functional>
#include <sdf/Element.hh>
#include <string>

namespace kinetree::inline inner {

/// The text of a child without blanks around; empty: there is none.
std::string user_text(const sdf::ElementPtr& e, const std::string& child);

/// The same of an attribute.
std::string user_attribute(const sdf::ElementPtr& e, const std::string& name);

/// The number in a child; `otherwise` where there is none, or where `fault` was told that it is no number.
double user_number(const sdf::ElementPtr& e, const std::string& child, double otherwise,
                   const std::function<void(std::string)>& fault);

/// Whether the file has such a child: libsdformat makes others itself.
bool is_given(const sdf::ElementPtr& e, const std::string& child);

}  // namespace kinetree::inline inner
