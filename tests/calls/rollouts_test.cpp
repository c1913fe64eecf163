// Rollouts: columns depend on the last reset of all and on what came after it, without the calls that were refused; a
// column that fails stays, whole, where it was; what a function of forces adds is there for one step alone.
#include <atomic>
#include <cmath>
#include <kinetree/simulation/rollouts.hpp>
#include <memory>
#include <stdexcept>

#include "calls/sequences.hpp"
#include "calls/states.hpp"
#include "oracle/plans.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::MatrixXd;

class ManyMotions {
 public:
  explicit ManyMotions(std::uint64_t seed)
      : random_(seed),
        model_(model_of(any_of<std::string>(random_, {"chain:1", "chain:4", "random:5:seed=4:floating=1",
                                                      "random:4:seed=2:joints=spherical", "geared:2", "turntable"}))),
        states_(model_, random_.next()),
        count_(any_of<int>(random_, {1, 2, 3, 5, 9, 33, 70})) {
    options_.algorithm = random_.below(2) == 0 ? Algorithm::ab : Algorithm::automatic;
    options_.lanes = random_.below(2);
    if (random_.below(4) == 0) options_.executor = executors[1 + random_.below(3)], options_.threads = 2;
    how_.integrator = random_.below(2) == 0 ? Integrator::semi_implicit_euler : Integrator::rk4;
    how_.external_forces = random_.below(2) == 0;
  }

  std::unique_ptr<Rollouts> make() const { return std::make_unique<Rollouts>(model_, count_, options_, how_); }
  std::string words() const {
    return std::to_string(count_) + " columns of " + model_.name() + ", lanes " + std::to_string(options_.lanes) +
           ", " + name_of(options_.executor) + (how_.integrator == Integrator::rk4 ? ", rk4" : ", Euler") +
           (how_.external_forces ? ", f_ext" : "");
  }

  Outcome run(Rollouts& r, std::uint64_t call) const {
    Random random(call);
    const Looks before(r);
    Outcome outcome;
    const int kind = random.below(10);
    if (kind < 2)
      reset_all(r, random, outcome);
    else if (kind < 4)
      reset_one(r, random, outcome);
    else if (kind == 4)
      refuse(r, random, outcome);
    else
      step(r, random, before, outcome);
    const Looks after(r);
    if (outcome.effect == Effect::refused && !(after == before)) outcome.break_promise("a refused call moved columns");
    // columns that failed, or had stopped, stay; but for steps that were good before the one that failed
    for (int c = 0; c < count_; ++c)
      if (!after.ok(c) && outcome.effect != Effect::spoils && !may_move_ && !after.same_column(before, c))
        outcome.break_promise("column " + std::to_string(c) + " failed and moved");
    outcome.show("q", after.q.data(), after.q.size());
    outcome.show("v", after.v.data(), after.v.size());
    outcome.show("time", after.time.data(), after.time.size());
    outcome.show(r.statuses());
    return outcome;
  }

 private:
  struct Looks {
    explicit Looks(const Rollouts& r)
        : q(r.q()), v(r.v()), time(r.time()), statuses(r.statuses().begin(), r.statuses().end()) {}
    bool ok(int c) const { return statuses[static_cast<std::size_t>(c)].ok(); }
    bool same_column(const Looks& o, int c) const {
      return q.col(c) == o.q.col(c) && v.col(c) == o.v.col(c) && time[c] == o.time[c];
    }
    bool operator==(const Looks& o) const {
      for (std::size_t c = 0; c < statuses.size(); ++c)
        if (statuses[c].code != o.statuses[c].code) return false;
      return q == o.q && v == o.v && time == o.time;
    }
    MatrixXd q, v;
    Eigen::VectorXd time;
    std::vector<Status> statuses;
  };

  /// Spoils a state in one of the ways that a column may fail by.
  void spoil(Random& random, Eigen::Ref<Eigen::VectorXd> q, Eigen::Ref<Eigen::VectorXd> v) const {
    const int quaternion = first_quaternion(model_);
    if (quaternion >= 0 && random.below(2) == 0)
      q.segment<4>(quaternion) *= 1.01;
    else
      (random.below(2) == 0 ? q[random.below(model_.nq())] : v[random.below(model_.nv())]) = no_number(random);
  }

  void reset_all(Rollouts& r, Random& random, Outcome& outcome) const {
    MatrixXd q(model_.nq(), count_), v(model_.nv(), count_);
    const int first = random.below(SomeStates::count);
    for (int c = 0; c < count_; ++c)
      q.col(c) = states_.q.col((first + c) % SomeStates::count),
      v.col(c) = states_.v.col((first + c) % SomeStates::count);
    const double time = random.uniform(-1, 1);
    outcome.words = "reset of all from state " + std::to_string(first);
    may_move_ = false;
    const int bad = random.below(3) == 0 ? random.below(count_) : -1;
    if (bad >= 0) spoil(random, q.col(bad), v.col(bad)), outcome.words += ", none of column " + std::to_string(bad);
    const Status status = r.reset(q, v, time);
    outcome.show("Status", status);
    if (status.ok() != (bad < 0) || (bad >= 0 && status.column != bad))
      outcome.break_promise("status \"" + status.message(model_) + "\"");
    outcome.effect = bad < 0 ? Effect::begins : Effect::goes_on;
    for (int c = 0; c < count_; ++c)
      if (c != bad && r.time()[c] != time) outcome.break_promise("column " + std::to_string(c) + " did not begin anew");
  }

