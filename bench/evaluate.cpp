// `kinetree evaluate`: kinematics, Jacobians, momentum, mass matrix, forces and energies of given states, as JSON.

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cstdio>
#include <kinetree/closing.hpp>
#include <kinetree/constraint_forces.hpp>
#include <kinetree/independent.hpp>
#include <kinetree/kinematics.hpp>
#include <kinetree/kinetree.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench/arguments.hpp"
#include "bench/subcommands.hpp"
#include "bench/text_out.hpp"
#include "bench/values.hpp"
#include "bench/vectors.hpp"
#include "engine/io/states.hpp"
#include "engine/model/known_names.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::bench {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Json = nlohmann::ordered_json;

struct EvaluateArguments {
  ModelArguments model;
  std::string states;
  std::vector<std::string> frames;  ///< links; empty: all
  Axes axes = Axes::link;
};

/// The links that are asked for: their indices. Throws InputError with every name that is none.
std::vector<int> links_of(const Model& model, const EvaluateArguments& a) {
  std::vector<int> links;
  std::vector<Finding> findings;
  NamesOf known{"link", {}};
  for (const Frame& frame : model.data().frames) known.names.push_back(frame.name);
  for (std::size_t k = 0; a.frames.empty() && k < known.names.size(); ++k) links.push_back(static_cast<int>(k));
  for (const std::string& name : a.frames) {
    const auto found = std::ranges::find(known.names, name);
    if (found != known.names.end())
      links.push_back(static_cast<int>(found - known.names.begin()));
    else
      findings.push_back({Severity::error, a.model.model, 0, "--frames",
                          fmt::format("\"{}\" {}", name, is_none_of(known, {"joint", model.data().joint_name}, name))});
  }
  if (!findings.empty()) throw InputError(findings);
  return links;
}

/// Numbers of one state, in the order in which the caller has the joints.
class Evaluation {
 public:
  Evaluation(const Model& model, const States& states, std::vector<int> links, Axes axes)
      : model_(model),
        workspace_(model),
        dynamics_(model),
        states_(states),
        links_(std::move(links)),
        axes_(axes),
        rows_(constraint_rows(model)) {
    const ModelData& m = model.data();
    for (const int i : states.bodies)
      for (int v = m.v_index[static_cast<std::size_t>(i)]; v < m.v_index[static_cast<std::size_t>(i) + 1]; ++v)
        order_.push_back(v);
  }

  /// Throws InputError where a state is not solved.
  Json of(int state, const std::string& file) {
    const auto k = static_cast<std::size_t>(state);
    const VectorXd q = to_vector(states_.q[k]), v = to_vector(states_.v[k]), tau = to_vector(states_.tau[k]);
    const VectorXd f = to_vector(states_.f_ext[k]);
    const Eigen::Index nv = model_.nv(), n = static_cast<Eigen::Index>(links_.size());
    const Eigen::Index independent = static_cast<Eigen::Index>(independent_velocities(model_).size());
    const auto expect = [&](const Status& status) { expect_ok(status, state, file); };
    Json json;
    VectorXd a(nv), bias(nv), gravity(nv), moving(12);
    expect(f.size() > 0 ? dynamics_.solve(q, v, tau, f, a) : dynamics_.solve(q, v, tau, a));
    MatrixXd H(independent, independent), J(6 * n, nv), A(6, nv), poses(12 * n, 1), velocity(6 * n, 1),
        acceleration(6 * n, 1), rate(6 * n, 1);
    expect(mass_matrix(model_, workspace_, q, H));
    expect(bias_forces(model_, workspace_, q, v, bias));
    expect(gravity_forces(model_, workspace_, q, gravity));
    expect(momentum(model_, workspace_, q, v, moving));
    expect(momentum_matrix(model_, workspace_, q, A));
    expect(point_kinematics(model_, workspace_, q, v, a, links_, axes_, poses, velocity, acceleration));
    expect(jacobians(model_, workspace_, q, links_, axes_, J));
    expect(jacobian_rates(model_, workspace_, q, v, links_, axes_, rate));
    Energy energies;
    expect(energy(model_, workspace_, q, v, energies));
    json["a"] = in_order(a);
    json["mass_matrix"] = independent == nv ? rows(in_order_both(H)) : rows(H);
    json["bias"] = in_order(bias);
    json["gravity_force"] = in_order(gravity);
    Json frames = Json::array();
    for (Eigen::Index l = 0; l < n; ++l) {
      const Eigen::Map<const Eigen::Matrix<double, 3, 4>> pose(poses.data() + 12 * l);
      Eigen::Quaterniond turn(Eigen::Matrix3d(pose.leftCols<3>()));
      if (turn.w() < 0) turn.coeffs() *= -1;
      frames.push_back(
          {{"link", model_.data().frames[static_cast<std::size_t>(links_[static_cast<std::size_t>(l)])].name},
           {"pose", {pose(0, 3), pose(1, 3), pose(2, 3), turn.x(), turn.y(), turn.z(), turn.w()}},
           {"velocity", list_of(velocity.col(0).segment(6 * l, 6))},
           {"acceleration", list_of(acceleration.col(0).segment(6 * l, 6))},
           {"jacobian", rows(in_order_columns(J.middleRows(6 * l, 6)))},
           {"jacobian_dot_v", list_of(rate.col(0).segment(6 * l, 6))}});
    }
    json["frames"] = std::move(frames);
    json["com"] = list_of(moving.segment(0, 3));
    json["com_velocity"] = list_of(moving.segment(3, 3));
    json["centroidal_momentum"] = list_of(moving.segment(6, 6));
    json["centroidal_momentum_matrix"] = rows(in_order_columns(A));
    json["kinetic_energy"] = energies.kinetic;
    json["potential_energy"] = energies.potential;
    add_holding_forces(json, expect, q, v, a, tau, f);
    if (!model_.data().aggregates.empty()) add_independent(json, expect, q, v, a, tau, f);
    return json;
  }

