// What loading makes of a Description, as a Description: bases freed, joints locked, mimic joints as couplings.
#include <algorithm>
#include <kinetree/compose.hpp>
#include <stdexcept>

#include "engine/model/check_description.hpp"
#include "engine/model/included_lines.hpp"
#include "engine/model/lock_joints.hpp"

namespace kinetree {
namespace {

/// Erases those whose names are no longer among the others'.
template <class List, class Name>
void keep(List& own, const List& others, Name name) {
  std::erase_if(own, [&](const auto& one) {
    return std::ranges::none_of(others, [&](const auto& other) { return other.*name == one.*name; });
  });
}

}  // namespace

Description as_loaded(const Description& given, const LoadOptions& options, std::vector<Finding>* findings) {
  Description d = given, checked = given;
  std::vector<Finding> all, locking;
  const Topology topology = check_description(checked, options, all);
  if (!has_error(all)) lock_joints(checked, topology, options.lock, locking);
  all.insert(all.end(), locking.begin(), locking.end());
  place_lines(all, given);
  place_lines(locking, given);
  if (has_error(all)) throw InputError(std::move(all));
  if (findings != nullptr) findings->insert(findings->end(), locking.begin(), locking.end());
  for (std::size_t k = 0; k < d.bodies.size(); ++k) {
    JointDescription &own = d.bodies[k].joint, &made = checked.bodies[k].joint;
    own.mimic.reset();
    if (own.type == made.type && own.name == made.name) continue;
    if (made.type != "fixed") made.origin = own.origin;  // numbers stay as they stand, since checks normalize
    own = std::move(made);
  }
  d.couplings = std::move(checked.couplings);
  d.independent = std::move(checked.independent);
  keep(d.loops, checked.loops, &LoopDescription::name);
  keep(d.assembled, checked.assembled, &JointPositions::joint);
  return d;
}

Description locked(const Description& description, const std::vector<JointPositions>& joints,
                   std::vector<Finding>* findings) {
  return as_loaded(description, {.lock = joints}, findings);
}

std::vector<JointPositions> boundary::joint_positions(const Model& model, std::span<const double> q,
                                                      const std::vector<std::string>& joints) {
  if (q.size() != static_cast<std::size_t>(model.nq()))
    throw std::invalid_argument("joint_positions: q has " + std::to_string(q.size()) + " positions, the model has " +
                                std::to_string(model.nq()));
  std::vector<JointPositions> all;
  for (const std::string& joint : joints) {
    const int body = model.body_of_joint(joint);
    const auto begin = q.begin() + model.q_index(body);
    all.push_back({joint, {begin, begin + position_count(model.joint_type(body))}});
  }
  return all;
}

}  // namespace kinetree
