#pragma once
// Why joints stay uncut (design: Which joints may be cut).

#include <string>

#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

enum class Uncut {
  may_be_cut,
  aggregate,  ///< the joint stands in an aggregate
  rotor,      ///< the joint has a rotor, which ties both of its sides together
  inertia,    ///< the inertia of the body outboard is singular, ill-conditioned or negligible beside what hangs from it
  inboard,    ///< the joint of the body inboard may not be cut, and this is the only joint that goes on from there
};

Uncut why_uncut(const ModelData& model, int body);

/// The same as a clause that names what is to blame: `the joint has a rotor (armature 0.1)`. Empty where the joint may
/// be cut.
std::string reason_uncut(const ModelData& model, int body);

}  // namespace kinetree::inline inner
