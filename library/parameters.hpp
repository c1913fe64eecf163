#pragma once
// The parameters that a call is given before its other arguments, in one of the scalar types.

#include <kinetree/columns.hpp>
#include <utility>

#include "engine/model/own_numbers.hpp"
#include "library/argument.hpp"
#include "library/kept_parameters.hpp"

namespace kinetree::inline inner {

struct Parameters {
  Columns<const double> in_double{};
  Columns<const float> in_float{};
  bool given = false;
  KeptParameters::Data* kept = nullptr;  ///< null: they are converted in this call

  template <class T>
  const Columns<const T>& in() const {
    return of_scalar<T>(in_double, in_float);
  }
  /// Null: nowhere.
  template <class T>
  KeptNumbers<T>* kept_numbers() const {
    return kept == nullptr ? nullptr : &of_scalar<T>(kept->numbers_in_double, kept->numbers_in_float);
  }
  /// Whether they have a column for each state; those of the other scalar type, and of an object that takes none, have
  /// not. `own`: null where the object takes none.
  template <class T>
  Status fault(const OwnNumbers* own, std::ptrdiff_t states) const {
    if (!given) return {};
    return fault_of_size(argument("parameters", in<T>(), own == nullptr ? 0 : own->row_count(), states));
  }
};

inline Parameters parameters_of(KeptParameters& kept) {
  KeptParameters::Data& d = kept.data();
  return {d.in_double, d.in_float, true, &d};
}

}  // namespace kinetree::inline inner
