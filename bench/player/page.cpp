#include "bench/player/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "bench/player/base64.hpp"
#include "bench/player/scene.hpp"
#include "bench/quantity.hpp"
#include "bench/report/assets.hpp"
#include "bench/report/fill_page.hpp"
#include "bench/text_out.hpp"

namespace kinetree::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_poses = 200'000;  ///< 20 bytes each, 27 as base64: 5.3 MB
constexpr std::size_t most_rows = 2000, most_curves = 24;

/// Every k-th row and the last, at most `most`.
std::vector<std::size_t> rows_within(std::size_t rows, std::size_t most) {
  std::vector<std::size_t> taken;
  most = std::max<std::size_t>(most, 2);
  const std::size_t stride = rows <= most ? 1 : (rows - 1 + most - 2) / (most - 1);
  for (std::size_t k = 0; k + 1 < rows; k += stride) taken.push_back(k);
  if (rows > 0) taken.push_back(rows - 1);
  return taken;
}

std::vector<double> at_rows(const std::vector<double>& values, const std::vector<std::size_t>& rows) {
  std::vector<double> taken;
  for (const std::size_t k : rows) taken.push_back(values[k]);
  return taken;
}

std::vector<float> floats(const std::vector<double>& values) { return {values.begin(), values.end()}; }

/// Positions in single precision; quaternions, whose numbers are within one, on 16 bits: 3e-5 rad.
Json frames_json(const Model& model, const PlayedMotion& motion, const std::vector<std::size_t>& rows) {
  Workspace workspace(model);
  std::vector<float> positions;
  std::vector<std::int16_t> turns;
  for (const std::size_t k : rows) {
    const std::vector<double> poses = body_poses(model, workspace, motion.q[k]);
    for (std::size_t b = 0; b < poses.size(); b += 7) {
      for (std::size_t c = 0; c < 3; ++c) positions.push_back(static_cast<float>(poses[b + c]));
      for (std::size_t c = 3; c < 7; ++c)
        turns.push_back(static_cast<std::int16_t>(std::lround(std::clamp(poses[b + c], -1., 1.) * 32767)));
    }
  }
  return {{"times", base64_of(floats(at_rows(motion.times, rows)))},
          {"positions", base64_of(positions)},
          {"turns", base64_of(turns)}};
}

Json plots_json(const PlayedMotion& motion, const std::vector<std::size_t>& rows, std::vector<std::string>& notes) {
  Json list = Json::array();
  for (const Plot& plot : motion.plots) {
    if (plot.curves.empty()) continue;
    Json curves = Json::array();
    for (const Curve& curve : plot.curves) {
      if (curves.size() == most_curves) {
        notes.push_back(fmt::format("{}: the first {} of {} curves; trajectory.csv has all", plot.title, most_curves,
                                    plot.curves.size()));
        break;
      }
      curves.push_back({{"name", curve.name}, {"values", base64_of(floats(at_rows(curve.values, rows)))}});
    }
    list.push_back({{"title", plot.title}, {"logarithmic", plot.logarithmic}, {"curves", std::move(curves)}});
  }
  return list;
}

}  // namespace

std::string player_page(const Model& model, const std::filesystem::path& model_file, const PlayedMotion& motion) {
  Scene scene = make_scene(model, model_file.parent_path());
  Json& json = scene.json;
  const std::size_t bodies = std::max<std::size_t>(static_cast<std::size_t>(model.body_count()), 1);
  const std::size_t count = motion.times.size();
  const auto frames = rows_within(count, std::min(most_rows, most_poses / bodies)),
             rows = rows_within(count, most_rows);
  json["frames"] = frames_json(model, motion, frames);
  json["plot_times"] = base64_of(floats(at_rows(motion.times, rows)));
  if (frames.size() < count)
    scene.notes.push_back(
        fmt::format("the player has {} of {} rows and interpolates between them", frames.size(), count));
  if (rows.size() < count) scene.notes.push_back(fmt::format("plots have {} of {} rows", rows.size(), count));
  json["plots"] = plots_json(motion, rows, scene.notes);
  json["facts"] = Json::array();
  for (const auto& [name, value] : motion.facts) json["facts"].push_back({name, value});
  json["notes"] = scene.notes;
  return filled(player_html, {{"{{style}}", std::string(report_css) + std::string(player_css)},
                              {"{{scene}}", safe_in_script(json_text(json))},
                              {"{{chart}}", chart_js},
                              {"{{three}}", three_js},
                              {"{{player}}", player_js}});
}

}  // namespace kinetree::bench
