// ForwardDynamics: what a solve gives depends on its arguments alone, whatever was solved before: one state or several,
// double or float, with external forces or without, states that fail and calls that are refused among them.
#include <algorithm>
#include <cmath>
#include <kinetree/forward_dynamics.hpp>
#include <memory>

#include "calls/framed.hpp"
#include "calls/sequences.hpp"
#include "calls/states.hpp"
#include "oracle/plans.hpp"

namespace kinetree::oracle {
namespace {

class Solves {
 public:
  explicit Solves(std::uint64_t seed)
      : random_(seed),
        model_(model_of(any_of<std::string>(
            random_, {"chain:1", "chain:9", "tree:2x4", "star:6x3", "random:14:seed=4:floating=1:special=1",
                      "random:9:seed=2:joints=spherical", "fourbars:2", "geared:4", "random:40:seed=7:floating=1",
                      "chain:140", "turntable", "light_link"}))),
        states_(model_, random_.next()) {
    options_ = serial(any_of<Algorithm>(random_, {Algorithm::automatic, Algorithm::ab, Algorithm::ab, Algorithm::crb,
                                                  Algorithm::cfa, Algorithm::modular}));
    options_.lanes = random_.below(2);
    if (options_.algorithm != Algorithm::automatic && random_.below(4) == 0)  // which would measure the machine first
      options_.executor = executors[1 + random_.below(3)], options_.threads = 2;
    if (options_.algorithm == Algorithm::crb && random_.below(2) == 0) options_.factorization = Factorization::dense;
    if (options_.algorithm == Algorithm::modular) options_.grain = 2 + random_.below(6);
    if (options_.algorithm == Algorithm::cfa || options_.algorithm == Algorithm::modular)
      options_.refinements = random_.below(3);
    if (options_.algorithm != Algorithm::crb && options_.lanes != 0 && random_.below(2) == 0)
      options_.loops = Loops::multipliers;
  }

  std::unique_ptr<ForwardDynamics> make() const { return std::make_unique<ForwardDynamics>(model_, options_); }
  Outcome run(ForwardDynamics& dynamics, std::uint64_t call) const {
    Random random(call);
    return random.below(3) == 0 ? run_in<float>(dynamics, random) : run_in<double>(dynamics, random);
  }
  std::string words() const {
    return model_.name() + ", " + describe(options_) + ", " + name_of(options_.executor) + ", lanes " +
           std::to_string(options_.lanes);
  }

