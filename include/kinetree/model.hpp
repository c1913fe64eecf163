#pragma once
// Model: the checked, immutable mechanism, numbered depth first. Cheap to copy; shared by all threads.

#include <kinetree/description.hpp>
#include <kinetree/finding.hpp>
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
class Model {
 public:
  explicit Model(std::shared_ptr<const ModelData> data);

  const std::string& name() const;
  /// Moving bodies, after fixed joints are merged.
  int body_count() const { return body_count_; }
  /// Entries of q, and of v, tau and the accelerations.
  int nq() const { return nq_; }
  int nv() const { return nv_; }
  /// Of the joint that carries a body, and of the body's own link. `body`: 0 to body_count() - 1, parents first.
  std::string_view joint_name(int body) const;
  std::string_view body_name(int body) const;
  /// Warnings and notices of loading and checking.
  std::span<const Finding> findings() const;
  const ModelData& data() const { return *data_; }

 private:
  std::shared_ptr<const ModelData> data_;
  int body_count_, nq_, nv_;
};

/// Which velocities of the joints that loops and couplings tie together are independent coordinates in a state.
enum class IndependentCoordinates {
  best,   ///< the best for the state
  users,  ///< those that the user names; the best for the state where none are named
  models  ///< those that loading chose, in every state
};

/// How a description becomes a model.
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
