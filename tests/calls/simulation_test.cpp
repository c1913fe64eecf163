// Simulation: a motion depends on the last reset and on what came after it, without the calls that were refused, the
// steps that failed and the questions that were asked meanwhile; events on what was watched last besides. A fresh
// simulation that gets these calls alone has the same bits.
#include <algorithm>
#include <cmath>
#include <kinetree/forces.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <memory>
#include <stdexcept>

#include "calls/sequences.hpp"
#include "calls/states.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::VectorXd;

/// Of a Simulation, with events or without.
template <bool events>
class Motions {
 public:
  explicit Motions(std::uint64_t seed)
      : random_(seed),
        model_(model_of(any_of<std::string>(random_, {"chain:1", "chain:3", "random:4:seed=4:floating=1",
                                                      "random:4:seed=2:joints=spherical", "fourbars:1", "geared:2"}))),
        states_(model_, random_.next()) {
    states_.v *= 0.5;
    how_.integrator = static_cast<Integrator>(random_.below(3));
    how_.step = 4e-3, how_.tolerance = any_of<double>(random_, {1e-5, 1e-8});
    if (random_.below(3) == 0) how_.longest_step = 6e-3;
    how_.work = random_.below(4) > 0;
  }

  std::unique_ptr<Simulation> make() const { return std::make_unique<Simulation>(model_, Options{}, how_); }
  std::string words() const {
    return model_.name() + ", integrator " + std::to_string(static_cast<int>(how_.integrator)) + ", tolerance " +
           std::to_string(how_.tolerance) + ", longest step " + std::to_string(how_.longest_step) +
           (how_.work ? ", work" : "");
  }

  Outcome run(Simulation& s, std::uint64_t call) const {
    Random random(call);
    const Looks before(s);
    Outcome outcome;
    const int kind = random.below(events ? 18 : 12);
    const bool moves = kind < 6;
    if (moves)
      move(s, random, before, outcome);
    else if (kind < 10)
      stand(s, random, before, outcome);
    else if (kind == 10)
      ask(s, random, outcome);
    else if (kind == 11)
      refuse_step(s, random, outcome);
    else
      watch(s, random, outcome);
    const Looks after(s);
    if (outcome.effect == Effect::refused && !(after == before))
      outcome.break_promise("a refused call moved the state");
    outcome.show("time", after.time);
    outcome.show("q", after.q.data(), after.q.size());
    outcome.show("v", after.v.data(), after.v.size());
    outcome.show("energy, work, energy_set, closure_error", after.numbers, 5);
    outcome.show("steps", after.steps);
    // of this call alone: steps that failed before count
    const long evaluations = s.evaluations() - (outcome.effect == Effect::begins ? 0 : before.evaluations);
    outcome.show("evaluations", evaluations);
    if (moves) outcome.show("happened", s.happened().data(), static_cast<std::ptrdiff_t>(s.happened().size()));
    return outcome;
  }

  /// After set_state a simulation of fixed steps goes on as one that was reset there, at that time, whatever was
  /// before: events are looked for from that state on. Returns where it does not.
  std::string after_set_state() {
    if (how_.integrator == Integrator::adaptive) return "";  // which goes on with steps of the length it had
    Outcome outcome;
    const auto used = make(), fresh = make();
    const auto watches = [&](Simulation& s, std::uint64_t which) {
      Random random(which);
      watch(s, random, outcome);
    };
    const std::uint64_t first = random_.next(), second = random_.below(2) == 0 ? first : random_.next();
    watches(*used, first);
    for (int step = 0; step < 2; ++step) {
      Random random(random_.next());
      move(*used, random, Looks(*used), outcome);
    }
    const int k = random_.below(SomeStates::count);
    if (!used->set_state(states_.q.col(k), states_.v.col(k)).ok() ||
        !fresh->reset(states_.q.col(k), states_.v.col(k), used->time()).ok())
      return words() + ": refused";
    watches(*fresh, first);  // in case the second is refused
    if (second != first) watches(*used, second), watches(*fresh, second);
    for (int step = 0; step < 3; ++step) {
      const std::uint64_t call = random_.next();
      Random one(call), other(call);
      Outcome of_used, of_fresh;
      move(*used, one, Looks(*used), of_used);
      move(*fresh, other, Looks(*fresh), of_fresh);
      if (used->time() != fresh->time() || used->q() != fresh->q() || used->v() != fresh->v() ||
          !std::ranges::equal(used->happened(), fresh->happened()))
        return words() + ": after state " + std::to_string(k) + ", " + outcome.words + " and " + of_used.words;
    }
    return "";
  }

