// Objects over ranks: what a call gives depends on no call before it, but for columns in motion on those since they
// were reset. All ranks make the same calls, and shorten a sequence that shows a difference on one of them together.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <kinetree/mpi/ensemble.hpp>
#include <kinetree/mpi/forward_dynamics.hpp>
#include <kinetree/mpi/rollouts.hpp>
#include <limits>
#include <memory>

#include "calls/framed.hpp"
#include "calls/sequences.hpp"
#include "calls/states.hpp"
#include "mpi/states.hpp"
#include "oracle/plans.hpp"

namespace kinetree::oracle {
namespace {

/// What the subjects below share.
struct OverRanks {
  OverRanks(std::uint64_t seed, const std::vector<std::string>& families)
      : random(seed), model(model_of(any_of(random, families))), states(model, random.next()) {}

  static bool anywhere(bool here) {
    int one = here, any = 0;
    MPI_Allreduce(&one, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return any != 0;
  }
  /// Column c of an ensemble has state c + from.
  template <class S>
  Framed<S> framed(const Eigen::MatrixXd& all, int first, int count, int from) const {
    Framed<S> to(all.rows(), count, 2);
    for (int c = 0; c < count; ++c)
      for (Eigen::Index k = 0; k < all.rows(); ++k)
        to.column(c)[k] = static_cast<S>(all(k, (first + c + from) % SomeStates::count));
    return to;
  }

  Random random;
  const Model& model;
  SomeStates states;
};

template <class S>
void show(Outcome& outcome, const char* name, const Framed<S>& x) {
  outcome.show(name, x.numbers().data(), static_cast<std::ptrdiff_t>(x.numbers().size()));
}

/// An argument that one rank may give too long.
template <class S>
Columns<const S> given(const Framed<S>& x, bool too_long) {
  Columns<const S> columns = x.in();
  columns.rows += too_long;
  return columns;
}

class EnsembleSolves : public OverRanks {
 public:
  explicit EnsembleSolves(std::uint64_t seed)
      : OverRanks(seed, {"chain:5", "random:9:seed=4:floating=1", "fourbars:1", "light_link"}),
        columns_(random.below(10)) {
    options_.lanes = random.below(2);
    if (model.name() == "light_link") options_.algorithm = Algorithm::cfa;  // which float may refuse
  }
  std::unique_ptr<mpi::Ensemble> make() const {
    return std::make_unique<mpi::Ensemble>(MPI_COMM_WORLD, model, columns_, options_);
  }
  std::string words() const { return std::to_string(columns_) + " columns of " + model.name(); }
  Outcome run(mpi::Ensemble& ensemble, std::uint64_t call) const {
    Random r(call);
    return r.below(3) == 0 ? run_in<float>(ensemble, r) : run_in<double>(ensemble, r);
  }

 private:
  template <class S>
  Outcome run_in(mpi::Ensemble& ensemble, Random& r) const {
    const auto [first, count] = ensemble.shares().own();
    const int from = r.below(SomeStates::count), bad = r.below(3) == 0 && columns_ > 0 ? r.below(columns_) : -1;
    const int wrong = r.below(4) == 0 ? r.below(ranks_of_world()) : -1;
    const bool forced = r.below(2) == 0, wrong_here = wrong == rank_of_world();
    Framed<S> q = framed<S>(states.q, first, count, from), v = framed<S>(states.v, first, count, from),
              tau = framed<S>(states.tau, first, count, from), f = framed<S>(states.f_ext, first, count, from),
              a(model.nv(), count, 1);
    if (bad >= first && bad < first + count) tau.column(bad - first)[0] = std::numeric_limits<S>::quiet_NaN();
    Outcome outcome;
    outcome.words = std::string("solve in ") + (std::is_same_v<S, float> ? "float" : "double") +
                    (forced ? ", f_ext" : "") + ", none in column " + std::to_string(bad) + ", too long on rank " +
                    std::to_string(wrong);
    const Status status =
        ensemble.solve_columns(q.in(), given(v, wrong_here), tau.in(), forced ? f.in() : Columns<const S>{}, a.out());
    outcome.show("Status", status);
    outcome.show(ensemble.statuses());
    const Status first_failed = ensemble.first_failed();
    outcome.show("first_failed", first_failed);
    if (bad >= 0 && wrong < 0 && first_failed.code == StatusCode::not_finite && first_failed.column != bad)
      outcome.break_promise("first_failed() names another column");
    show(outcome, "a", a);
    if (ensemble.statuses().size() != static_cast<std::size_t>(count))
      outcome.break_promise("statuses of another size");
    if (count > 0 && status.ok() != std::ranges::all_of(ensemble.statuses(), &Status::ok))
      outcome.break_promise("statuses() has not its status");
    const bool refused = status.code == StatusCode::wrong_size || status.code == StatusCode::cut_needs_double;
    for (int c = 0; c < count && !refused; ++c)
      for (int k = 0; k < model.nv(); ++k)
        if (std::isnan(a.column(c)[k]) != (first + c == bad))
          outcome.break_promise("NaN in another column than failed");
    if (wrong_here && status.code != StatusCode::wrong_size) outcome.break_promise("it was not refused");
    if (refused ? !a.untouched() : !a.framed()) outcome.break_promise("it wrote what is not its own");
    return outcome;
  }

