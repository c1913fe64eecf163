#pragma once
// The arguments of a call by name: whether each has the size that it should have, and memory of its own.

#include <algorithm>
#include <initializer_list>
#include <kinetree/columns.hpp>
#include <kinetree/status.hpp>
#include <type_traits>

#include "engine/scalar/inline.hpp"
#include "library/shared_memory.hpp"

namespace kinetree::inline inner {

/// That of the scalar type T, of two that are kept.
template <class T, class D, class F>
constexpr auto& of_scalar(D& in_double, F& in_float) {
  if constexpr (std::is_same_v<T, double>)
    return in_double;
  else
    return in_float;
}

/// An argument, its size and the size that it should have.
struct Argument {
  const char* name;
  std::ptrdiff_t rows, columns, expected_rows, expected_columns;

  bool fits() const { return rows == expected_rows && columns == expected_columns; }
};

template <class T>
Argument argument(const char* name, const Columns<T>& c, std::ptrdiff_t rows, std::ptrdiff_t columns) {
  return {name, c.rows, c.columns, rows, columns};
}

/// The same of an argument that may be left out.
template <class T>
Argument optional_argument(const char* name, const Columns<T>& c, std::ptrdiff_t rows, std::ptrdiff_t columns) {
  const bool left_out = c.data == nullptr && c.rows == 0 && c.columns == 0;
  return left_out ? Argument{name, 0, 0, 0, 0} : argument(name, c, rows, columns);
}

/// Whether the argument has another size.
inline Status fault_of_size(const Argument& a) {
  const auto wrong = [&a](std::ptrdiff_t has, std::ptrdiff_t expected, bool columns) {
    return Status{StatusCode::wrong_size, 0, -1, static_cast<double>(has), a.name, static_cast<int>(expected), columns};
  };
  if (a.rows != a.expected_rows) return wrong(a.rows, a.expected_rows, false);
  if (a.columns != a.expected_columns) return wrong(a.columns, a.expected_columns, true);
  return {};
}

/// `first`: the fault of one argument whose number of columns differs from the others'. Where most of these agree on
/// another number than was expected, the fault of the first argument that has not that number.
inline Status fault_of_columns(const Status& first, std::initializer_list<Argument> arguments) {
  const std::ptrdiff_t asked = first.expected;
  const auto votes = [&](std::ptrdiff_t columns) {
    return std::ranges::count_if(arguments, [&](const Argument& a) {
      return a.expected_columns == asked && (a.expected_rows > 0 || a.rows > 0) && a.columns == columns;
    });
  };
  std::ptrdiff_t most = asked;
  for (const Argument& a : arguments)
    if (a.expected_columns == asked && votes(a.columns) > votes(most)) most = a.columns;
  if (most == asked) return first;
  for (Argument a : arguments) {
    if (a.expected_columns != asked || (a.expected_rows == 0 && a.rows == 0)) continue;
    a.expected_columns = most;
    if (const Status status = fault_of_size(a); !status.ok()) return status;
  }
  return first;
}

/// The first argument of another size. One of one column for each state, whose number most arguments agree on, is
/// judged by these.
inline Status fault_of_sizes(std::initializer_list<Argument> arguments) {
  for (const Argument& a : arguments)
    if (const Status status = fault_of_size(a); !status.ok())
      return status.columns ? fault_of_columns(status, arguments) : status;
  return {};
}
/// The same where sizes fit, as they nearly always do, without a call or a list in memory: each takes as long as a
/// joint's sweep.
template <class... Arguments>
KINETREE_INLINE Status fault_of_sizes(const Arguments&... arguments) {
  if ((arguments.fits() && ...)) [[likely]]
    return {};
  return fault_of_sizes({arguments...});
}

/// Whether a result shares no memory with itself or an input. Few calls ask for more than where each begins and ends.
template <class T, class... Inputs>
KINETREE_INLINE bool stands_apart(const Columns<T>& result, const Inputs&... inputs) {
  const Span own = span_of(result);
  return !columns_overlap(result) && ((own.apart_from(span_of(inputs)) || !share_memory(result, inputs)) && ...);
}

}  // namespace kinetree::inline inner
