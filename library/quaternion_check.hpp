#pragma once
// Numbers of a state: all are finite. Quaternions close to unit length pass, and kernels read them as the unit
// quaternions along them.

#include <algorithm>
#include <cmath>
#include <kinetree/model.hpp>
#include <kinetree/status.hpp>
#include <type_traits>
#include <vector>

#include "engine/joint/advance.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

/// The first of the joint's numbers that is not finite; `argument`: of the call, that has them.
template <class T>
Status fault_of_finite(const T* x, int count, int body, const char* argument) {
  for (int k = 0; k < count; ++k)
    if (!std::isfinite(x[k])) return {StatusCode::not_finite, 0, body, static_cast<double>(x[k]), argument};
  return {};
}

/// The first number of a state that is not finite, joint by joint. Null: the call has none of these.
template <class T>
Status fault_of_state(const ModelData& m, const T* q, const T* v, const T* a = nullptr, const T* tau = nullptr,
                      const T* f_ext = nullptr) {
  for (int i = 0; i < static_cast<int>(m.parent.size()); ++i) {
    const auto look = [i](const T* x, int begin, int end, const char* argument) {
      return x == nullptr ? Status{} : fault_of_finite(x + begin, end - begin, i, argument);
    };
    const int own = m.v_index[at(i)], next = m.v_index[at(i + 1)];
    for (const Status& status :
         {look(q, m.q_index[at(i)], m.q_index[at(i + 1)], "q"), look(v, own, next, "v"), look(a, own, next, "a"),
          look(tau, own, next, "tau"), look(f_ext, 6 * i, 6 * i + 6, "f_ext")})
      if (!status.ok()) return status;
  }
  return {};
}

/// Whether `count` numbers from x on are finite. Any infinity or NaN shows in their sum, which may overflow without
/// one.
template <class T>
bool all_finite(const T* x, std::size_t count) {
  T even = 0, odd = 0;
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) even += x[i] + x[i + 2], odd += x[i + 1] + x[i + 3];
  if (i < count) even += x[i];  // no loop: a compiler would make registers of it, for three numbers
  if (i + 1 < count) odd += x[i + 1];
  if (i + 2 < count) even += x[i + 2];
  if (T(0) * (even + odd) == T(0)) return true;
  return std::all_of(x, x + count, [](T number) { return std::isfinite(number); });
}

/// What is wrong with the quaternion of a joint: its norm differs from 1 by more than rounding explains. `argument`: of
/// the call, that has it.
template <class T>
Status fault_of_quaternion(const T* p, int body, const char* argument = "q") {
  constexpr double tolerance = std::is_same_v<T, float> ? 1e-4 : 1e-6;
  double squares = 0;
  for (int k = 0; k < 4; ++k) squares += static_cast<double>(p[k]) * static_cast<double>(p[k]);
  if (std::abs(squares - 1) <= tolerance) return {};  // the norm is closer still, and its root takes a while
  const double norm = std::sqrt(squares);
  if (!std::isfinite(norm)) return {StatusCode::not_finite, 0, body, norm, argument};
  return {std::abs(norm - 1) > tolerance ? StatusCode::not_normalized : StatusCode::ok, 0, body, norm, argument};
}

/// Checks the quaternions of one model's states.
class QuaternionCheck {
 public:
  explicit QuaternionCheck(const ModelData& m) {
    for (std::size_t i = 0; i < m.parent.size(); ++i)
      if (const int k = quaternion_at(m.joint_type[i]); k >= 0)
        quaternions_.push_back({static_cast<int>(i), m.q_index[i] + k});
  }

  /// Of the first quaternion of q that is at fault.
  template <class T>
  Status fault(const T* q) const {
    for (const Place& place : quaternions_)
      if (const Status status = fault_of_quaternion(q + place.q, place.body); !status.ok()) return status;
    return {};
  }

 private:
  /// A joint with a quaternion, and where this begins in q.
  struct Place {
    int body, q;
  };
  std::vector<Place> quaternions_;
};

}  // namespace kinetree::inline inner