 private:
  void expect_ok(const Status& status, int state, const std::string& file) const {
    if (status.ok()) return;
    throw InputError({{Severity::error, file, 0, fmt::format("state {}", state), status.message(model_)}});
  }

  /// What loops, couplings and joints transmit, and how far open constraints are.
  template <class Expect>
  void add_holding_forces(Json& json, const Expect& expect, const VectorXd& q, const VectorXd& v, const VectorXd& a,
                          const VectorXd& tau, const VectorXd& f) {
    const ModelData& m = model_.data();
    VectorXd loops(12 * static_cast<Eigen::Index>(m.loops.size())),
        couplings(static_cast<Eigen::Index>(m.couplings.size())), joints(6 * model_.body_count());
    VectorXd errors(static_cast<Eigen::Index>(rows_.size())), rates(errors.size());
    expect(joint_reactions(model_, workspace_, q, v, a, tau, f, axes_, joints));
    Json list = Json::array();
    for (const int i : states_.bodies)
      list.push_back({{"joint", model_.joint_name(i)}, {"wrench", list_of(joints.segment(6 * i, 6))}});
    json["joint_reactions"] = std::move(list);
    if (m.aggregates.empty()) return;
    expect(loop_forces(model_, workspace_, q, v, a, tau, f, axes_, loops));
    expect(coupling_forces(model_, workspace_, q, v, a, tau, f, couplings));
    expect(constraint_errors(model_, workspace_, q, v, errors, rates));
    json["loop_forces"] = Json::array();
    for (std::size_t l = 0; l < m.loops.size(); ++l) {
      const auto first = 12 * static_cast<Eigen::Index>(l);
      json["loop_forces"].push_back({{"loop", m.loops[l].name},
                                     {"first", list_of(loops.segment(first, 6))},
                                     {"second", list_of(loops.segment(first + 6, 6))}});
    }
    json["coupling_forces"] = Json::array();
    for (std::size_t c = 0; c < m.couplings.size(); ++c)
      json["coupling_forces"].push_back(
          {{"coupling", m.couplings[c].name}, {"multiplier", couplings[static_cast<Eigen::Index>(c)]}});
    json["constraint_errors"] = Json::array();
    for (std::size_t r = 0; r < rows_.size(); ++r)
      json["constraint_errors"].push_back({{"constraint", rows_[r].constraint},
                                           {"row", rows_[r].what},
                                           {"error", errors[static_cast<Eigen::Index>(r)]},
                                           {"rate", rates[static_cast<Eigen::Index>(r)]}});
  }

