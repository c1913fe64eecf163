#include "bench/peers/contenders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <kinetree/forward_dynamics.hpp>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "bench/peers/peer.hpp"
#include "bench/sweep/context.hpp"
#include "engine/algorithm/lanes/instruction_set.hpp"
#include "engine/scalar/worst.hpp"
#include "library/option_words.hpp"

namespace kinetree::peers {

std::vector<PeerKind>& peer_kinds() {
  static std::vector<PeerKind> kinds;
  return kinds;
}

void Contender::solve_all() {
  for (Eigen::Index first = 0; first < states; first += per_call) solver->solve(first);
}

namespace {

using bench::StateSet;

/// How far kinetree in float may be from kinetree in double: angles alone lose 1e-7 on their way to float, and light
/// tips of a chain turn that into more.
constexpr double float_tolerance = 1e-4;
/// The same kernels in lanes or as tasks differ by rounding alone; an ill-conditioned state may magnify it.
constexpr double double_tolerance = 1e-9;

/// kinetree in one scalar, `per_call` states in a call.
template <class S>
class Kinetree : public Solver {
  using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;

 public:
  Kinetree(const Model& model, const Options& options, const StateSet& states, Eigen::Index count,
           Eigen::Index per_call)
      : dynamics_(model, options),
        q_(states.q.leftCols(count).cast<S>()),
        v_(states.v.leftCols(count).cast<S>()),
        tau_(states.tau.leftCols(count).cast<S>()),
        a_(Matrix::Zero(v_.rows(), count)),
        per_call_(per_call) {}

  const Plan& plan() const { return dynamics_.plan(); }

  void solve(Eigen::Index first) override {
    const Status status = dynamics_.solve_columns(columns<const S>(q_, first), columns<const S>(v_, first),
                                                  columns<const S>(tau_, first), {}, columns<S>(a_, first));
    if (!status) throw std::runtime_error(status.message(dynamics_.model()));
  }

  Eigen::MatrixXd accelerations() const override { return a_.template cast<double>(); }

 private:
  template <class T, class M>
  Columns<T> columns(M& matrix, Eigen::Index first) const {
    return {matrix.col(first).data(), matrix.rows(), per_call_, matrix.rows()};
  }

  ForwardDynamics dynamics_;
  const Matrix q_, v_, tau_;
  Matrix a_;
  Eigen::Index per_call_;
};

/// A peer, one state at a time.
class OneByOne : public Solver {
 public:
  OneByOne(std::unique_ptr<Peer> peer, const StateSet& states, Eigen::Index count)
      : peer_(std::move(peer)), states_(&states), a_(Eigen::MatrixXd::Zero(states.v.rows(), count)) {}

  void solve(Eigen::Index first) override {
    peer_->solve(states_->q.col(first).data(), states_->v.col(first).data(), states_->tau.col(first).data(),
                 a_.col(first).data());
  }

  Eigen::MatrixXd accelerations() const override { return a_; }

 private:
  std::unique_ptr<Peer> peer_;
  const StateSet* states_;
  Eigen::MatrixXd a_;
};

/// Largest difference of a state's accelerations, relative to the largest of them. NaN where there is one.
double difference_of(const Eigen::MatrixXd& a, const Eigen::MatrixXd& reference) {
  double most = 0;
  for (Eigen::Index k = 0; k < a.cols(); ++k)
    keep_worst(most, largest_of(a.col(k) - reference.col(k)) / largest_of(reference.col(k)));
  return most;
}

class Gathering {
 public:
  Gathering(const Case& test, const StateSet& states, Counts counts) : test_(test), states_(states), counts_(counts) {}

