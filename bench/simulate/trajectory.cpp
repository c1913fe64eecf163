#include "bench/simulate/trajectory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "bench/show/colours.hpp"
#include "bench/show/svg.hpp"
#include "bench/text_out.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::bench {
namespace {

std::string column(const char* kind, const Model& model, int body, int k, int count) {
  const std::string joint(model.joint_name(body));
  return count == 1 ? fmt::format("{}:{}", kind, joint) : fmt::format("{}:{}[{}]", kind, joint, k);
}

/// One curve over time in a frame of its own.
struct Panel {
  double top, height;
  std::string title;
  std::vector<double> values;
  bool logarithmic = false;
};

constexpr double left = 90, width = 720;

/// About five round numbers that span [low, high].
std::vector<double> ticks(double low, double high) {
  const double raw = (high - low) / 5, power = std::pow(10, std::floor(std::log10(raw)));
  double step = power;
  for (const double factor : {1.0, 2.0, 5.0, 10.0})
    if (factor * power >= raw) {
      step = factor * power;
      break;
    }
  std::vector<double> list;
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k)
    list.push_back(k * step + 0.0);  // no minus zero
  return list;
}

void draw(Svg& svg, const Panel& panel, const std::vector<double>& time) {
  // zeros have no logarithm: they are drawn at the floor, which is said on the axis
  const double floor = 1e-17;
  const auto scaled = [&](double x) { return panel.logarithmic ? std::log10(std::max(std::abs(x), floor)) : x; };
  double low = INFINITY, high = -INFINITY;
  for (const double x : panel.values) low = std::min(low, scaled(x)), high = std::max(high, scaled(x));
  if (panel.logarithmic) low = std::floor(low), high = std::max(std::ceil(high), low + 1);
  if (!(high - low > 1e-300))
    low -= 0.5 * std::max(1e-12, std::abs(low)), high += 0.5 * std::max(1e-12, std::abs(high));
  const double end = time.back();
  const auto x = [&](double t) { return left + width * t / end; };
  const auto y = [&](double value) { return panel.top + panel.height * (high - value) / (high - low); };
  svg.text(left, panel.top - 14, panel.title, 13, Anchor::start, "font-weight=\"600\"");
  svg.rectangle(left, panel.top, width, panel.height, "fill=\"none\" stroke=\"#999\"");
  if (!(time.back() > time.front())) {  // an axis without a length shows nothing
    svg.text(left + width / 2, panel.top + panel.height / 2,
             fmt::format("nothing to draw: it stopped where it began, at {:.4g} s", time.back()), 13, Anchor::middle);
    return;
  }
  for (const double t : ticks(0, end)) {
    svg.line(x(t), panel.top, x(t), panel.top + panel.height, fmt::format("stroke=\"{}\"", faint));
    svg.text(x(t), panel.top + panel.height + 12, fmt::format("{:.4g}", t), 11, Anchor::middle);
  }
  for (const double value : ticks(low, high)) {
    if (panel.logarithmic && value != std::round(value)) continue;
    svg.line(left, y(value), left + width, y(value), fmt::format("stroke=\"{}\"", faint));
    svg.text(left - 6, y(value), panel.logarithmic ? fmt::format("1e{:.0f}", value) : fmt::format("{:.3g}", value), 11,
             Anchor::end);
  }
  std::string path;
  for (std::size_t k = 0; k < time.size(); ++k)
    path += fmt::format("{}{} {}", k == 0 ? "M" : "L", pixels(x(time[k])), pixels(y(scaled(panel.values[k]))));
  svg.path(path, fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"", palette[0].outline));
  svg.text(left + width, panel.top + panel.height + 28, "time (s)", 11, Anchor::end);
}

}  // namespace

std::string held_words(const Model& model, const Eigen::VectorXd& pose, double rate) {
  const ModelData& m = model.data();
  std::string text = fmt::format("held by computed torques, rate {} rad/s, at", rate);
  for (int b = 0; b < model.body_count(); ++b) {
    const int first = m.q_index[at(b)], count = m.q_index[at(b + 1)] - first;
    for (int k = 0; k < count; ++k) {
      std::string name = column("q", model, b, k, count);
      // a comment has no quotes: here a comma in a name would begin a cell, a line's end a line
      std::ranges::replace_if(
          name, [](char c) { return c == '\n' || c == '\r' || c == ','; }, ' ');
      text += fmt::format(" {}={}", name, pose[first + k]);
    }
  }
  return text;
}

std::string csv_line(const Sample& s) {
  std::string text = fmt::format("{:.17g}", s.time);
  for (const double x : s.q) text += fmt::format(",{:.17g}", x);
  for (const double x : s.v) text += fmt::format(",{:.17g}", x);
  for (const double x : s.tau) text += fmt::format(",{:.17g}", x);
  text += fmt::format(",{:.17g},{:.17g},{:.17g},{:.17g}", s.energy.kinetic, s.energy.potential, s.energy.total(),
                      s.closure_error);
  for (const double x : s.holding) text += fmt::format(",{:.17g}", x);
  return text + "\n";
}

std::string to_csv(const Model& model, const std::vector<Sample>& samples, const std::string& comment,
                   const std::vector<std::string>& holding) {
  const ModelData& m = model.data();
  std::string text = comment.empty() ? "" : "# " + comment + "\n";
  text += "time";
  for (int b = 0; b < model.body_count(); ++b) {
    const int first = m.q_index[at(b)], count = m.q_index[at(b + 1)] - first;
    for (int k = 0; k < count; ++k) text += "," + csv_cell(column("q", model, b, k, count));
  }
  const bool forces = !samples.empty() && samples.front().tau.size() > 0;
  for (const char* kind : {"v", "tau"})
    for (int b = 0; b < model.body_count() && (*kind == 'v' || forces); ++b) {
      const int count = m.v_index[at(b + 1)] - m.v_index[at(b)];
      for (int k = 0; k < count; ++k) text += "," + csv_cell(column(kind, model, b, k, count));
    }
  text += ",kinetic,potential,energy,constraint_residual";
  for (const std::string& name : holding) text += "," + csv_cell(name);
  text += "\n";
  for (const Sample& s : samples) text += csv_line(s);
  return text;
}

std::string to_svg(const Model& model, const std::vector<Sample>& samples) {
  std::vector<double> time, energy, error;
  for (const Sample& s : samples) {
    time.push_back(s.time);
    energy.push_back(s.energy.total() - samples.front().energy.total());
    error.push_back(s.closure_error);
  }
  Svg svg;
  const bool closed = !model.data().aggregates.empty();
  draw(svg, {60, 200, "Change of energy since the start (J)", energy, false}, time);
  if (closed) draw(svg, {340, 200, "Largest error of loops and couplings (m, rad)", error, true}, time);
  svg.text(left, 24, fmt::format("{}: energy{} over time", shortened(model.name(), 60), closed ? " and residual" : ""),
           15, Anchor::start, "font-weight=\"600\"");
  return svg.document(left + width + 40, closed ? 590 : 310, model.name() + ": energy over time");
}

}  // namespace kinetree::bench
