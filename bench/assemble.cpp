// `kinetree assemble`: closed states, some joints held where they are told to stand, as a file of states.

#include "bench/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <kinetree/closing.hpp>
#include <kinetree/configuration.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench/arguments.hpp"
#include "bench/joint_words.hpp"
#include "bench/text_out.hpp"
#include "bench/values.hpp"
#include "bench/vectors.hpp"
#include "engine/io/states.hpp"
#include "engine/joint/advance.hpp"
#include "engine/model/known_names.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::bench {
namespace {

using Eigen::VectorXd;
using Json = nlohmann::ordered_json;

struct AssembleArguments {
  ModelArguments model;
  std::vector<JointPositions> hold;
  std::string states;
  int modes = 0;
};

/// What is held: entries of v. Puts the positions that are told into q.
class Holds {
 public:
  /// Throws InputError with every name that is no joint, and with every number of positions that is wrong.
  Holds(const Model& model, const AssembleArguments& a) : model_(model), hold_(a.hold) {
    std::vector<Finding> findings;
    const auto say = [&](const std::string& message) {
      findings.push_back({Severity::error, a.model.model, 0, "--hold", message});
    };
    NamesOf links{"link", {}};
    for (const Frame& frame : model.data().frames) links.names.push_back(frame.name);
    for (const JointPositions& one : hold_) {
      const auto& joints = model.data().joint_name;
      const auto found = std::ranges::find(joints, one.joint);
      if (found == joints.end()) {
        say(fmt::format("\"{}\" {}", one.joint, is_none_of({"joint", joints}, links, one.joint)));
        continue;
      }
      const int body = static_cast<int>(found - joints.begin()), count = position_count(model.joint_type(body));
      if (!one.positions.empty() && one.positions.size() != static_cast<std::size_t>(count))
        say(fmt::format("joint \"{}\" has {} positions and is given {}", one.joint, count, one.positions.size()));
      for (int k = 0; k < velocity_count(model.joint_type(body)); ++k) entries_.push_back(model.v_index(body) + k);
    }
    if (!findings.empty()) throw InputError(findings);
    std::ranges::sort(entries_);
    if (hold_.empty()) entries_ = independent_velocities(model);
  }

  const std::vector<int>& entries() const { return entries_; }
  void put(VectorXd& q) const {
    for (const JointPositions& one : hold_)
      for (std::size_t k = 0; k < one.positions.size(); ++k)
        q[model_.q_index(one.joint) + static_cast<Eigen::Index>(k)] = one.positions[k];
  }
  /// Tied joints that are held, and how many must be for the others to be determined.
  int held_freedoms() const {
    return static_cast<int>(std::ranges::count_if(
        entries_, [&](int v) { return aggregate_of(model_.data(), model_.body_of_velocity(v)) >= 0; }));
  }
  static int freedoms(const Model& model) {
    int count = 0;
    for (const Aggregate& a : model.data().aggregates) count += a.freedoms;
    return count;
  }

 private:
  const Model& model_;
  std::vector<JointPositions> hold_;
  std::vector<int> entries_;
};

/// A vector in the order in which the file has the joints.
Json in_order(const Model& model, const std::vector<int>& bodies, const VectorXd& x, bool positions) {
  Json list = Json::array();
  for (const int i : bodies) {
    const int first = positions ? model.q_index(i) : model.v_index(i);
    const int count = positions ? position_count(model.joint_type(i)) : velocity_count(model.joint_type(i));
    for (int k = 0; k < count; ++k) list.push_back(x[first + k]);
  }
  return list;
}

std::string names_of(const Model& model, std::span<const int> entries) {
  std::string names;
  int last = -1;
  for (const int v : entries)
    if (const int body = model.body_of_velocity(v); body != last)
      names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", model.joint_name(last = body));
  return names;
}

int assemble(const AssembleArguments& a) {
  const Model model = a.model.read();
  const Holds holds(model, a);
  States states;
  if (!a.states.empty()) {
    states = read_states(a.states, model);
    for (const Finding& finding : states.findings) fmt::print(stderr, "{}\n", to_string(finding));
  } else {
    const VectorXd q = neutral(model);
    for (int i = 0; i < model.body_count(); ++i)
      states.joints.emplace_back(model.joint_name(i)), states.bodies.push_back(i);
    states.q.emplace_back(q.begin(), q.end());
    states.v.emplace_back(model.nv(), 0.0), states.tau.emplace_back(model.nv(), 0.0);
  }
  if (a.modes > 0 && holds.held_freedoms() < Holds::freedoms(model))
    throw UsageError(fmt::format("--modes: {} of the tied joints' velocities are held and {} are free; hold as many as "
                                 "there are freedoms, or every start finds another configuration",
                                 holds.held_freedoms(), Holds::freedoms(model)));
  Workspace workspace(model);
  Json list = Json::array();
  bool all_closed = true;
  for (int s = 0; s < states.count() && (a.modes == 0 || s == 0); ++s) {
    const auto k = static_cast<std::size_t>(s);
    VectorXd q = to_vector(states.q[k]), v = to_vector(states.v[k]);
    const VectorXd tau = to_vector(states.tau[k]);
    holds.put(q);
    const auto add = [&](const VectorXd& at, const VectorXd& rate) {
      list.push_back({{"q", in_order(model, states.bodies, at, true)},
                      {"v", in_order(model, states.bodies, rate, false)},
                      {"tau", in_order(model, states.bodies, tau, false)}});
    };
    if (a.modes > 0) {
      const Eigen::MatrixXd modes = assembly_modes(model, q, holds.entries(), a.modes);
      for (Eigen::Index c = 0; c < modes.cols(); ++c) add(modes.col(c), VectorXd::Zero(model.nv()));
      all_closed = modes.cols() > 0;
      fmt::print(stderr, "{} assembly mode{} found from 2000 starts\n", modes.cols(), modes.cols() == 1 ? "" : "s");
      continue;
    }
    const Status status = close(model, workspace, q, v, holds.entries());
    if (status.ok()) {
      add(q, v);
      continue;
    }
    all_closed = false;
    const std::string names = names_of(model, contradicting(workspace));
    fmt::print(stderr, "{}: state {}: {}{}\n", a.states.empty() ? model.name() : a.states, s, status.message(model),
               names.empty() ? "" : "; held together they contradict: " + names);
  }
  if (all_closed || !list.empty())
    fmt::print("{}\n", json_text({{"joints", states.joints}, {"states", list}}, 1));
  return all_closed ? done : state_failed;
}

}  // namespace

void add_assemble(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("assemble", "Closed states, with joints held where they are told to stand");
  const auto a = std::make_shared<AssembleArguments>();
  a->model.add_to(*sub);
  add_list(*sub, "--hold",
           [a](const std::vector<std::string>& texts) {
             for (const std::string& text : texts) a->hold.push_back(joint_positions_from(text, "--hold"));
           },
           "Joints that keep their position, or take the one that = gives, and keep their velocity; the others follow. "
           "Without it the independent ones")
      ->type_name("NAME[=POSITION],...");
  sub->add_option("--states", a->states,
                  "States to close; without, one at rest where the model is `assembled`, or at zero");
  add_whole(*sub, "--modes", a->modes, 1, 1000,
            "Other assembly modes too, at most so many altogether, from the first state")
      ->default_str("");
  sub->callback([a, &action] { action = [a] { return assemble(*a); }; });
}

}  // namespace kinetree::bench