 private:
  template <class S>
  Outcome run_in(ForwardDynamics& dynamics, Random& random) const {
    const int columns = any_of<int>(random, {0, 1, 1, 1, 1, 2, 3, 5, 9, 17}), first = random.below(SomeStates::count);
    const bool forced = random.below(3) == 0;
    Outcome outcome;
    outcome.words = std::string("solve in ") + (std::is_same_v<S, float> ? "float, " : "double, ") +
                    std::to_string(columns) + " columns from state " + std::to_string(first) +
                    (forced ? ", f_ext" : "");
    const auto framed = [&](const Eigen::MatrixXd& from) {
      Framed<S> to(from.rows(), columns, random.below(2) * 3);
      for (int c = 0; c < columns; ++c)
        for (Eigen::Index k = 0; k < from.rows(); ++k)
          to.column(c)[k] = static_cast<S>(from(k, (first + c) % SomeStates::count));
      return to;
    };
    Framed<S> inputs[]{framed(states_.q), framed(states_.v), framed(states_.tau), framed(states_.f_ext)};
    Framed<S> a(model_.nv(), columns, random.below(2) * 3);

    // one column's fault, which is its own
    int failing = -1;
    bool unfelt = false;  // an entry of f_ext may be one that no joint feels
    StatusCode expected = StatusCode::ok;
    if (columns > 0 && random.below(3) == 0) {
      failing = random.below(columns);
      const int quaternion = first_quaternion(model_);
      if (model_.name() == "turntable" && random.below(2) == 0) {
        inputs[0].column(failing)[model_.q_index("to_slider")] = -1;
        expected = StatusCode::singular, outcome.words += ", singular";
      } else if (quaternion >= 0 && random.below(3) == 0) {
        for (int k = 0; k < 4; ++k) inputs[0].column(failing)[quaternion + k] *= S(1.01);
        expected = StatusCode::not_normalized, outcome.words += ", no unit quaternion";
      } else {
        const int which = random.below(forced ? 4 : 3);
        Framed<S>& input = inputs[which];
        unfelt = which == 3;
        input.column(failing)[random.below(static_cast<int>(input.rows()))] = static_cast<S>(no_number(random));
        expected = StatusCode::not_finite, outcome.words += ", no number";
      }
      outcome.words += " in column " + std::to_string(failing);
    }
    for (Framed<S>& input : inputs) input.keep();

    // the call's fault as a whole
    Columns<const S> q = inputs[0].in(), v = inputs[1].in(), tau = inputs[2].in(),
                     f = forced ? inputs[3].in() : Columns<const S>{};
    Columns<S> out = a.out();
    bool refusable = false;
    if (random.below(4) == 0) {
      refusable = true;
      switch (random.below(6)) {
        case 0:
          --q.rows, outcome.words += ", q too short";
          break;
        case 1:
          ++v.columns, outcome.words += ", v too wide";
          break;
        case 2:
          ++tau.rows, outcome.words += ", tau too long";
          break;
        case 3:
          --out.rows, outcome.words += ", a too short";
          break;
        case 4:
          refusable = columns > 0;
          out.data = inputs[random.below(forced ? 4 : 3)].column(0), outcome.words += ", a is an input";
          break;
        default:
          refusable = columns > 1 && out.rows > 1;
          if (refusable) out.stride = out.rows - 1, outcome.words += ", columns of a overlap";
      }
    }
    const Status status = dynamics.solve_columns(q, v, tau, f, out);
    const std::span<const Status> all = dynamics.statuses();
    outcome.show("Status", status);
    outcome.show(all);
    outcome.show("a", a.numbers().data(), static_cast<std::ptrdiff_t>(a.numbers().size()));
    for (const Framed<S>& input : inputs)
      if (!input.untouched()) outcome.break_promise("an input was written");
    const bool refused = status.code == StatusCode::wrong_size || status.code == StatusCode::shared_memory ||
                         status.code == StatusCode::too_large || status.code == StatusCode::cut_needs_double;
    if (refusable && !refused) outcome.break_promise("the call was not refused");
    if (refused) {
      if (!a.untouched()) outcome.break_promise("a refused call wrote accelerations");
      if (all.empty() || all.front().code != status.code) outcome.break_promise("statuses() has not its status");
      return outcome;
    }
    const auto failed = std::ranges::find_if(all, [](const Status& s) { return !s.ok(); });
    if (failed == all.end() ? !status.ok() : failed->code != status.code || failed->column != status.column)
      outcome.break_promise("the status is not that of the first column that failed");
    if (!a.framed()) outcome.break_promise("numbers beside the accelerations were written");
    if (all.size() != static_cast<std::size_t>(std::max(columns, 1)))
      outcome.break_promise("statuses() has another size");
    for (int c = 0; c < columns && outcome.fault.empty(); ++c) {
      const Status& own = all[static_cast<std::size_t>(c)];
      const std::string where = " in column " + std::to_string(c);
      if (own.column != c) outcome.break_promise("a status with another column's number" + where);
      if (own.code != (c == failing ? expected : StatusCode::ok) && !(own.ok() && unfelt) && !may_fail(own))
        outcome.break_promise("status \"" + own.message(model_) + "\"" + where);
      for (Eigen::Index k = 0; k < model_.nv(); ++k)
        if (own.ok() ? !std::isfinite(a.column(c)[k]) : !std::isnan(a.column(c)[k]))
          outcome.break_promise((own.ok() ? "no number" : "a number where it failed") + where);
    }
    return outcome;
  }

  /// Loops may be singular in a random state, in any call.
  bool may_fail(const Status& status) const {
    return status.code == StatusCode::singular_loop && !model_.data().loops.empty();
  }

  Random random_;
  const Model& model_;
  SomeStates states_;
  Options options_;
};

TEST(CallSequences, ForwardDynamics) { expect_no_trace<Solves>(250); }
TEST(CallSequencesLong, ForwardDynamics) { expect_no_trace<Solves>(10000); }

}  // namespace
}  // namespace kinetree::oracle
