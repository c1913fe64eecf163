#pragma once
// Model: the checked, immutable mechanism, numbered depth first. Cheap to copy; shared by all threads.

#include <kinetree/model/description.hpp>
#include <kinetree/model/finding.hpp>
#include <kinetree/model/joint_type.hpp>
#include <kinetree/model/link.hpp>
#include <kinetree/model/loops.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kinetree {

/// A link of the user's, and where it is: on which body, and how it is placed there (merged by fixed joints).
struct Frame {
  std::string name;
  int body = -1;                   ///< -1: fixed to the ground
  Transform<double> X_frame_body;  ///< from the body's (internal) frame to the link's frame
};

/// Everything a Model holds, laid out for the algorithms. Arrays over bodies unless said otherwise.
struct ModelData {
  std::string name;
  Numbers3 gravity{0, 0, -9.81};  ///< m/s^2, in the ground frame

  std::vector<int> parent;            ///< -1: the ground; parent[i] < i
  std::vector<int> subtree_end;       ///< the subtree of i is [i, subtree_end[i])
  std::vector<int> children_begin;    ///< into `children`; one entry more than bodies
  std::vector<int> children;          ///< bodies, ascending under each parent
  std::vector<int> roots;             ///< bodies whose parent is the ground, ascending
  std::vector<JointType> joint_type;  ///< of the joint that carries the body; never fixed
  std::vector<int> q_index, v_index;  ///< one entry more than bodies: the last is nq, nv
  std::vector<Link<double>> link;     ///< constants of joint and body
  std::vector<bool> may_cut;          ///< whether the joint that carries the body may be cut (design: What may be cut)

  std::vector<double> armature;  ///< over velocities: reflected rotor inertia

  std::vector<Loop> loops;
  std::vector<Coupling> couplings;
  std::vector<Aggregate> aggregates;  ///< by ascending first body
  std::vector<int> aggregate_of;      ///< over bodies; -1: in none. Empty where there is no aggregate
  std::vector<int> aggregate_place;   ///< over bodies: where it stands among its aggregate's
  std::vector<int> aggregate_column;  ///< over bodies: where its velocities stand among its aggregate's
  std::vector<int> nodes_begin,
      nodes;                      ///< as children_begin and children, but an aggregate counts once: its first body
  std::vector<double> assembled;  ///< over positions: where loops are closed, as the user says or as building found it

  std::vector<std::string> joint_name;
  std::vector<Frame> frames;      ///< every link of the description, in the user's order
  std::vector<int> body_frame;    ///< the frame that is the body's own link
  std::vector<Finding> findings;  ///< warnings and notices of loading and checking

  std::span<const int> children_of(int body) const { return part(children, children_begin, body); }
  std::span<const int> nodes_of(int body) const { return part(nodes, nodes_begin, body); }

 private:
  static std::span<const int> part(const std::vector<int>& list, const std::vector<int>& begin, int body) {
    const auto k = static_cast<std::size_t>(body);
    return {list.data() + begin[k], list.data() + begin[k + 1]};
  }
};

/// The mechanism an algorithm runs on.
class Model {
 public:
  explicit Model(std::shared_ptr<const ModelData> data) : data_(std::move(data)) {}

  const std::string& name() const { return data_->name; }
  /// Moving bodies, after fixed joints are merged.
  int body_count() const { return static_cast<int>(data_->parent.size()); }
  int nq() const { return data_->q_index.back(); }
  int nv() const { return data_->v_index.back(); }
  std::string_view joint_name(int body) const { return data_->joint_name[static_cast<std::size_t>(body)]; }
  std::string_view body_name(int body) const {
    return data_->frames[static_cast<std::size_t>(data_->body_frame[static_cast<std::size_t>(body)])].name;
  }
  /// What loading had to say without refusing.
  std::span<const Finding> findings() const { return data_->findings; }
  const ModelData& data() const { return *data_; }

 private:
  std::shared_ptr<const ModelData> data_;
};

/// What a build may assume or change.
struct LoadOptions {
  bool floating_base = false;  ///< free the root link: it gets the joint `floating_base`
  bool ignore_mimic = false;   ///< make mimic joints independent instead of refusing them
};

/// Checks a Description and builds its Model; throws InputError with every finding.
/// `findings` are those a loader already has: they come first.
Model make_model(const Description& description, const LoadOptions& options = {}, std::vector<Finding> findings = {});

/// A generated family, e.g. "chain:1024", "tree:2x12", "star:100x3", "comb:64", "random:50:seed=7".
Model make_model(std::string_view family, const LoadOptions& options = {});

/// The description a family stands for; throws InputError if the text names no family.
Description make_description(std::string_view family, const LoadOptions& options = {});

/// Whether the text has the form of a family (`word:...` with a known word).
bool names_family(std::string_view text);

}  // namespace kinetree
