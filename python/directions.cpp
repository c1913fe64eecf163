#include "python/directions.hpp"

#include <algorithm>

#include "python/errors.hpp"

namespace kinetree::python {
namespace {

/// "(7,) or (directions, 7)", with an axis before for a batch.
std::string shapes_text(const States& states, py::ssize_t rows) {
  const std::string n = std::to_string(rows), batch = states.one ? "" : std::to_string(states.count) + ", ";
  return "(" + batch + n + (states.one ? ",)" : ")") + " or (" + batch + "directions, " + n + ")";
}

}  // namespace

template <class T>
Directions<T>::Directions(const FunctionRow& row, const GivenDirections& given, const States& states,
                          const std::array<py::ssize_t, 3>& rows) {
  const auto is_given = [&](std::size_t k) { return given[k] != nullptr && given[k] != Py_None; };
  std::string names;
  bool first = true;
  for (std::size_t k = 0; k < given.size() && row.directions[k].name != nullptr; ++k) {
    const char* const name = row.directions[k].name;
    names += (k == 0 ? "" : ", ") + std::string(name);
    if (!is_given(k)) continue;
    Array array = Array::of(name, given[k], "an array of shape " + shapes_text(states, rows[k]));
    const int lead = states.one ? 0 : 1;
    if (first) one_ = array.dimensions() <= lead + 1, count_ = one_ ? 1 : array.size(lead);
    take(k, name, std::move(array), states, rows[k], first);
    first = false;
  }
  if (first) throw py::type_error("a product needs a direction: give one of " + names + " at least");
  for (std::size_t k = 0; k < given.size() && row.directions[k].name != nullptr; ++k) {
    if (is_given(k)) continue;
    zeros_.resize(std::max(zeros_.size(), static_cast<std::size_t>(rows[k])));
    columns_[k] = {nullptr, rows[k], count_ * states.count, 0};
  }
  for (Columns<const T>& c : columns_)
    if (c.data == nullptr && c.rows > 0) c.data = zeros_.data();
}

template <class T>
void Directions<T>::take(std::size_t k, const char* name, Array array, const States& states, py::ssize_t rows,
                         bool first) {
  expect_numbers<T>(name, array);
  Sizes expected = states.expected({});
  if (!one_) expected.push_back(count_);
  expected.push_back(rows);
  if (array.sizes() != expected)  // the first says how many there are
    raise_shape(name, first ? shapes_text(states, rows) : shape_text(expected), array.sizes());
  constexpr auto bytes = static_cast<py::ssize_t>(sizeof(T));
  const int last = array.dimensions() - 1;
  const bool batch = !states.one && states.count > 1, several = !one_ && count_ > 1;
  const auto in_place = [&] {
    if (!array.aligned() || (rows > 1 && array.stride(last) != bytes)) return false;
    if (several && array.stride(last - 1) % bytes != 0) return false;
    if (batch && array.stride(0) % bytes != 0) return false;
    return !batch || !several || array.stride(0) == count_ * array.stride(last - 1);
  };
  if (!in_place()) array = array.contiguous();
  const py::ssize_t apart = several ? array.stride(last - 1) / bytes : batch ? array.stride(0) / bytes : rows;
  columns_[k] = {reinterpret_cast<const T*>(array.data()), rows, count_ * states.count, apart};
  owners_[k] = array.object();
}

template class Directions<double>;
template class Directions<float>;

}  // namespace kinetree::python
