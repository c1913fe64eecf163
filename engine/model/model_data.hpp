#pragma once
// ModelData: what a Model holds, laid out for the algorithms.

#include <array>
#include <kinetree/joint_type.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/joint/link.hpp"
#include "engine/scalar/bytes.hpp"

namespace kinetree {
struct Finding;
}

namespace kinetree::inline inner {

// complete in loops.hpp and finding.hpp, for those who make, copy or destroy a ModelData
struct Loop;
struct Coupling;
struct Aggregate;
struct Appearance;

/// A link of the user's, and where it is: on which body, and how it is placed there (merged by fixed joints).
struct Frame {
  std::string name;
  int body = -1;                   ///< -1: fixed to the ground
  Transform<double> X_frame_body;  ///< from the body's (internal) frame to the link's frame
};

/// Forces of joints that their motion alone determines.
struct PassiveForces {
  std::vector<double> damping, friction, stiffness;  ///< over velocities
  std::vector<double> reference;                     ///< over positions: where springs are at rest
  bool any = false;                                  ///< whether one of the first three is not zero
};

/// Limits of joints, infinite where there are none.
struct Limits {
  std::vector<double> lower, upper;      ///< over positions
  std::vector<double> velocity, effort;  ///< over velocities: of magnitudes
};

/// Everything a Model holds, laid out for the algorithms. Arrays over bodies unless said otherwise.
struct ModelData {
  std::string name;
  std::array<double, 3> gravity{0, 0, -9.81};  ///< m/s^2, in the ground frame

  std::vector<int> parent;            ///< -1: the ground; parent[i] < i
  std::vector<int> subtree_end;       ///< the subtree of i is [i, subtree_end[i])
  std::vector<int> children_begin;    ///< into `children`; one entry more than bodies
  std::vector<int> children;          ///< bodies, ascending under each parent
  std::vector<int> roots;             ///< bodies whose parent is the ground, ascending
  std::vector<JointType> joint_type;  ///< of the joint that carries the body; fixed: the weld of a split body's halves
  std::vector<int> q_index, v_index;  ///< one entry more than bodies: the last is nq, nv
  std::vector<Link<double>> link;     ///< constants of joint and body
  std::vector<bool> allows_cuts;  ///< whether its inertia allows cuts beside the body (design: Which joints may be cut)
  std::vector<bool> may_split;    ///< whether each half of its inertia does: whether the body may be split
  std::vector<bool> may_cut;      ///< whether the joint that carries the body may be cut: no rotor, no aggregate

  /// Of a partition's model alone, which has some bodies in halves: the user's body that each is or is a half of.
  std::vector<int> whole;

  std::vector<double> armature;  ///< over velocities: reflected rotor inertia

  // of the user's model, not of a partition's
  PassiveForces passive;
  Limits limits;

  std::vector<Loop> loops;
  std::vector<Coupling> couplings;
  std::vector<Aggregate> aggregates;  ///< by ascending first body
  std::vector<int> aggregate_of;      ///< over bodies; -1: in none. Empty where there is no aggregate
  std::vector<int> aggregate_place;   ///< over bodies: where it stands among its aggregate's
  std::vector<int> aggregate_column;  ///< over bodies: where its velocities stand among its aggregate's
  std::vector<double> assembled;  ///< over positions: where loops are closed, as the user says or as building found it

  std::vector<std::string> joint_name;
  std::vector<Frame> frames;                     ///< every link of the description, in the user's order
  std::shared_ptr<const Appearance> appearance;  ///< of the user's model; complete in appearance.hpp
  std::vector<int> body_frame;                   ///< the frame that is the body's own link
  std::vector<Finding> findings;                 ///< warnings and notices of loading and checking

  /// Of the arrays over bodies, positions and velocities; what constraints and names hold is left out.
  std::size_t bytes() const {
    return bytes_of(parent, subtree_end, children_begin, children, roots, joint_type, q_index, v_index, link,
                    allows_cuts, may_split, may_cut, whole, armature, aggregate_of, aggregate_place, aggregate_column,
                    assembled, body_frame, passive.damping, passive.friction, passive.stiffness, passive.reference,
                    limits.lower, limits.upper, limits.velocity, limits.effort);
  }

  std::span<const int> children_of(int body) const { return part(children, children_begin, body); }
  /// Whether the joint that carries a body has a rotor.
  bool has_rotor(int body) const {
    const auto k = static_cast<std::size_t>(body);
    for (auto v = v_index[k]; v < v_index[k + 1]; ++v)
      if (armature[static_cast<std::size_t>(v)] != 0) return true;
    return false;
  }
  /// The user's body that a body is or is a half of.
  int whole_of(int body) const { return whole.empty() || body < 0 ? body : whole[static_cast<std::size_t>(body)]; }

 private:
  static std::span<const int> part(const std::vector<int>& list, const std::vector<int>& begin, int body) {
    const auto k = static_cast<std::size_t>(body);
    return {list.data() + begin[k], list.data() + begin[k + 1]};
  }
};

/// The index in `frames` of the link with a name. Throws std::invalid_argument where there is none.
int frame_named(const ModelData& model, std::string_view link);

}  // namespace kinetree::inline inner
