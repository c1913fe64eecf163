#include "bench/peers/own.hpp"

#include <fmt/format.h>

#include <kinetree/forward_dynamics.hpp>
#include <kinetree/kinematics.hpp>
#include <kinetree/workspace.hpp>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "bench/sweep/context.hpp"
#include "engine/algorithm/lanes/instruction_set.hpp"
#include "library/option_words.hpp"
#include "library/workspace_space.hpp"

namespace kinetree::peers {
namespace {

using bench::StateSet;
using Eigen::Index;

/// How far kinetree in float may be from kinetree in double: angles alone lose 1e-7 on their way to float, and light
/// tips of a chain turn that into more.
constexpr double float_tolerance = 1e-4;
/// The same kernels in lanes or as tasks differ by rounding alone; an ill-conditioned state may magnify it.
constexpr double double_tolerance = 1e-9;

/// kinetree in one scalar, `per_call` states in a call.
template <class S>
class Own : public Solver {
 public:
  using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;

  Own(Model model, const StateSet& states, Index per_call)
      : model_(std::move(model)),
        q_(states.q.cast<S>()),
        v_(states.v.cast<S>()),
        given_(states.tau.cast<S>()),
        per_call_(per_call) {}

 protected:
  auto part(const Matrix& all, Index first) const { return all.middleCols(first, per_call_); }
  void expect(const Status& status) const {
    if (!status) throw std::runtime_error(status.message(model_));
  }

  Model model_;
  const Matrix q_, v_, given_;
  Index per_call_;
};

template <class S>
class OwnForwardDynamics : public Own<S> {
 public:
  OwnForwardDynamics(const Model& model, const Options& options, const StateSet& states, Index per_call)
      : Own<S>(model, states, per_call), dynamics_(model, options), a_(model.nv(), per_call) {}

  const Plan& plan() const { return dynamics_.plan(); }

  void solve(Index first) override {
    this->expect(
        dynamics_.solve(this->part(this->q_, first), this->part(this->v_, first), this->part(this->given_, first), a_));
  }

  Eigen::MatrixXd results() override { return a_.template cast<double>(); }

 private:
  ForwardDynamics dynamics_;
  typename Own<S>::Matrix a_;
};

/// The functions that take a Workspace.
template <class S>
class OwnFunction : public Own<S> {
 public:
  OwnFunction(const Case& test, Function function, const WorkspaceOptions& options, const StateSet& states,
              Index per_call)
      : Own<S>(test.model, states, per_call), function_(function), workspace_(test.model, options) {
    for (const Body& body : test.mechanism.bodies) links_.push_back(frame_index(test.model, body.name));
    const Index links = static_cast<Index>(links_.size()), nv = test.model.nv();
    if (function == Function::kinematics) {
      result_.resize(12 * links, per_call);
      velocities_.resize(6 * links, per_call);
    } else if (function == Function::jacobians) {
      result_.resize(6 * links, nv * per_call);
    } else {
      result_.resize(nv, (function == Function::mass_matrix ? nv : 1) * per_call);
    }
  }

  const BatchOptions& batch() { return workspace_.space().options; }

  void solve(Index first) override { this->expect(call(first)); }

  Eigen::MatrixXd results() override {
    const Index rows = result_.size() / this->per_call_;
    Eigen::MatrixXd all(rows + velocities_.rows(), this->per_call_);
    all.topRows(rows) = Eigen::Map<const Matrix>(result_.data(), rows, this->per_call_).template cast<double>();
    if (velocities_.size() > 0) all.bottomRows(velocities_.rows()) = velocities_.template cast<double>();
    return all;
  }

 private:
  using Matrix = typename Own<S>::Matrix;

  Status call(Index first) {
    const auto q = this->part(this->q_, first), v = this->part(this->v_, first), a = this->part(this->given_, first);
    switch (function_) {
      case Function::inverse_dynamics:
        return inverse_dynamics(this->model_, workspace_, q, v, a, result_);
      case Function::mass_matrix:
        return mass_matrix(this->model_, workspace_, q, result_);
      case Function::kinematics:
        return point_kinematics(this->model_, workspace_, q, v, links_, Axes::world_aligned, result_, velocities_);
      case Function::jacobians:
        return kinetree::jacobians(this->model_, workspace_, q, links_, Axes::world_aligned, result_);
      case Function::forward_dynamics:
        break;
    }
    throw std::logic_error("forward dynamics takes no Workspace");
  }

