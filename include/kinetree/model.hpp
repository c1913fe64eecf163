#pragma once
// Model: the checked, immutable mechanism, numbered depth first. Cheap to copy; shared by all threads.

#include <kinetree/description.hpp>
#include <kinetree/export.hpp>
#include <kinetree/finding.hpp>
#include <kinetree/joint_type.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kinetree {

inline namespace inner {
struct ModelData;
}

/// The mechanism an algorithm runs on.
class KINETREE_EXPORT Model {
 public:
  explicit Model(std::shared_ptr<const ModelData> data);

  const std::string& name() const;
  /// Moving bodies, after fixed joints are merged.
  int body_count() const { return body_count_; }
  /// Entries of q, and of v, tau and the accelerations.
  int nq() const { return nq_; }
  int nv() const { return nv_; }

  // `body`: 0 to body_count() - 1, parents before children; anything else is undefined behaviour.
  /// The user's names for the joint that carries a body, and for the body's own link.
  std::string_view joint_name(int body) const;
  std::string_view body_name(int body) const;
  JointType joint_type(int body) const;
  /// The body that the joint hangs from; -1: the ground.
  int parent(int body) const;
  /// The joint's first entry in q, and in v, tau and the accelerations; joint_type says how many it has.
  int q_index(int body) const;
  int v_index(int body) const;
  /// The body whose joint has an entry of q, 0 to nq() - 1; of v, 0 to nv() - 1.
  int body_of_position(int index) const;
  int body_of_velocity(int index) const;
  /// The number of links in the user's file, those on fixed joints included and `world` excluded; the name of one.
  int frame_count() const;
  std::string_view frame_name(int frame) const;

  /// Visual shapes and collision shapes of link `frame` (see frame_index), and all sensors: data for the caller.
  std::span<const ShapeDescription> visuals(int frame) const;
  std::span<const ShapeDescription> collisions(int frame) const;
  std::span<const SensorDescription> sensors() const;
  /// Forces between points of links, which act where a PointForces (point_forces.hpp) adds them.
  std::span<const PointForceDescription> point_forces() const;

  /// The body that a joint carries, by the joint's name. Throws std::invalid_argument where no joint has it; joints of
  /// type `fixed` are no longer among them.
  int body_of_joint(std::string_view joint) const;
  /// The body that a link is, or is merged into by fixed joints; -1: the ground. Throws std::invalid_argument where no
  /// link has that name.
  int body_of_link(std::string_view link) const;
  /// The same entries by the joint's name. Throw as body_of_joint.
  int q_index(std::string_view joint) const { return q_index(body_of_joint(joint)); }
  int v_index(std::string_view joint) const { return v_index(body_of_joint(joint)); }

  /// Passive forces of joints (add_passive_forces has the law), nv numbers each: damping (Nm s/rad, N s/m), Coulomb
  /// friction (Nm, N), stiffness of springs (Nm/rad, N/m); nq positions where springs are at rest.
  std::span<const double> damping() const;
  std::span<const double> friction() const;
  std::span<const double> stiffness() const;
  std::span<const double> spring_reference() const;
  /// Limits of positions (nq; rad, m), of the magnitudes of velocities (nv; rad/s, m/s) and of joint forces (nv; Nm,
  /// N), infinite where there is none and for quaternions. ForwardDynamics and Simulation do not enforce them.
  std::span<const double> lower_limits() const;
  std::span<const double> upper_limits() const;
  std::span<const double> velocity_limits() const;
  std::span<const double> effort_limits() const;

  /// Warnings and notices of loading and checking.
  std::span<const Finding> findings() const;
  /// What the library's own rooms read; its type is complete in no public header.
  const ModelData& data() const { return *data_; }

 private:
  std::shared_ptr<const ModelData> data_;
  int body_count_, nq_, nv_;
};

/// Which velocities of the joints that loops and couplings tie together are independent coordinates in a state, for the
/// operator layer (sko/constrained_body.hpp). The best are those that determine the others with the largest pivots.
enum class IndependentCoordinates {
  best,   ///< the best for the state
  users,  ///< those that the user names; the best for the state where none are named
  models  ///< those that loading chose, in every state
};

/// How a description becomes a model.
struct LoadOptions {
  bool floating_base = false;  ///< free the root link: it gets the joint `floating_base`
  bool ignore_mimic = false;   ///< make mimic joints independent; without it each mimic becomes a coupling
  /// Joints to lock, by name, at their positions; where none are given, as `assembled` has the joint, else at zero.
  /// What becomes of the rest of the model: <kinetree/compose.hpp>, `locked`.
  std::vector<JointPositions> lock = {};
};

/// Checks a Description and builds its Model; throws InputError with every finding.
/// `findings` are those a loader already has: they come first.
KINETREE_EXPORT Model make_model(const Description& description, const LoadOptions& options = {},
                                 std::vector<Finding> findings = {});

/// A generated family, e.g. "chain:1024", "tree:2x12", "star:100x3", "comb:64", "random:50:seed=7". Throws InputError
/// if the text names no family, or asks for a mechanism that there is not.
KINETREE_EXPORT Model make_model(std::string_view family, const LoadOptions& options = {});

/// The description a family stands for; throws InputError if the text names no family.
KINETREE_EXPORT Description make_description(std::string_view family, const LoadOptions& options = {});

/// Whether the text has the form of a family (`word:...` with a known word).
KINETREE_EXPORT bool names_family(std::string_view text);

}  // namespace kinetree
