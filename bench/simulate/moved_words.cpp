#include "bench/simulate/moved_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace kinetree::bench {
namespace {

constexpr std::size_t most_joints = 20;
constexpr double rounding = 1e-12;

/// The change of one kind in one joint: `position 0.3 -> 0.2`; empty where nothing has changed by more than rounding.
std::string change(const char* kind, const Eigen::VectorXd& given, const Eigen::VectorXd& taken, double& most) {
  double largest = 0;
  std::string from, to;
  for (Eigen::Index k = 0; k < given.size(); ++k) {
    largest = std::max(largest, std::abs(taken[k] - given[k]) / (1 + std::abs(given[k])));
    from += fmt::format("{}{:.10g}", k ? " " : "", given[k]), to += fmt::format("{}{:.10g}", k ? " " : "", taken[k]);
  }
  most = std::max(most, largest);
  return largest > rounding ? fmt::format(" {} {} -> {}", kind, from, to) : "";
}

}  // namespace

std::string moved_words(const Model& model, const StartState& given, const StartState& taken) {
  struct Moved {
    double by;
    int body;
    std::string words;
  };
  std::vector<Moved> moved;
  for (int i = 0; i < model.body_count(); ++i) {
    const int q = model.q_index(i), v = model.v_index(i);
    const int nq = position_count(model.joint_type(i)), nv = velocity_count(model.joint_type(i));
    double by = 0;
    const std::string position = change("position", given.q.segment(q, nq), taken.q.segment(q, nq), by);
    const std::string velocity = change("velocity", given.v.segment(v, nv), taken.v.segment(v, nv), by);
    if (by > rounding)
      moved.push_back({by, i,
                       fmt::format("joint \"{}\":{}{}{}", model.joint_name(i), position,
                                   position.empty() || velocity.empty() ? "" : ",", velocity)});
  }
  if (moved.empty()) return "assembled    nothing moved: the start is closed\n";
  const std::size_t others = moved.size() - std::min(moved.size(), most_joints);
  if (others > 0) {
    std::ranges::stable_sort(moved, std::greater{}, &Moved::by);
    moved.resize(most_joints);
    std::ranges::sort(moved, {}, &Moved::body);
  }
  std::string text;
  for (const Moved& one : moved) text += (text.empty() ? "assembled    " : "             ") + one.words + "\n";
  if (others > 0) text += fmt::format("             and {} joints by less\n", others);
  return text;
}

}  // namespace kinetree::bench
