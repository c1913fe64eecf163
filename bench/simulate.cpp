// `kinetree simulate`: motion over time, its energy and how well loops stay closed.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <kinetree/simulation/computed_torque.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <memory>
#include <optional>

#include "bench/arguments.hpp"
#include "bench/interruption.hpp"
#include "bench/output.hpp"
#include "bench/player/page.hpp"
#include "bench/simulate/acting_forces.hpp"
#include "bench/simulate/agreement.hpp"
#include "bench/simulate/balance.hpp"
#include "bench/simulate/holding_forces.hpp"
#include "bench/simulate/moved_words.hpp"
#include "bench/simulate/played.hpp"
#include "bench/simulate/point_motion.hpp"
#include "bench/simulate/start_words.hpp"
#include "bench/simulate/tensions.hpp"
#include "bench/simulate/trajectory.hpp"
#include "bench/subcommands.hpp"
#include "bench/values.hpp"
#include "bench/vectors.hpp"
#include "bench/violation_words.hpp"
#include "engine/io/states.hpp"
#include "engine/model/closure.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/worst.hpp"

namespace kinetree::bench {
namespace {

using Eigen::VectorXd;

struct SimulateArguments {
  ModelArguments model;
  AlgorithmArguments algorithm;
  std::string integrator = "adaptive", states, out = ".";
  double seconds = 10, step = 1e-3, tolerance = 1e-10, every = 0.01;
  std::vector<std::string> forces;  ///< that hold the mechanism together, to be written: loops, couplings, joints
  double hold = 0;                  ///< rad/s; 0: nothing is held
  bool passive = false;             ///< whether damping, friction and springs of joints act
  bool assemble = false;            ///< whether an open start is closed
  bool out_given = false;
  std::vector<std::string> points;  ///< links, or points on them, whose motion is written
  bool check = false;               ///< whether the motion is taken again, by steps that err less
};

SimulationOptions how(const SimulateArguments& a) {
  SimulationOptions options;
  options.integrator = a.integrator == "rk4"        ? Integrator::rk4
                       : a.integrator == "adaptive" ? Integrator::adaptive
                       : a.integrator == "stiff"    ? Integrator::stiff
                                                    : Integrator::semi_implicit_euler;
  options.step = a.step, options.tolerance = a.tolerance;
  return options;
}

constexpr double slow = 1e-3;  ///< rad/s, m/s: below, friction of joints fades, so that steps find no jump

/// A model that can't be held is wrong input, found before anything is written.
std::optional<ComputedTorque> torques_for(const SimulateArguments& a, const Model& model) {
  if (!(a.hold > 0)) return {};
  try {
    return ComputedTorque(model, to_vector(model.data().assembled), a.hold);
  } catch (const std::invalid_argument& e) {
    throw InputError({{Severity::error, a.model.model, 0, fmt::format("model \"{}\"", model.name()),
                       std::string("--hold: ") + e.what()}});
  }
}

/// How messages call the model: its file, where that gives it no name.
std::string name_in(const SimulateArguments& a, const Model& model) {
  return model.name().empty() ? a.model.model : std::string(model.name());
}

/// Steps so short that a second of motion takes 1e5 of them: says so, once, and which joint sets them. Where rounding
/// alone misses the tolerance, steps are short whatever the motion is.
bool tell_if_stiff(const SimulateArguments& a, const Model& model, Simulation& simulation) {
  constexpr double rounding = 1e-14;
  if (a.tolerance < rounding) return false;
  const double seconds = a.seconds;
  const auto steps = static_cast<double>(simulation.steps());
  if (steps < 300 || simulation.time() > 1e-5 * steps) return false;
  const double mean = simulation.time() / steps;
  const StepLimit limit = simulation.limit();
  std::string why;
  if (limit.body >= 0) {
    why = fmt::format("; {:.0f} % of them are set by joint \"{}\"", 100 * limit.share, model.joint_name(limit.body));
    if (limit.inertia > 0)
      why += fmt::format(", where a force meets an inertia of {:.3g} (kg m² or kg) at body \"{}\"", limit.inertia,
                         model.body_name(limit.body));
  }
  fmt::print(stderr,
             "{}: stiff: {:.0f} steps of {:.3g} s on average, {:.3g} for all of {:.6g} s{}; --integrator stiff may "
             "take fewer\n",
             name_in(a, model), steps, mean, seconds / mean, seconds, why);
  return true;
}

std::string where_from(const SimulateArguments& a) {
  const std::string closed = a.assemble ? ", closed by --assemble" : "";
  return (a.states.empty() ? "where the model is assembled" : "state 0 of " + a.states) + closed;
}

/// Else says so.
bool page_has_room(const SimulateArguments& a, const Model& model) {
  if (model.body_count() <= most_bodies_of_page) return true;
  fmt::print(stderr, "{}: notice: no trajectory.html is written: of {} bodies; a page plays at most {}\n",
             name_in(a, model), model.body_count(), most_bodies_of_page);
  return false;
}

int simulate(const SimulateArguments& a) {
  const Model model = a.model.read(a.passive);
  if (a.passive && !model.data().passive.any && model.point_forces().empty())
    fmt::print(stderr,
               "{}: notice: --passive changes nothing: no joint has damping, friction or a spring, and no forces act "
               "between points\n",
               a.model.model);
  ActingForces acting(model, a.passive, slow);
  Tensions tensions(model, acting.between_points());
  HoldingForces holding(model, a.forces);
  for (const std::string& word : holding.absent())
    fmt::print(stderr, "{}: notice: --forces {} writes nothing: the model has no {}\n", a.model.model, word, word);
  PointMotion points(model, a.points, a.model.model);
  std::optional<ComputedTorque> holder = torques_for(a, model);
  VectorXd q = to_vector(model.data().assembled), v = VectorXd::Zero(model.nv()), tau = v;
  std::vector<LinkForce> link_forces;
  std::vector<DriveTable> drives;
  if (!a.states.empty()) {
    const States states = read_states(a.states, model);
    for (const Finding& finding : states.findings)
      if (finding.message != drives_notice) fmt::print(stderr, "{}\n", to_string(finding));
    if (states.count() == 0) throw UsageError(a.states + " has no state to start from");
    q = to_vector(states.q[0]), v = to_vector(states.v[0]), tau = to_vector(states.tau[0]);
    link_forces = states.forces[0], drives = states.drives;
    acting.hold(tau), acting.hold(link_forces), acting.drive(drives);
    if (holder && (!tau.isZero(0) || !drives.empty()))
      throw UsageError(a.states + " has " + (drives.empty() ? "tau" : "drives") +
                       ", and --hold computes tau; leave one out");
  }
  Closure closure(model.data());
  if (const std::string broken = a.assemble ? "" : violation_words(closure, q, v); !broken.empty()) {
    fmt::print(stderr, "{}: {}{}; --assemble starts from a configuration near by that closes\n",
               a.states.empty() ? a.model.model : a.states, a.states.empty() ? "the start: " : "state 0: ", broken);
    return static_cast<int>(state_failed);
  }
  Simulation simulation(model, a.algorithm.options(), how(a));
  const std::filesystem::path folder(a.out), csv = folder / "trajectory.csv", svg = folder / "trajectory.svg",
                                             page = folder / "trajectory.html", last = folder / "last_state.json";
  make_folder(folder);
  for (const std::filesystem::path& file : {csv, svg, page, last, incomplete(csv)})
    if (!a.out_given && std::filesystem::exists(file))
      throw UsageError(file.string() + " is there already; give --out a folder, --out . to replace it");
  const auto fail = [&](const Status& status) {
    // a divergence tells its time itself
    const std::string when = status.code == StatusCode::diverged ? "" : fmt::format("at {:.6g} s: ", simulation.time());
    fmt::print(stderr, "{}: {}{}\n", name_in(a, model), when, acting.message(status));
    return static_cast<int>(state_failed);
  };
  const Interruption interruption;
  if (const Status started = a.assemble ? simulation.assemble(q, v) : simulation.reset(q, v); !started.ok())
    return fail(started);
  if (a.assemble) fmt::print("{}", moved_words(model, {q, v}, {simulation.q(), simulation.v()}));
  const std::string held_pose = holder ? held_words(model, holder->pose(), a.hold) : "";
  if (holder) acting.act_by(holder->control());
  GrowingFile growing(csv);
  std::vector<std::string> columns = holding.columns();
  columns.insert(columns.end(), tensions.columns().begin(), tensions.columns().end());
  std::vector<Sample> samples;
  const auto sample = [&]() -> Status {
    samples.push_back(
        {simulation.time(), simulation.q(), simulation.v(), simulation.energy(), simulation.closure_error(), {}, {}});
    Status found;
    if (holder) found = holder->torques(simulation.q(), simulation.v(), samples.back().tau);
    if (!holding.columns().empty())
      samples.back().holding =
          acting.with(simulation.time(), [&](const auto& function) { return holding.of(simulation, function); });
    for (const double x : tensions.of(simulation.q(), simulation.v())) samples.back().holding.push_back(x);
    growing.add(points.appended(
        samples.size() == 1 ? to_csv(model, samples, held_pose, columns) : csv_line(samples.back()), simulation));
    return found;
  };
  const std::clock_t began = std::clock();
  Status status = sample();
  Balance balance;
  balance.look(simulation);
  bool told = false;
  for (long k = 1; status.ok() && interruption.signal() == 0 && simulation.time() < a.seconds; ++k) {
    const double until = std::min(a.seconds, static_cast<double>(k) * a.every);
    while (status.ok() && interruption.signal() == 0 && simulation.time() < until) {
      status = acting.step_towards(simulation, until);
      if (status.ok()) balance.look(simulation);
      if (!told && a.integrator == "adaptive") told = tell_if_stiff(a, model, simulation);
    }
    if (status.ok() && interruption.signal() == 0) status = sample();
  }
  if (simulation.time() > samples.back().time)
    (void)sample();  // its last whole step, where it ended before a line's time
  if (interruption.signal() != 0) {
    fmt::print(stderr, "{}: {} at {:.6g} s; the trajectory so far is {}\n", name_in(a, model), interruption.name(),
               simulation.time(), growing.path().string());
    return interruption.exit_status();
  }
  if (!status.ok()) {
    fmt::print(stderr, "{}: the trajectory so far is {}\n", name_in(a, model), growing.path().string());
    return fail(status);
  }
  const double seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
  std::vector<FileText> written{{svg, to_svg(model, samples)},
                                {last, states_text(model, simulation.q(), simulation.v(), holder ? VectorXd() : tau,
                                                   link_forces, drives, simulation.time())}};
  if (page_has_room(a, model)) {
    std::vector<Plot> plots = tensions.plots(samples, holding.columns().size());
    for (std::vector<Plot> more : {holding.plots(samples), points.plots()})
      for (Plot& plot : more) plots.push_back(std::move(plot));
    written.push_back({page, player_page(model, a.model.model, played(model, samples, std::move(plots)))});
  }
  write_files(written);
  growing.finish();
  fmt::print("model        {}\ntime         {:.6g} s, {} steps, {} evaluations\n", name_in(a, model), simulation.time(),
             simulation.steps(), simulation.evaluations());
  fmt::print("cpu          {:.3g} s\n{}", seconds, start_words(model, where_from(a), samples));
  fmt::print("{}", balance.text(!model.data().aggregates.empty()));
  if (holder) {
    double off = 0, most = 0;
    for (const Sample& s : samples) keep_worst(most, largest_of(s.tau));
    off = largest_of(samples.back().q - holder->pose());
    fmt::print(
        "held         at {:.6g} rad/s, {:.3g} from the pose at the end (m, rad, quaternions), forces up to {:.6g}\n",
        a.hold, off, most);
  }
  if (a.check) {
    const SimulationOptions options = finer(how(a), a.every);
    Simulation again(model, a.algorithm.options(), options);
    fmt::print("{}", agreement(again, options, samples, [&](double time) { return acting.advance_to(again, time); }));
  } else {
    fmt::print("{}", agreement_hint(how(a), a.every, samples));
  }
  fmt::print("written      {}", csv.string());
  for (const FileText& file : written) fmt::print(", {}", file.file.string());
  fmt::print("\n");
  return static_cast<int>(done);
}

}  // namespace

void add_simulate(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("simulate", "A trajectory, its energy and how well loops stay closed");
  const auto a = std::make_shared<SimulateArguments>();
  a->model.add_to(*sub);
  a->algorithm.add_to(*sub, false);
  const auto positive = [sub](const char* name, double& value, const char* help) {
    add_above_zero(*sub, name, value, help);
  };
  positive("--seconds", a->seconds, "How long");
  takes_one_of(sub->add_option("--integrator", a->integrator, "How steps are taken"),
               {"semi-implicit-euler", "rk4", "adaptive", "stiff"})
      ->capture_default_str();
  positive("--step", a->step, "s; the adaptive integrator's first");
  positive("--tolerance", a->tolerance,
           "Error that a step of adaptive may make, absolute plus relative; stiff steps err less");
  positive("--every", a->every, "s between lines of the trajectory");
  sub->add_option("--states", a->states,
                  "Starts from the first of these states, holds its tau, and follows the file's drives; without, at "
                  "rest where the model says "
                  "that it is assembled (else at zero, or where loops were found to close)");
  sub->add_flag("--assemble", a->assemble,
                "Closes loops and couplings that the start leaves open, as near by as Newton's method does, and prints "
                "what it moved; without, an open start is refused");
  add_above_zero(*sub, "--hold", a->hold,
                 "rad/s: torques of all joints but floating ones, computed in every evaluation, bring the mechanism "
                 "back to where the model says that it is assembled (else zero), critically damped at this rate")
      ->default_str("");
  sub->add_flag("--passive", a->passive,
                "Damping, friction and springs of the model's joints act, and forces between points; friction fades "
                "below 1e-3 rad/s or m/s");
  const auto forces = [a](const std::vector<std::string>& words) {
    for (const std::string& word : words)
      if (word != "loops" && word != "couplings" && word != "joints")
        throw UsageError("--forces is " + word + "; known are loops, couplings, joints");
    a->forces = words;
  };
  add_list(*sub, "--forces", forces,
           "Writes what loops, couplings and joints transmit into trajectory.csv too: wrenches in axes of links")
      ->type_name("{loops,couplings,joints},...");
  sub->add_flag("--check", a->check,
                "Takes the motion again with a hundredth of the tolerance, or half the step, and says how many digits "
                "agree");
  add_list(
      *sub, "--points", [a](const std::vector<std::string>& texts) { a->points = texts; },
      "Links, or points on them (m, in the link's frame), whose poses and velocities the trajectory has too")
      ->type_name("LINK[=X:Y:Z],...");
  sub->add_option("--out", a->out,
                  "Folder for trajectory.csv, .svg, .html and last_state.json; older ones are replaced only where this "
                  "is given")
      ->capture_default_str();
  sub->callback([a, sub, &action] {
    if (!has_tolerance(how(*a).integrator) && sub->count("--tolerance") > 0)
      throw UsageError("--tolerance is that of the integrators adaptive and stiff; " + a->integrator +
                       " takes --step alone");
    if (how(*a).integrator == Integrator::stiff && sub->count("--step") > 0)
      throw UsageError("--step is the length of fixed steps, or adaptive's first; stiff finds its own: leave it out");
    a->out_given = sub->count("--out") > 0;
    action = [a] { return simulate(*a); };
  });
}

}  // namespace kinetree::bench