  std::vector<Contender> run(const std::vector<std::string>& libraries) {
    const Options serial{.algorithm = Algorithm::ab, .executor = ExecutorKind::serial};
    {  // of all states, before anybody is compared
      Kinetree<double> one(test_.model, serial, states_, states_.count(), 1);
      for (Eigen::Index k = 0; k < states_.count(); ++k) one.solve(k);
      reference_ = one.accelerations();
    }
    add_own<double>(own_name, serial, 1);
    all_.back().tolerance = 0;
    const Options every_core{.algorithm = Algorithm::automatic, .threads = 0};
    add_own<double>("kinetree automatic", every_core, 1);
    const Options lanes{.algorithm = Algorithm::ab, .executor = ExecutorKind::serial, .lanes = 0};
    add_own<double>("kinetree batch", lanes, counts_.per_call);
    add_own<float>("kinetree batch, float", lanes, counts_.per_call);
    add_own<double>("kinetree batch, parallel", every_core, counts_.per_call);
    std::vector<PeerKind> kinds = peer_kinds();
    std::sort(kinds.begin(), kinds.end(), [](const PeerKind& x, const PeerKind& y) { return x.name < y.name; });
    for (const PeerKind& kind : kinds)
      if (libraries.empty() || std::find(libraries.begin(), libraries.end(), kind.name) != libraries.end())
        add_peer(kind);
    return std::move(all_);
  }

 private:
  /// `per_call`: 1, or many.
  template <class S>
  void add_own(const std::string& name, const Options& options, Eigen::Index per_call) {
    constexpr bool single = std::is_same_v<S, float>;
    Contender& contender = all_.emplace_back();
    contender.name = name;
    contender.version = own_version_;
    contender.scalar = single ? "float" : "double";
    contender.per_call = per_call;
    contender.states = per_call > 1 ? per_call : counts_.cycled;
    contender.tolerance = single ? float_tolerance : double_tolerance;
    auto solver = std::make_unique<Kinetree<S>>(test_.model, options, states_, contender.states, per_call);
    tell_plan(contender, solver->plan());
    contender.solver = std::move(solver);
    check(contender);
  }

  /// What the planner made of the options, for a call of this size.
  static void tell_plan(Contender& contender, const Plan& plan) {
    const bool batch = contender.per_call > 1;
    const Algorithm algorithm = batch ? plan.batch_algorithm : plan.algorithm;
    contender.path = fmt::format("ForwardDynamics::solve, {}", to_word(algorithm));
    if (algorithm == Algorithm::modular) contender.path += fmt::format(", grain {}", plan.grain);
    if (!batch && plan.limbs > 1) contender.path += fmt::format(", {} limbs side by side", plan.limbs);
    if (!batch && plan.end_chains > 1)
      contender.path += fmt::format(", {} modules of end chains side by side", plan.end_chains);
    contender.threads = plan.one_threads;
    if (batch) {
      const int lanes = plan.lanes * (contender.scalar == "float" && plan.lanes > 1 ? 2 : 1);
      const Eigen::Index packs = (contender.per_call + lanes - 1) / lanes;
      contender.threads = packs < plan.batch_from ? 1 : plan.batch_threads;
      contender.path += fmt::format(", {} states a call, {} lanes", contender.per_call, lanes);
    }
    contender.path += fmt::format(", {}", name_of(instruction_set()));
  }

  void add_peer(const PeerKind& kind) {
    Contender& contender = all_.emplace_back();
    contender.name = kind.name;
    contender.version = kind.version;
    contender.package = kind.package;
    contender.path = kind.path;
    contender.tolerance = kind.tolerance;
    contender.states = counts_.cycled;
    try {
      contender.solver = std::make_unique<OneByOne>(kind.make(test_.mechanism), states_, counts_.cycled);
    } catch (const std::exception& error) {
      contender.refusal = error.what();
      return;
    }
    check(contender);
  }

  void check(Contender& contender) const {
    try {
      contender.solve_all();
    } catch (const std::exception& error) {
      contender.refusal = error.what();
      return;
    }
    contender.difference = difference_of(contender.solver->accelerations(), reference_.leftCols(contender.states));
    if (!(contender.difference <= contender.tolerance))
      contender.refusal =
          fmt::format("its accelerations differ by {:.1e}, allowed {:.0e}", contender.difference, contender.tolerance);
  }

  const Case& test_;
  const StateSet& states_;
  Counts counts_;
  const std::string own_version_ = bench::measurement_context(bench::load_average())["kinetree"].get<std::string>();
  Eigen::MatrixXd reference_;
  std::vector<Contender> all_;
};

}  // namespace

std::vector<Contender> contenders(const Case& test, const StateSet& states, Counts counts,
                                  const std::vector<std::string>& libraries) {
  return Gathering(test, states, counts).run(libraries);
}

}  // namespace kinetree::peers