 private:
  /// All that a caller sees of a motion, but for the evaluations that failed steps took.
  struct Looks {
    explicit Looks(Simulation& s) : time(s.time()), q(s.q()), v(s.v()), steps(s.steps()), evaluations(s.evaluations()) {
      const Energy e = s.energy();
      numbers[0] = e.kinetic, numbers[1] = e.potential, numbers[2] = s.work(), numbers[3] = s.energy_set(),
      numbers[4] = s.closure_error();
    }
    bool operator==(const Looks& o) const {
      return std::memcmp(&time, &o.time, sizeof time) == 0 && q == o.q && v == o.v && steps == o.steps &&
             std::memcmp(numbers, o.numbers, sizeof numbers) == 0;
    }
    double time;
    VectorXd q, v;
    double numbers[5];
    long steps, evaluations;
  };

  /// reset or set_state, with a state or with none.
  void stand(Simulation& s, Random& random, const Looks& before, Outcome& outcome) const {
    const int k = random.below(SomeStates::count);
    VectorXd q = states_.q.col(k), v = states_.v.col(k);
    double time = random.below(2) * random.uniform(-1, 1);
    const bool anew = random.below(2) == 0, good = random.below(3) > 0;
    outcome.words = (anew ? "reset to state " : "set_state to state ") + std::to_string(k);
    if (anew) outcome.words += " at " + std::to_string(time);
    if (!good) switch (random.below(4)) {
        case 0:
          q.conservativeResize(q.size() + 1), q.tail(1).setZero(), outcome.words += ", q too long";
          break;
        case 1:
          v.conservativeResize(v.size() - 1), outcome.words += ", v too short";
          break;
        case 2:
          (random.below(2) == 0 ? q[random.below(static_cast<int>(q.size()))]
                                : v[random.below(static_cast<int>(v.size()))]) = no_number(random);
          outcome.words += ", no number";
          break;
        default:
          if (anew && random.below(2) == 0) {
            time = no_number(random), outcome.words += ", no time";
          } else if (const int quaternion = first_quaternion(model_); quaternion >= 0) {
            q.segment<4>(quaternion) *= 1.01, outcome.words += ", no unit";
          } else {
            q[0] = no_number(random), outcome.words += ", no number";
          }
      }
    const Status status = anew ? s.reset(q, v, time) : s.set_state(q, v);
    outcome.show("Status", status);
    if (status.ok() != good) outcome.break_promise("status \"" + status.message(model_) + "\"");
    outcome.effect = !status.ok() ? Effect::refused : anew ? Effect::begins : Effect::goes_on;
    if (!status.ok()) return;
    if (anew ? s.time() != time : s.time() != before.time) outcome.break_promise("it stands at another time");
    if (anew && (s.steps() != 0 || s.evaluations() != 0 || s.energy_set() != 0 || (how_.work && s.work() != 0)))
      outcome.break_promise("something is counted before the first step");
    if (!anew && s.steps() != before.steps) outcome.break_promise("set_state counts as a step");
  }

  /// What forces there are: none; on joints; on bodies; that are no numbers after a while; of a wrong size; that throw.
  enum class Push { none, joints, bodies, no_number, wrong_size, throws };

