#include "bench/simulate/played.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bench/text_out.hpp"
#include "engine/io/drive_tables.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::bench {
namespace {

/// A curve for every number of a vector over the model's positions or velocities.
Plot plot_of(const Model& model, const std::vector<Sample>& samples, const char* title, const std::vector<int>& index,
             Eigen::VectorXd Sample::*vector) {
  Plot plot{.title = title, .curves = {}};
  for (int b = 0; b < model.body_count(); ++b)
    for (int k = index[at(b)]; k < index[at(b + 1)]; ++k) {
      Curve curve{std::string(model.joint_name(b)), {}};
      if (index[at(b + 1)] - index[at(b)] > 1) curve.name += fmt::format("[{}]", k - index[at(b)]);
      for (const Sample& s : samples) curve.values.push_back((s.*vector)[k]);
      plot.curves.push_back(std::move(curve));
    }
  return plot;
}

template <class Value>
Curve curve_of(const char* name, const std::vector<Sample>& samples, const Value& value) {
  Curve curve{name, {}};
  for (const Sample& s : samples) curve.values.push_back(value(s));
  return curve;
}

}  // namespace

PlayedMotion played(const Model& model, const std::vector<Sample>& samples, std::vector<Plot> more) {
  const ModelData& m = model.data();
  PlayedMotion motion;
  for (const Sample& s : samples) motion.times.push_back(s.time), motion.q.push_back(s.q);
  motion.plots.push_back({"Energy (J)",
                          {curve_of("kinetic", samples, [](const Sample& s) { return s.energy.kinetic; }),
                           curve_of("potential", samples, [](const Sample& s) { return s.energy.potential; }),
                           curve_of("total", samples, [](const Sample& s) { return s.energy.total(); })}});
  const double first = samples.front().energy.total();
  motion.plots.push_back(
      {"Change of energy since the start (J)",
       {curve_of("change of energy", samples, [&](const Sample& s) { return s.energy.total() - first; })}});
  if (!m.aggregates.empty())
    motion.plots.push_back({"Largest error of loops and couplings (m, rad)",
                            {curve_of("error", samples, [](const Sample& s) { return s.closure_error; })},
                            true});
  motion.plots.push_back(plot_of(model, samples, "Positions q (rad, m)", m.q_index, &Sample::q));
  motion.plots.push_back(plot_of(model, samples, "Velocities v (rad/s, m/s)", m.v_index, &Sample::v));
  if (samples.front().tau.size() > 0)
    motion.plots.push_back(plot_of(model, samples, "Joint forces tau (Nm, N)", m.v_index, &Sample::tau));
  for (Plot& plot : more) motion.plots.push_back(std::move(plot));
  motion.facts = {{"time", fmt::format("{:.6g} s", samples.back().time)}, {"rows", fmt::format("{}", samples.size())}};
  return motion;
}

std::string states_text(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                        const Eigen::VectorXd& tau, const std::vector<LinkForce>& forces,
                        const std::vector<DriveTable>& drives, double by) {
  nlohmann::ordered_json joints = nlohmann::ordered_json::array(), state;
  for (int b = 0; b < model.body_count(); ++b) joints.push_back(model.joint_name(b));
  state["q"] = std::vector<double>(q.begin(), q.end());
  state["v"] = std::vector<double>(v.begin(), v.end());
  if (tau.size() > 0 && !tau.isZero(0)) state["tau"] = std::vector<double>(tau.begin(), tau.end());
  for (const LinkForce& force : forces) state["f_ext"][model.frame_name(force.link)] = force.force;
  nlohmann::ordered_json file;
  file["joints"] = std::move(joints);
  file["states"] = nlohmann::ordered_json::array({std::move(state)});
  if (!drives.empty()) file["drives"] = drives_json(drives, model, by);
  return json_text(file, 1) + "\n";
}

}  // namespace kinetree::bench
