#include "engine/partition/uncut.hpp"

#include <algorithm>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/rigid_body_check.hpp"
#include "engine/scalar/index.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree::inline inner {
namespace {

std::string quoted(const std::string& kind, const std::string& name) { return kind + " \"" + name + "\""; }

double largest_armature(const ModelData& m, int body) {
  const auto all = m.armature.begin();
  return *std::max_element(all + m.v_index[at(body)], all + m.v_index[at(body + 1)]);
}

const std::string& body_name(const ModelData& m, int body) { return m.frames[at(m.body_frame[at(body)])].name; }

/// The first constraint of the body's aggregate.
std::string constraint_of(const ModelData& m, int body) {
  const Aggregate& a = m.aggregates[at(aggregate_of(m, body))];
  return a.loops.empty() ? quoted("coupling", m.couplings[at(a.couplings.front())].name)
                         : quoted("loop", m.loops[at(a.loops.front())].name);
}

std::string reason_of_inertia(const ModelData& m, int body) {
  const RigidInertia<double>& I = m.link[at(body)].I;
  return "the inertia of " + quoted("link", body_name(m, body)) + " (" + number_text(I.mass, 6) +
         " kg, smallest principal moment " + number_text(check_inertia(I).eigenvalues[0], 6) +
         " kg m²) is singular, ill-conditioned or negligible beside what hangs from it";
}

}  // namespace

Uncut why_uncut(const ModelData& m, int body) {
  const int parent = m.parent[at(body)];
  if (m.may_cut[at(body)]) {
    const bool goes_on_alone = parent >= 0 && m.children_of(parent).size() == 1;
    return goes_on_alone && !m.allows_cuts[at(parent)] ? Uncut::inboard : Uncut::may_be_cut;
  }
  if (aggregate_of(m, body) >= 0) return Uncut::aggregate;
  return m.has_rotor(body) ? Uncut::rotor : Uncut::inertia;
}

std::string reason_uncut(const ModelData& m, int body) {
  switch (why_uncut(m, body)) {
    case Uncut::may_be_cut:
      return "";
    case Uncut::aggregate:
      return "the joint stands in an aggregate, which " + constraint_of(m, body) + " ties together";
    case Uncut::rotor:
      return "the joint has a rotor (armature " + number_text(largest_armature(m, body), 6) +
             "), which ties its two sides together";
    case Uncut::inertia:
      return reason_of_inertia(m, body);
    case Uncut::inboard: {
      const int parent = m.parent[at(body)];
      return quoted("link", body_name(m, parent)) + " inboard of it would be left to itself, and " +
             quoted("joint", m.joint_name[at(parent)]) + " may not be cut either: " + reason_of_inertia(m, parent);
    }
  }
  return "";
}

}  // namespace kinetree::inline inner
