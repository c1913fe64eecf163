#pragma once
// Names of status codes without memory, for logs that may not allocate.

#include <kinetree/status.hpp>
#include <string_view>

namespace kinetree {

/// The word of a code as the program writes it: "ok", "not_closed". The text lasts as long as the program. Allocates
/// nothing; Status::message says more and does.
constexpr std::string_view name_of(StatusCode code) {
  switch (code) {
    case StatusCode::ok:
      return "ok";
    case StatusCode::wrong_size:
      return "wrong_size";
    case StatusCode::not_finite:
      return "not_finite";
    case StatusCode::not_positive:
      return "not_positive";
    case StatusCode::not_normalized:
      return "not_normalized";
    case StatusCode::singular_loop:
      return "singular_loop";
    case StatusCode::singular:
      return "singular";
    case StatusCode::too_large:
      return "too_large";
    case StatusCode::other_model:
      return "other_model";
    case StatusCode::no_such_frame:
      return "no_such_frame";
    case StatusCode::no_such_column:
      return "no_such_column";
    case StatusCode::not_closed:
      return "not_closed";
    case StatusCode::step_too_small:
      return "step_too_small";
    case StatusCode::shared_memory:
      return "shared_memory";
    case StatusCode::other_branch:
      return "other_branch";
    case StatusCode::cut_needs_double:
      return "cut_needs_double";
    case StatusCode::change_point:
      return "change_point";
    case StatusCode::diverged:
      return "diverged";
    case StatusCode::state_dependent_loop:
      return "state_dependent_loop";
    case StatusCode::not_rigid:
      return "not_rigid";
    case StatusCode::out_of_bounds:
      return "out_of_bounds";
  }
  return "unknown";
}

}  // namespace kinetree