  void move(Simulation& s, Random& random, const Looks& before, Outcome& outcome) const {
    const Push push = random.below(3) > 0 ? static_cast<Push>(random.below(3)) : static_cast<Push>(3 + random.below(3));
    const double length = random.uniform(1e-3, 2e-2), until = before.time + random.below(2) * random.uniform(0, length);
    // forces are added, so that what a step leaves in them is seen
    const auto tau_of = [=](double t, const VectorXd& v, VectorXd& tau) {
      tau -= 0.3 * v + VectorXd::Constant(v.size(), std::cos(7 * t));
      if (t < until) return;
      if (push == Push::no_number) tau[tau.size() - 1] = std::nan("");
      if (push == Push::wrong_size) tau.resize(tau.size() + 1);
      if (push == Push::throws) throw std::runtime_error("no more fuel");
    };
    const Control control = [=](double t, const VectorXd&, const VectorXd& v, VectorXd& tau) { tau_of(t, v, tau); };
    const Forces forces = [=](double t, const VectorXd& q, const VectorXd& v, VectorXd& tau, VectorXd& f_ext) {
      f_ext += VectorXd::LinSpaced(f_ext.size(), -1, 1) * std::sin(3 * t + q[0]);
      tau_of(t, v, tau);
    };
    const int kind = random.below(3);
    const char* names[]{"step", "advance_to", "step_towards"};
    const char* pushes[]{"no forces", "tau", "f_ext", "tau no number", "tau too long", "forces that throw"};
    outcome.words =
        std::string(names[kind]) + " " + std::to_string(length) + " s on, " + pushes[static_cast<int>(push)];
    if (push >= Push::no_number) outcome.words += " from " + std::to_string(until - before.time) + " s on";
    outcome.effect = Effect::goes_on;
    const auto go = [&](const auto& function) {
      return kind == 0   ? s.step(length, function)
             : kind == 1 ? s.advance_to(before.time + length, function)
                         : s.step_towards(before.time + length, function);
    };
    try {
      const Status status = push == Push::none ? go(Control{}) : push == Push::joints ? go(control) : go(forces);
      outcome.show("Status", status);
      outcome.words += ": " + status.message(model_);
      // one step that fails leaves the state that it found; after one that is good an event may fail
      if (!status.ok() && kind == 2 && (!events || s.time() == before.time)) outcome.effect = Effect::refused;
      // loops may come to a change point, and what gears push is stiff
      if (push <= Push::bodies && model_.data().aggregates.empty() && !events && !status.ok())
        outcome.break_promise("the step failed");
      if (push >= Push::no_number && until == before.time && status.ok()) outcome.break_promise("the step passed");
      if (status.ok() && kind < 2 && !events && std::abs(s.time() - before.time - length) > 1e-12)
        outcome.break_promise("it ends at another time");
    } catch (const std::runtime_error&) {
      outcome.words += ": thrown";
      if (push != Push::throws) outcome.break_promise("what was thrown is not the caller's");
      if (kind == 2) outcome.effect = Effect::refused;
    }
    if ((s.steps() == before.steps) != (s.time() == before.time)) outcome.break_promise("time without a step");
  }

  /// A question, which changes nothing; or is answered as by a fresh object.
  void ask(Simulation& s, Random& random, Outcome& outcome) const {
    outcome.effect = random.below(2) == 0 ? Effect::refused : Effect::goes_on;
    if (random.below(2) == 0) {
      outcome.words = "joint_reactions()";
      VectorXd reactions(6 * s.model().body_count());
      (void)s.joint_reactions(Axes::world, reactions, [](double t, const VectorXd&, const VectorXd& v, VectorXd& tau) {
        tau = -std::cos(t) * v;
      });
      outcome.show("reactions", reactions.data(), reactions.size());
      return;
    }
    outcome.words = "limit()";
    const StepLimit limit = s.limit();
    outcome.show("limit", limit.body);
    outcome.show("share, inertia of the limit", &limit.share, 2);
  }

