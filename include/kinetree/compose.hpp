#pragma once
// Models put together: joints locked, descriptions attached to each other, parts taken. Each function makes a new
// description, from which make_model makes the model.
//
// Each checks what it locks, attaches or cuts as make_model does, and throws InputError with every finding where an
// error is among them. The result is checked in full when make_model makes the model.

#include <Eigen/Core>
#include <kinetree/description.hpp>
#include <kinetree/export.hpp>
#include <kinetree/finding.hpp>
#include <kinetree/model.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kinetree {

namespace boundary {
KINETREE_EXPORT std::vector<JointPositions> joint_positions(const Model& model, std::span<const double> q,
                                                            const std::vector<std::string>& joints);
}

/// The description with joints of any type fixed where they stand, so that the links on both sides are one rigid body.
/// A joint without positions stands as `assembled` has it, else at zero.
///
/// Links, inertias, shapes and sensors keep their frames, loops and forces stay between their links. A coupling takes
/// the positions of locked joints into its offset; the last joint of a coupling whose others are locked is locked too.
/// Where locked joints make the two ends of a loop one rigid body, or lock all joints of a coupling, nothing is left of
/// it; it is an error where it does not hold there, to 1e-8 m or rad (couplings: of the larger of the sum of
/// |coefficient * position| and the largest coefficient). Forces, limits and the armature of a locked joint go with its
/// motion; `independent` and `assembled` name it no more. Mimic joints become couplings, as make_model has them.
///
/// `findings`, where given, gets what is no error: joints that couplings lock, positions beyond limits.
KINETREE_EXPORT Description locked(const Description& description, const std::vector<JointPositions>& joints,
                                   std::vector<Finding>* findings = nullptr);

/// Where joints stand in a configuration q of the model (nq positions, one column), to be locked there. Throws
/// std::invalid_argument where a name is no joint that moves, or q has another size.
template <class Q>
std::vector<JointPositions> joint_positions(const Model& model, const Eigen::DenseBase<Q>& q,
                                            const std::vector<std::string>& joints) {
  const Eigen::VectorXd numbers = q.derived().template cast<double>();
  return boundary::joint_positions(model, {numbers.data(), static_cast<std::size_t>(numbers.size())}, joints);
}

/// The description of what make_model makes with these options: base freed, joints locked, mimic joints as couplings.
/// `findings` as with `locked`.
KINETREE_EXPORT Description as_loaded(const Description& description, const LoadOptions& options,
                                      std::vector<Finding>* findings = nullptr);

/// Where one description is attached to another.
struct Attachment {
  std::string link = "world";  ///< of the description that it is attached to: a link on any joint, or `world`
  Placement placement = {};    ///< of the attached description's world in that link's frame
  std::string prefix = {};     ///< stands before every name of the attached description
};

/// Makes one mechanism of both. A body of `other` whose parent is the world gets the link of the attachment as its
/// parent, and keeps its joint: so a gripper or a payload is put on a robot, and, where that link is the world, a
/// second robot beside the first. Bodies, loops, couplings, forces and sensors of `other` follow those of
/// `description`, and so do its joints under `independent` and `assembled`; all their names get the prefix. Name, file
/// and gravity are those of `description`; elements of `other` have no line. Errors: names that are taken, a link that
/// there is not, another gravity.
///
/// A model numbers its joints depth first, so joints that `other` brings may stand between those of `description`:
/// look up entries of q and v by name (Model::q_index, Model::v_index). Where all of `other` is on fixed joints, q and
/// v keep their layout.
KINETREE_EXPORT Description attached(const Description& description, const Description& other,
                                     const Attachment& attachment = {});

/// The link, the joint that carries it, and all links outboard. The link that carries this joint becomes the world, so
/// that the part, `attached` to such a link, moves as before. Loops, couplings, forces, sensors, and joints under
/// `independent` and `assembled` come along; the model is named after the link; gravity keeps its numbers. Errors: a
/// link that does not exist; a loop, coupling or force between the part and a link other than the carrying one.
KINETREE_EXPORT Description sub_model(const Description& description, std::string_view link);

/// The description without that part: what sub_model has is gone. Errors as there.
KINETREE_EXPORT Description without(const Description& description, std::string_view link);

}  // namespace kinetree