  /// X_S, the part of a that velocities make, and forces in independent coordinates.
  template <class Expect>
  void add_independent(Json& json, const Expect& expect, const VectorXd& q, const VectorXd& v, const VectorXd& a,
                       const VectorXd& tau, const VectorXd& f) {
    const auto n = static_cast<Eigen::Index>(independent_velocities(model_).size());
    MatrixXd X(model_.nv(), n);
    VectorXd rate(model_.nv()), force(n), bias(n), gravity(n), asked(n);
    expect(spanning_matrix(model_, workspace_, q, X));
    expect(spanning_accelerations(model_, workspace_, q, v, VectorXd::Zero(n), rate));
    expect(independent_forces(model_, workspace_, q, tau, force));
    expect(independent_bias_forces(model_, workspace_, q, v, bias));
    expect(independent_gravity_forces(model_, workspace_, q, gravity));
    expect(f.size() > 0 ? independent_inverse_dynamics(model_, workspace_, q, v, a, f, asked)
                        : independent_inverse_dynamics(model_, workspace_, q, v, a, asked));
    json["spanning_matrix"] = rows(in_order_columns(X.transpose()).transpose());
    json["spanning_matrix_rate_v"] = in_order(rate);
    json["independent_force"] = list_of(force);
    json["independent_inverse_dynamics"] = list_of(asked);
    json["independent_bias"] = list_of(bias);
    json["independent_gravity_force"] = list_of(gravity);
  }

  template <class V>
  static Json list_of(const V& x) {
    Json json = Json::array();
    for (Eigen::Index i = 0; i < x.size(); ++i) json.push_back(x[i]);
    return json;
  }
  static Json rows(const MatrixXd& x) {
    Json json = Json::array();
    for (Eigen::Index r = 0; r < x.rows(); ++r) json.push_back(list_of(x.row(r)));
    return json;
  }
  MatrixXd in_order_columns(const MatrixXd& x) const {
    MatrixXd y(x.rows(), x.cols());
    for (std::size_t c = 0; c < order_.size(); ++c) y.col(static_cast<Eigen::Index>(c)) = x.col(order_[c]);
    return y;
  }
  MatrixXd in_order_both(const MatrixXd& x) const { return in_order_columns(in_order_columns(x).transpose()); }
  Json in_order(const VectorXd& x) const { return list_of(VectorXd(in_order_columns(x.transpose()).transpose())); }

  const Model& model_;
  Workspace workspace_;
  ForwardDynamics dynamics_;
  const States& states_;
  std::vector<int> links_, order_;
  Axes axes_;
  std::vector<ConstraintRow> rows_;
};

int evaluate(const EvaluateArguments& arguments) {
  const Model model = arguments.model.read();
  const std::vector<int> links = links_of(model, arguments);
  const States states = read_states(arguments.states, model);
  for (const Finding& finding : states.findings) fmt::print(stderr, "{}\n", to_string(finding));
  const ModelData& m = model.data();
  double mass = 0;
  for (const Link<double>& link : m.link) mass += link.I.mass;
  Json json{
      {"joints", states.joints}, {"nq", model.nq()}, {"nv", model.nv()}, {"gravity", m.gravity}, {"moving_mass", mass}};
  if (!m.aggregates.empty()) json["independent_joints"] = independent_joints(model);
  Evaluation evaluation(model, states, links, arguments.axes);
  json["states"] = Json::array();
  for (int s = 0; s < states.count(); ++s) json["states"].push_back(evaluation.of(s, arguments.states));
  fmt::print("{}\n", json_text(json, 1));
  return done;
}

}  // namespace

void add_evaluate(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand(
      "evaluate", "Poses, velocities, accelerations and Jacobians of links, momentum, mass matrix, forces, energies");
  const auto a = std::make_shared<EvaluateArguments>();
  a->model.add_to(*sub);
  sub->add_option("--states", a->states, "JSON, as solve reads it")->required();
  const auto frames = [a](const std::vector<std::string>& names) { a->frames = names; };
  add_list(*sub, "--frames", frames, "Links, separated by commas; without it all links")->type_name("LINK,...");
  const auto axes = [a](const std::string& word) {
    a->axes = word == "world" ? Axes::world : word == "world-aligned" ? Axes::world_aligned : Axes::link;
  };
  takes_one_of(sub->add_option_function<std::string>("--axes", axes, "Of velocities, accelerations and Jacobians"),
               {"link", "world", "world-aligned"})
      ->default_str("link");
  sub->callback([a, &action] { action = [a] { return evaluate(*a); }; });
}

}  // namespace kinetree::bench
