#pragma once
// Status: whether a state was solved, else the reason. It holds no memory and never throws.

#include <kinetree/model.hpp>
#include <string>

namespace kinetree {

enum class StatusCode {
  ok,
  wrong_size,      ///< an argument's rows or columns do not fit the model
  not_finite,      ///< a position, velocity or force is NaN or infinite; `body` names the joint
  not_normalized,  ///< a quaternion's norm is off by more than 1e-6; `body` names the joint
  singular_loop,  ///< constraints have not the rank that was counted: lost, more than one motion is possible; above it,
                  ///< they contradict the motion that is left; `body` is one of theirs, `value` the smallest pivot
  singular,       ///< the joint's articulated inertia is not positive; `body` names the joint
  too_large,      ///< the algorithm can't hold this model in memory
  other_model,    ///< the workspace was made for another model
  no_such_frame,  ///< `value` is not the number of a link
  not_closed,     ///< Newton's method leaves the loops of `body` open by `value`
  step_too_small,  ///< an integrator's tolerance can't be met; `value` is the step it came down to
  shared_memory,   ///< a result shares memory with an input, or with itself; nothing is written
  change_point,  ///< an integrator can't tell how loops go on: a step onto the constraints of `body` would take `value`
                 ///< of the largest speed or kinetic energy away
};

struct [[nodiscard]] Status {
  StatusCode code = StatusCode::ok;
  int column = 0;    ///< the first state concerned
  int body = -1;     ///< the first body concerned; -1: none in particular
  double value = 0;  ///< the value that breaks the rule

  bool ok() const { return code == StatusCode::ok; }
  explicit operator bool() const { return ok(); }
  /// A sentence with the joint's name, the rule and the value.
  std::string message(const Model& model) const;
};

}  // namespace kinetree