  Function function_;
  Workspace workspace_;
  std::vector<int> links_;
  Matrix result_, velocities_;
};

const char* called(Function function) {
  switch (function) {
    case Function::forward_dynamics:
      return "ForwardDynamics::solve";
    case Function::inverse_dynamics:
      return "inverse_dynamics";
    case Function::mass_matrix:
      return "mass_matrix";
    case Function::kinematics:
      return "point_kinematics, poses and velocities";
    case Function::jacobians:
      return "jacobians";
  }
  return "";
}

class OwnContenders {
 public:
  OwnContenders(const Case& test, const StateSet& states, Function function, Counts counts)
      : test_(test), states_(states), function_(function), counts_(counts) {}

  std::vector<Contender> run() {
    if (function_ == Function::forward_dynamics)
      add_forward_dynamics();
    else
      add_function();
    all_.front().tolerance = 0;
    return std::move(all_);
  }

 private:
  void add_forward_dynamics() {
    const Options serial{.algorithm = Algorithm::ab, .executor = ExecutorKind::serial};
    const Options every_core{.algorithm = Algorithm::automatic, .threads = 0};
    const Options lanes{.algorithm = Algorithm::ab, .executor = ExecutorKind::serial, .lanes = 0};
    add_plan<double>("kinetree ab", serial, 1);
    add_plan<double>("kinetree automatic", every_core, 1);
    add_plan<double>("kinetree batch", lanes, counts_.per_call);
    add_plan<float>("kinetree batch, float", lanes, counts_.per_call);
    add_plan<double>("kinetree batch, parallel", every_core, counts_.per_call);
  }

  void add_function() {
    add_call<double>("kinetree", {}, 1);
    add_call<double>("kinetree batch", {}, counts_.per_call);
    add_call<float>("kinetree batch, float", {}, counts_.per_call);
    add_call<double>("kinetree batch, parallel", {.threads = 0}, counts_.per_call);
  }

  template <class S>
  void add_plan(const std::string& name, const Options& options, Index per_call) {
    auto solver = std::make_unique<OwnForwardDynamics<S>>(test_.model, options, states_, per_call);
    const Plan& plan = solver->plan();
    const bool batch = per_call > 1;
    const Algorithm algorithm = batch ? plan.batch_algorithm : plan.algorithm;
    std::string how = fmt::format(", {}", to_word(algorithm));
    if (algorithm == Algorithm::modular || (!batch && plan.grain > 0)) how += fmt::format(", grain {}", plan.grain);
    if (!batch && plan.limbs > 1) how += fmt::format(", {} limbs side by side", plan.limbs);
    if (!batch && plan.end_chains > 1) how += fmt::format(", {} modules of end chains side by side", plan.end_chains);
    Contender& contender = add<S>(name, how, per_call, plan.lanes, plan.batch_threads, plan.batch_from);
    if (!batch) contender.threads = plan.one_threads;
    contender.solver = std::move(solver);
  }

  template <class S>
  void add_call(const std::string& name, const WorkspaceOptions& options, Index per_call) {
    auto solver = std::make_unique<OwnFunction<S>>(test_, function_, options, states_, per_call);
    const BatchOptions& batch = solver->batch();
    add<S>(name, "", per_call, batch.lanes, batch.threads, batch.from).solver = std::move(solver);
  }

  /// `per_call`: 1, or many; then in packs of `lanes` doubles, on `threads` from `from` packs on.
  template <class S>
  Contender& add(const std::string& name, const std::string& how, Index per_call, int lanes, int threads, int from) {
    constexpr bool single = std::is_same_v<S, float>;
    Contender& contender = all_.emplace_back();
    contender.name = name;
    contender.version = version_;
    contender.scalar = single ? "float" : "double";
    contender.per_call = per_call;
    contender.states = per_call > 1 ? per_call : counts_.cycled;
    contender.tolerance = single ? float_tolerance : double_tolerance;
    contender.path = called(function_) + how;
    if (per_call > 1) {
      const int width = lanes * (single && lanes > 1 ? 2 : 1);
      contender.threads = (per_call + width - 1) / width < from ? 1 : threads;
      contender.path += fmt::format(", {} states a call, {} lanes", per_call, width);
    }
    contender.path += fmt::format(", {}", name_of(instruction_set()));
    return contender;
  }

  const Case& test_;
  const StateSet& states_;
  Function function_;
  Counts counts_;
  const std::string version_ = bench::measurement_context(bench::load_average())["kinetree"].get<std::string>();
  std::vector<Contender> all_;
};

}  // namespace

std::vector<Contender> own_contenders(const Case& test, const StateSet& states, Function function, Counts counts) {
  return OwnContenders(test, states, function, counts).run();
}

}  // namespace kinetree::peers
