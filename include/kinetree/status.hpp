#pragma once
// Status: whether a state was solved, else the reason. It holds no memory and never throws.

#include <kinetree/export.hpp>
#include <kinetree/model.hpp>
#include <string>

namespace kinetree {

/// `body` and `value` below are the members of Status; `body` is a body's index, and stands for the joint that carries
/// it.
enum class StatusCode {
  ok,
  wrong_size,      ///< the rows or columns of `argument` are `value` and should be `expected`; nothing is written
  not_finite,      ///< `value` is NaN or infinite: a number of the joint `body` in `argument`, or `argument` itself;
                   ///< without `argument`, the result
  not_positive,    ///< the number `argument` is `value` and should be above 0 and finite; nothing is done
  not_normalized,  ///< a quaternion of the joint `body` in `argument` has the norm `value`, which differs from 1 by
                   ///< more than 1e-6 (in float 1e-4)
  singular_loop,   ///< the constraints have the rank of no branch, as at a change point: a lower rank allows more than
                   ///< one motion, a higher one contradicts the motions that are left. `body`: one of the aggregate;
                   ///< `value`: the smallest pivot that the largest regular rank takes, as a fraction of the largest
  singular,        ///< the articulated inertia of the joint `body` is not positive, or at most 16 epsilon times the
                   ///< inertias that the joint moves
  too_large,       ///< crb: the mass matrix would take `value` GB, and more than 4 are not taken; nothing is written
  other_model,     ///< the workspace was made for another model; nothing is written
  no_such_frame,   ///< `value` is not the index of a link; nothing is written
  no_such_column,  ///< `value` is not the index of a column, of which there are `expected`; nothing is done
  not_closed,      ///< loops of `body` are open by `value` (m or rad; v: of 1 + |v|): `argument`, else Newton's result
  step_too_small,  ///< an integrator's tolerance can't be met; `value` (s) is the step it came down to
  shared_memory,   ///< a result shares memory with an input, or with itself; nothing is written
  other_branch,    ///< the result is in the independent coordinates of the branch of `assembled`, and the constraints
                   ///< stand on a branch of `value` degrees of freedom. `body`: one of the aggregate
  cut_needs_double,  ///< the call is in float and the plan cuts the joint `body`, or its link in halves, beside a link
                     ///< too light or too thin for that: rounding may leave nothing of the constraint force; nothing is
                     ///< written
  change_point,      ///< an integrator can't tell which motion goes on. With `argument` `value` is the tightest
                     ///< tolerance that passes, else the fraction of speed or energy lost. `body`: of the aggregate
  diverged,          ///< the motion comes to numbers that are not finite, in the step that begins at the time `value`
                     ///< (s). `body`: whose joint was the fastest before, among those that lost their numbers
  state_dependent_loop,  ///< the function has no derivative through constraints whose map depends on the state; nothing
                         ///< is written. `body`: one of the first such aggregate
  not_rigid,  ///< a column's own numbers (kinetree/varying.hpp) make `body`, with what is fixed to it, no rigid body:
              ///< `value` is its mass (`argument` mass) or its least moment about the centre of mass
  out_of_bounds,  ///< a column's own number `argument` of `body`, `value`, is outside the bounds that Varying has for
                  ///< it
};

/// The outcome of a call, or of one column of it.
struct [[nodiscard]] Status {
  StatusCode code = StatusCode::ok;
  int column = 0;    ///< the index of the column; in the Status of a whole call that of the first column that failed
  int body = -1;     ///< the index of a body; -1: none in particular
  double value = 0;  ///< the number that breaks the rule, as the code says
  const char* argument = "";  ///< as the function's declaration calls it; "": none in particular
  // of wrong_size
  int expected = 0;      ///< rows, or columns
  bool columns = false;  ///< whether columns are too many or too few, not rows

  bool ok() const { return code == StatusCode::ok; }
  explicit operator bool() const { return ok(); }
  /// A sentence with the joint's name, the rule and the value; "column K: " before it, unless K is 0.
  KINETREE_EXPORT std::string message(const Model& model) const;
};

}  // namespace kinetree