  void reset_one(Rollouts& r, Random& random, Outcome& outcome) const {
    const int k = random.below(SomeStates::count), column = random.below(count_);
    Eigen::VectorXd q = states_.q.col(k), v = states_.v.col(k);
    const bool bad = random.below(4) == 0;
    if (bad) spoil(random, q, v);
    const double time = random.uniform(-1, 1);
    outcome.words = "reset of column " + std::to_string(column) + (bad ? " to no state" : "");
    outcome.effect = Effect::goes_on;
    may_move_ = false;
    const Status status = r.reset(column, q, v, time);
    outcome.show("Status", status);
    if (status.ok() == bad || (bad && status.column != column))
      outcome.break_promise("status \"" + status.message(model_) + "\"");
    if (!bad && r.time()[column] != time) outcome.break_promise("it stands at another time");
  }

  void refuse(Rollouts& r, Random& random, Outcome& outcome) const {
    const MatrixXd q = states_.q.col(0).replicate(1, count_), v = states_.v.col(0).replicate(1, count_);
    outcome.effect = Effect::refused, outcome.words = "a call that is refused: ";
    may_move_ = false;
    const auto refused = [&]() -> Status {
      switch (random.below(8)) {
        case 0:
          return r.reset(q.topRows(q.rows() - 1), v);
        case 1:
          return r.reset(q, states_.v.col(0).replicate(1, count_ + 1));
        case 2:
          return r.reset(q, v, no_number(random));
        case 3:
          return r.reset(random.below(2) == 0 ? -1 : count_, q.col(0), v.col(0));
        case 4:
          return r.reset(0, q.col(0), v.col(0).head(model_.nv() - 1));
        case 5:
          return r.reset(0, q.col(0), v.col(0), no_number(random));
        case 6:
          return r.step(any_of<double>(random, {0, -1e-3, std::nan(""), HUGE_VAL}));
        default:
          return r.step(1e-3, {}, -random.below(3));
      }
    };
    const Status status = refused();
    outcome.words += status.message(model_);
    if (status.ok()) outcome.break_promise("it was not refused");
  }

  void step(Rollouts& r, Random& random, const Looks& before, Outcome& outcome) const {
    const int steps = 1 + random.below(3) * random.below(2), bad = random.below(3) == 0 ? random.below(count_) : -1;
    const bool pushed = bad >= 0 || random.below(3) > 0, throws = random.below(10) == 0, late = random.below(2) == 0;
    outcome.words = std::to_string(steps) + " steps";
    if (pushed) outcome.words += " with forces";
    if (bad >= 0) outcome.words += ", none in column " + std::to_string(bad) + (late ? ", late" : "");
    if (throws) outcome.words += ", thrown";
    constexpr double dt = 2e-3;
    std::atomic<bool> dirty = false;
    const RolloutForces forces = [&](RolloutColumns& all) {
      if (!all.tau.isZero(0) || !all.f_ext.isZero(0)) dirty = true;
      for (Eigen::Index k = 0; k < all.q.cols(); ++k) {
        const int c = all.first + static_cast<int>(k);
        all.tau.col(k) -= 0.2 * all.v.col(k);  // added: what the step before left would show
        all.tau.col(k).array() += std::cos(5 * all.time[k] + c);
        if (all.f_ext.rows() > 0)
          all.f_ext.col(k) += std::sin(3 * all.time[k]) * Eigen::VectorXd::LinSpaced(all.f_ext.rows(), -1, 1);
        if (c == bad && (!late || all.time[k] > before.time[c] + 0.7 * dt * steps)) all.tau(0, k) = std::nan("");
        if (throws && c == count_ / 2) throw std::runtime_error("no more fuel");
      }
    };
    may_move_ = steps > 1;
    outcome.effect = Effect::goes_on;
    try {
      const Status status = r.step(dt, pushed ? forces : RolloutForces{}, steps);
      outcome.show("Status", status);
      if (pushed && throws) outcome.break_promise("what was thrown did not come out");
      if (bad >= 0 && !late && (r.statuses()[static_cast<std::size_t>(bad)].ok() || status.ok()))
        outcome.break_promise("a force that is no number passed");
    } catch (const std::runtime_error&) {
      if (!throws) outcome.break_promise("something was thrown");
      outcome.effect = Effect::spoils;
    }
    if (dirty) outcome.break_promise("forces were not zero on entry");
  }

  Random random_;
  const Model& model_;
  SomeStates states_;
  int count_;
  Options options_;
  RolloutOptions how_;
  mutable bool may_move_ = false;  ///< whether columns that fail in this call may have taken good steps in it before
};

TEST(CallSequences, Rollouts) { expect_no_trace<ManyMotions>(250); }
TEST(CallSequencesLong, Rollouts) { expect_no_trace<ManyMotions>(5000); }

}  // namespace
}  // namespace kinetree::oracle