  void refuse_step(Simulation& s, Random& random, Outcome& outcome) const {
    outcome.effect = Effect::refused;
    const double dt = any_of<double>(random, {0, -1e-3, std::nan(""), HUGE_VAL}), time = no_number(random);
    const int kind = random.below(4);
    const double past = s.time() - random.below(2);
    const Status status = kind == 0   ? s.step(dt)
                          : kind == 1 ? s.advance_to(time)
                          : kind == 2 ? s.step_towards(time)
                                      : s.advance_to(past);
    outcome.words = kind == 0 ? "step " + std::to_string(dt) + " s" : kind == 3 ? "advance_to the past" : "to no time";
    if (status.ok() != (kind == 3)) outcome.break_promise("status \"" + status.message(model_) + "\"");
  }

  void watch(Simulation& s, Random& random, Outcome& outcome) const {
    std::vector<Event> all;
    const int count = random.below(4);
    outcome.words = "watch";
    for (int k = 0; k < count; ++k) {
      const int coordinate = random.below(model_.nv()), kind = random.below(4), act = random.below(5);
      // where motions pass: near states that they start from, and several times in a call
      const Eigen::MatrixXd& states = kind == 0 ? states_.q : states_.v;
      const double level = states(coordinate, random.below(SomeStates::count)) + random.uniform(-3e-3, 3e-3);
      const double rate = random.uniform(100, 800);
      Event e;
      e.direction = static_cast<EventDirection>(random.below(3));
      e.tolerance = any_of<double>(random, {1e-9, 1e-5});
      if (kind < 3)
        e.value = [=](double t, const VectorXd& q, const VectorXd& v) {
          if (kind == 2) return std::sin(rate * t) + 0.1 * q[0];
          return kind == 0 ? q[coordinate] - level : v[coordinate] - level;
        };
      else
        e.value = [=](double t, const VectorXd&, const VectorXd&) {
          return std::sin(rate * t) > -0.9 ? 1 : std::nan("");
        };
      if (act == 1) e.act = [](double, VectorXd&, VectorXd& v) { return v *= -0.5, true; };
      if (act == 2) e.act = [](double, VectorXd&, VectorXd&) { return true; };
      if (act == 3) e.act = [](double, VectorXd&, VectorXd& v) { return v *= 1.1, false; };
      if (act == 4) e.act = [](double, VectorXd& q, VectorXd&) { return q.conservativeResize(q.size() + 1), true; };
      outcome.words += " " + std::to_string(kind) + "/" + std::to_string(act) + " of " + std::to_string(coordinate) +
                       " at " + std::to_string(kind == 2 ? rate : level) + ",";
      all.push_back(e);
    }
    const bool good = random.below(4) > 0;
    if (!good) {
      Event bad;
      if (random.below(2) == 0)
        bad.value = [](double, const VectorXd&, const VectorXd&) { return 1.0; }, bad.tolerance = 0;
      all.push_back(bad);
      outcome.words += " and one that is none";
    }
    outcome.effect = good ? Effect::lasts : Effect::refused;
    try {
      s.watch(all);
      if (!good) outcome.break_promise("it was not refused");
    } catch (const std::invalid_argument& e) {
      if (good) outcome.break_promise(e.what());
    }
  }

  Random random_;
  const Model& model_;
  SomeStates states_;
  SimulationOptions how_;
};

TEST(CallSequences, Simulation) { expect_no_trace<Motions<false>>(250); }
TEST(CallSequences, SimulationWithEvents) { expect_no_trace<Motions<true>>(150); }
/// An event's value that is at zero to its last digits was looked for in ever shorter steps, down to one without time.
TEST(CallSequences, NoEventEndsAStepBeforeItTakesTime) { EXPECT_EQ(trace_left<Motions<true>>(3279), ""); }
TEST(CallSequences, SetStateIsAResetOfFixedSteps) {
  for (std::uint64_t k = 0; k < 300; ++k)
    EXPECT_EQ(Motions<true>(calls_seed() + k).after_set_state(), "") << calls_seed() + k;
}
TEST(CallSequencesLong, Simulation) { expect_no_trace<Motions<false>>(5000); }
TEST(CallSequencesLong, SimulationWithEvents) { expect_no_trace<Motions<true>>(5000); }

}  // namespace
}  // namespace kinetree::oracle
