#include "bench/simulate/point_motion.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <kinetree/kinematics.hpp>
#include <optional>
#include <sstream>

#include "bench/text_out.hpp"
#include "engine/model/known_names.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/number_from.hpp"

namespace kinetree::bench {
namespace {

constexpr std::size_t per_point = 13;

/// Three finite numbers with colons between; none: it is something else.
std::optional<std::array<double, 3>> three_numbers(const std::string& text) {
  std::array<double, 3> numbers{};
  std::istringstream list(text + ":");
  std::size_t count = 0;
  for (std::string word; std::getline(list, word, ':'); ++count) {
    const auto number = number_from<double>(word);
    if (!number || !std::isfinite(*number) || count == 3) return std::nullopt;
    numbers[count] = *number;
  }
  return count == 3 ? std::optional(numbers) : std::nullopt;
}

}  // namespace

PointMotion::PointMotion(const Model& model, const std::vector<std::string>& texts, const std::string& file)
    : model_(model), workspace_(model), texts_(texts) {
  NamesOf links{"link", {}};
  for (const Frame& frame : model.data().frames) links.names.push_back(frame.name);
  std::vector<Finding> findings;
  const auto refuse = [&](const std::string& why) { findings.push_back({Severity::error, file, 0, "--points", why}); };
  for (const std::string& text : texts) {
    // a link's own name may hold a = too
    auto found = std::ranges::find(links.names, text);
    std::array<double, 3> offset{};
    if (const auto sign = text.rfind('='); found == links.names.end() && sign != std::string::npos) {
      const auto numbers = three_numbers(text.substr(sign + 1));
      if (!numbers) {
        refuse(fmt::format("\"{}\": behind = stands \"{}\"; give three finite numbers in m, as in LINK=0:0:0.3", text,
                           text.substr(sign + 1)));
        continue;
      }
      offset = *numbers;
      found = std::ranges::find(links.names, text.substr(0, sign));
    }
    if (found == links.names.end())
      refuse(fmt::format("\"{}\" {}", text, is_none_of(links, {"joint", model.data().joint_name}, text)));
    else
      points_.emplace_back(static_cast<int>(found - links.names.begin()), offset);
  }
  if (!findings.empty()) throw InputError(findings);
}

std::string PointMotion::appended(const std::string& lines, const Simulation& simulation) {
  if (points_.empty()) return lines;
  const auto n = static_cast<Eigen::Index>(points_.size());
  Eigen::VectorXd poses(12 * n), velocities(6 * n);
  // of a state in motion
  (void)point_kinematics(model_, workspace_, simulation.q(), simulation.v(), points_, Axes::world_aligned, poses,
                         velocities);
  std::vector<double>& row = rows_.emplace_back();
  for (Eigen::Index k = 0; k < n; ++k) {
    const Eigen::Map<const Eigen::Matrix<double, 3, 4>> pose(poses.data() + 12 * k);
    Eigen::Quaterniond turn(Eigen::Matrix3d(pose.leftCols<3>()));
    if (turn.w() < 0) turn.coeffs() *= -1;
    row.insert(row.end(), {pose(0, 3), pose(1, 3), pose(2, 3), turn.x(), turn.y(), turn.z(), turn.w()});
    for (Eigen::Index c = 0; c < 6; ++c) row.push_back(velocities[6 * k + c]);
  }
  std::string head, line;
  if (rows_.size() == 1)
    for (const std::string& text : texts_) {
      for (int c = 0; c < 7; ++c) head += "," + csv_cell(fmt::format("pose:{}[{}]", text, c));
      for (int c = 0; c < 6; ++c) head += "," + csv_cell(fmt::format("velocity:{}[{}]", text, c));
    }
  for (const double x : row) line += fmt::format(",{:.17g}", x);
  const std::string whole = lines.substr(0, lines.size() - 1);  // without the last line's end
  const auto before = whole.rfind('\n');
  if (rows_.size() > 1 || before == std::string::npos) return whole + line + "\n";
  return whole.substr(0, before) + head + whole.substr(before) + line + "\n";
}

std::vector<Plot> PointMotion::plots() const {
  std::vector<Plot> plots;
  for (const auto& [title, first] : {std::pair{"Positions of points (m)", 0}, {"Velocities of points (m/s)", 10}}) {
    Plot& plot = plots.emplace_back();
    plot.title = title;
    for (std::size_t p = 0; p < texts_.size(); ++p)
      for (std::size_t c = 0; c < 3; ++c) {
        Curve curve{fmt::format("{} {}", texts_[p], "xyz"[c]), {}};
        for (const auto& row : rows_) curve.values.push_back(row[per_point * p + static_cast<std::size_t>(first) + c]);
        plot.curves.push_back(std::move(curve));
      }
  }
  return plots;
}

}  // namespace kinetree::bench