  int columns_;
  Options options_;
};

class RolloutsOverRanks : public OverRanks {
 public:
  explicit RolloutsOverRanks(std::uint64_t seed)
      : OverRanks(seed, {"chain:3", "random:4:seed=4:floating=1", "geared:2"}), columns_(1 + random.below(9)) {
    how_.integrator = random.below(2) == 0 ? Integrator::semi_implicit_euler : Integrator::rk4;
    how_.external_forces = random.below(2) == 0;
  }
  std::unique_ptr<mpi::Rollouts> make() const {
    return std::make_unique<mpi::Rollouts>(MPI_COMM_WORLD, model, columns_, Options{}, how_);
  }
  std::string words() const { return std::to_string(columns_) + " columns of " + model.name(); }
  Outcome run(mpi::Rollouts& rollouts, std::uint64_t call) const {
    Random r(call);
    const auto [first, count] = rollouts.shares().own();
    const Eigen::MatrixXd q = rollouts.q(), v = rollouts.v();
    const Eigen::VectorXd time = rollouts.time();
    const int from = r.below(SomeStates::count), bad = r.below(3) == 0 ? r.below(columns_) : -1, kind = r.below(6);
    const double number = r.uniform(-1, 1);
    Outcome outcome;
    Status status;
    if (kind < 2) {
      Eigen::MatrixXd new_q(model.nq(), count), new_v(model.nv(), count);
      for (int c = 0; c < count; ++c) {
        const int k = (first + c + from) % SomeStates::count;
        new_q.col(c) = states.q.col(k), new_v.col(c) = states.v.col(k);
        if (first + c == bad) new_v(0, c) = std::nan("");
      }
      status = rollouts.reset(new_q, new_v, number);
      outcome.effect = bad < 0 ? Effect::begins : Effect::goes_on;
      outcome.words = "reset from state " + std::to_string(from) + ", none of column " + std::to_string(bad);
    } else if (kind == 2) {
      const bool of_time = r.below(2) == 0;
      const Eigen::MatrixXd wide(model.nq(), count + 1);
      status = of_time ? rollouts.reset(q, v, no_number(r)) : rollouts.reset(wide, v);
      outcome.effect = Effect::refused, outcome.words = of_time ? "reset at no time" : "reset with q too wide";
      if (status.ok() && (count > 0 || !of_time)) outcome.break_promise("it was not refused");
    } else {
      const bool pushed = bad >= 0 || r.below(2) == 0;
      const RolloutForces forces = [&](RolloutColumns& all) {
        for (Eigen::Index k = 0; k < all.q.cols(); ++k) {
          all.tau.col(k) -= 0.1 * all.v.col(k) * static_cast<double>(all.first + k + 1);
          if (all.f_ext.rows() > 0) all.f_ext.col(k).array() += all.time[k];
          if (all.first + k == bad) all.tau(0, k) = std::nan("");
        }
      };
      status = rollouts.step(2e-3, pushed ? forces : RolloutForces{}, 1);
      outcome.effect = Effect::goes_on;
      outcome.words = std::string(pushed ? "step with forces" : "step") + ", none in column " + std::to_string(bad);
      for (int c = 0; c < count; ++c)
        if (!rollouts.statuses()[static_cast<std::size_t>(c)].ok() &&
            (rollouts.q().col(c) != q.col(c) || rollouts.v().col(c) != v.col(c) || rollouts.time()[c] != time[c]))
          outcome.break_promise("a column failed and moved");
    }
    outcome.show("Status", status);
    if (outcome.effect == Effect::refused && (rollouts.q() != q || rollouts.v() != v || rollouts.time() != time))
      outcome.break_promise("a refused call moved columns");
    outcome.show(rollouts.statuses());
    outcome.show("first_failed", rollouts.first_failed());
    outcome.show("q", rollouts.q().data(), rollouts.q().size());
    outcome.show("v", rollouts.v().data(), rollouts.v().size());
    outcome.show("time", rollouts.time().data(), rollouts.time().size());
    return outcome;
  }

