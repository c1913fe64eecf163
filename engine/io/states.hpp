#pragma once
// States for `kinetree solve`: JSON in the caller's order of joints, turned to the model's (docs/using.md).

#include <array>
#include <filesystem>
#include <kinetree/finding.hpp>
#include <kinetree/model.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace kinetree::inline inner {

/// A force on a link: moment about its origin, then force, world axes.
struct LinkForce {
  int link = 0;  ///< as frame_index gives it
  std::array<double, 6> force{};
};

/// A joint force over time (rad and m are none of its units); what a simulation makes of it, drives.hpp says.
struct DriveTable {
  std::string joint;
  int velocity = 0;                   ///< the entry of v
  std::vector<double> times, forces;  ///< s, Nm or N
  bool held = false;                  ///< each number until the next time; else linear between
};

/// States of one model, each vector in the model's order; columns of one state each.
struct States {
  std::vector<std::string> joints;  ///< names in the caller's order; the model's where the caller gave none
  std::vector<int> bodies;          ///< the body each of `joints` carries
  std::vector<std::vector<double>> q, v, tau;
  std::vector<std::vector<double>> f_ext;  ///< empty where a state has none; else 6 per body, world axes, moment first,
                                           ///< already moved from the named link's origin to its body's origin
  std::vector<std::vector<LinkForce>> forces;  ///< those of the file that f_ext has, at the origins of their links
  std::vector<DriveTable> drives;              ///< what drives the motion that a state begins
  std::vector<Finding> findings;               ///< notices, e.g. a force on a link that is fixed to the world
  int count() const { return static_cast<int>(q.size()); }
};

/// The notice where a file has drives, which a simulation takes out.
inline constexpr std::string_view drives_notice = "act over time, in `simulate` alone; they are left out here";

/// Reads states; throws InputError with every finding (file, state index, key, value).
States read_states(const std::filesystem::path& file, const Model& model);
States read_states_text(const std::string& text, const std::string& name, const Model& model);

/// A vector over velocities in the model's order, in the caller's order of `states.joints`.
std::vector<double> in_callers_order(const States& states, const Model& model,
                                     const std::vector<double>& in_model_order);

}  // namespace kinetree::inline inner
