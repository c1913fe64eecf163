#pragma once
// How many enumerators an enum has, so that a table that runs over them all notices a new one.

#include <string_view>

namespace kinetree::oracle {

/// The compiler writes a value without a name as a cast: `(kinetree::Cuts)3`.
template <auto value>
constexpr bool has_name() {
  const std::string_view text = __PRETTY_FUNCTION__;
  return text.substr(text.find("value = ")).find('(') == std::string_view::npos;
}

template <class Enum, int count = 0>
constexpr int enumerator_count() {
  if constexpr (has_name<static_cast<Enum>(count)>())
    return enumerator_count<Enum, count + 1>();
  else
    return count;
}

}  // namespace kinetree::oracle