 private:
  int columns_;
  RolloutOptions how_;
};

class SharedMechanismSolves : public OverRanks {
 public:
  explicit SharedMechanismSolves(std::uint64_t seed)
      : OverRanks(seed, {"chain:40", "tree:2x6", "random:70:seed=2:floating=1", "fourbars:12"}) {
    // by branches alone the others come apart in too few shares
    options_.algorithm = model.name() == "tree:2x6" && random.below(2) == 0 ? Algorithm::ab : Algorithm::modular;
    if (options_.algorithm == Algorithm::modular) options_.grain = 4;
    if (random.below(3) == 0) results_ = mpi::Results::own_bodies;
  }
  std::unique_ptr<mpi::ForwardDynamics> make() const {
    return std::make_unique<mpi::ForwardDynamics>(MPI_COMM_WORLD, model, options_, results_);
  }
  std::string words() const { return model.name() + ", " + describe(options_); }
  Outcome run(mpi::ForwardDynamics& dynamics, std::uint64_t call) const {
    Random r(call);
    return r.below(3) == 0 ? run_in<float>(dynamics, r) : run_in<double>(dynamics, r);
  }

 private:
  template <class S>
  Outcome run_in(mpi::ForwardDynamics& dynamics, Random& r) const {
    const int from = r.below(SomeStates::count), ranks = ranks_of_world(), rank = rank_of_world();
    const bool bad = r.below(4) == 0, forced = r.below(2) == 0;
    const int wrong = r.below(5) == 0 ? r.below(ranks) : -1, shares = r.below(6) == 0 ? r.below(ranks) : -1;
    const int mixed = ranks > 1 && r.below(6) == 0 ? r.below(ranks) : -1;
    Framed<S> q = framed<S>(states.q, 0, 1, from), v = framed<S>(states.v, 0, 1, from),
              tau = framed<S>(states.tau, 0, 1, from), f = framed<S>(states.f_ext, 0, 1, from), a(model.nv(), 1, 1);
    if (bad) tau.column(0)[r.below(model.nv())] = std::numeric_limits<S>::quiet_NaN();
    Outcome outcome;
    outcome.words = std::string("solve in ") + (std::is_same_v<S, float> ? "float" : "double") +
                    (forced ? ", f_ext" : "") + (bad ? ", no number" : "") + ", too long on rank " +
                    std::to_string(wrong) + ", in place on rank " + std::to_string(shares) +
                    ", f_ext otherwise on rank " + std::to_string(mixed);
    const bool own_forced = forced != (mixed == rank);
    Framed<S> before_v = v;
    try {
      const Status status =
          dynamics.solve_columns(q.in(), given(v, wrong == rank), tau.in(), own_forced ? f.in() : Columns<const S>{},
                                 shares == rank ? v.out() : a.out());
      outcome.show("Status", status);
      const bool refused = status.code == StatusCode::wrong_size || status.code == StatusCode::shared_memory ||
                           status.code == StatusCode::cut_needs_double;
      if ((wrong >= 0 || shares >= 0) && !refused) outcome.break_promise("it was not refused");
      if (mixed >= 0) outcome.break_promise("nothing was thrown");
      if (refused && !a.untouched()) outcome.break_promise("a refused call wrote accelerations");
      const auto& own = dynamics.rows_of(rank);
      const auto is_own = [&](int k) {
        return std::ranges::any_of(own, [&](const mpi::Rows& rows) { return rows.begin <= k && k < rows.end; });
      };
      for (int k = 0; k < model.nv() && !status.ok() && !refused; ++k)
        if ((results_ == mpi::Results::everywhere || is_own(k)) && !std::isnan(a.column(0)[k]))
          outcome.break_promise("it failed and has numbers");
      if (bad && !refused && status.code != StatusCode::not_finite)
        outcome.break_promise("a number that is none passed");
    } catch (const mpi::Error&) {
      if (mixed < 0) outcome.break_promise("something was thrown");
      if (!a.untouched()) outcome.break_promise("a call that threw wrote accelerations");
    }
    if (!a.framed()) outcome.break_promise("numbers beside the accelerations were written");
    if (v.numbers() != before_v.numbers()) outcome.break_promise("an input was written");
    show(outcome, "a", a);
    return outcome;
  }

  Options options_;
  mpi::Results results_ = mpi::Results::everywhere;
};

class ColumnsMoved : public OverRanks {
 public:
  explicit ColumnsMoved(std::uint64_t seed) : OverRanks(seed, {"chain:4"}), columns_(random.below(12)) {}
  std::unique_ptr<mpi::Shares> make() const { return std::make_unique<mpi::Shares>(MPI_COMM_WORLD, columns_); }
  std::string words() const { return std::to_string(columns_) + " columns"; }
  Outcome run(mpi::Shares& shares, std::uint64_t call) const {
    Random r(call);
    return r.below(2) == 0 ? run_in<float>(shares, r) : run_in<double>(shares, r);
  }

 private:
  template <class S>
  Outcome run_in(mpi::Shares& shares, Random& r) const {
    const auto [first, count] = shares.own();
    const int rank = shares.rank(), root = r.below(shares.ranks()), rows = r.below(5), kind = r.below(3);
    const int wrong = r.below(3) == 0 ? r.below(shares.ranks()) : -1;
    const double number = r.uniform(-1, 1);
    Framed<S> all(rows, columns_, 2), own(rows, count, 1);
    const auto entry = [&](int row, int column) { return static_cast<S>(number + row + 10 * column); };
    for (int c = 0; c < columns_ && kind == 0; ++c)
      for (int k = 0; k < rows; ++k) all.column(c)[k] = entry(k, c);
    for (int c = 0; c < count && kind > 0; ++c)
      for (int k = 0; k < rows; ++k) own.column(c)[k] = entry(k, first + c);
    all.keep(), own.keep();
    Outcome outcome;
    const char* names[]{"scatter", "gather", "gather_to_all"};
    outcome.words = std::string(names[kind]) + (std::is_same_v<S, float> ? " in float, " : " in double, ") +
                    std::to_string(rows) + " rows, root " + std::to_string(root) + ", too wide on rank " +
                    std::to_string(wrong);
    const auto wider = [&](auto columns) {
      columns.columns += wrong == rank;
      return Eigen::Map<Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>, 0, Eigen::OuterStride<>>(
          const_cast<S*>(columns.data), columns.rows, columns.columns, Eigen::OuterStride<>(columns.stride));
    };
    auto own_map = wider(own.out());
    const Columns<S> whole = all.out();
    Eigen::Map<Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>, 0, Eigen::OuterStride<>> all_map(
        whole.data, whole.rows, whole.columns, Eigen::OuterStride<>(whole.stride));
    try {
      if (kind == 0) shares.scatter(all_map, own_map, root);
      if (kind == 1) shares.gather(own_map, all_map, root);
      if (kind == 2) shares.gather_to_all(own_map, all_map);
      if (wrong >= 0) outcome.break_promise("nothing was thrown");
      const bool has_all = kind == 0 || kind == 2 || rank == root;
      for (int c = 0; c < columns_ && has_all; ++c)
        for (int k = 0; k < rows; ++k)
          if (all.column(c)[k] != entry(k, c)) outcome.break_promise("a column of `all` is not what it should be");
      for (int c = 0; c < count; ++c)
        for (int k = 0; k < rows; ++k)
          if (own.column(c)[k] != entry(k, first + c)) outcome.break_promise("a column of `own` is another's");
      if (!has_all && !all.untouched()) outcome.break_promise("`all` of another rank was written");
    } catch (const mpi::Error&) {
      if (wrong < 0) outcome.break_promise("something was thrown");
      if (!all.untouched() || !own.untouched()) outcome.break_promise("a call that threw wrote columns");
    }
    if (!all.framed() || !own.framed()) outcome.break_promise("numbers beside the columns were written");
    show(outcome, "all", all);
    show(outcome, "own", own);
    return outcome;
  }

  int columns_;
};

// on each number of ranks
TEST(MpiCallSequences, Ensemble) { expect_no_trace<EnsembleSolves>(40, rank_of_world() == 0); }
TEST(MpiCallSequences, Rollouts) { expect_no_trace<RolloutsOverRanks>(20, rank_of_world() == 0); }
TEST(MpiCallSequences, ForwardDynamics) { expect_no_trace<SharedMechanismSolves>(20, rank_of_world() == 0); }
TEST(MpiCallSequences, Shares) { expect_no_trace<ColumnsMoved>(20, rank_of_world() == 0); }

}  // namespace
}  // namespace kinetree::oracle
