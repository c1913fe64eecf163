// kinetree_peers: other people's forward dynamics beside kinetree's, one state at a time on one thread.
//
// Every peer gets the same mechanism and the same states, and is timed only where its accelerations agree. All are
// timed in turns within one process: a clock that drifts then moves all alike, and the ratios hold.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <kinetree/io/load_model.hpp>
#include <kinetree/parallel/forward_dynamics.hpp>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/peers/peer.hpp"
#include "bench/sweep/context.hpp"
#include "bench/sweep/random_states.hpp"

namespace kinetree::peers {

std::vector<PeerKind>& peer_kinds() {
  static std::vector<PeerKind> kinds;
  return kinds;
}

namespace {

constexpr std::uint64_t seed = 1;
constexpr double batch_seconds = 2e-4;  // long against the clock's resolution, short against other processes' turns

struct Arguments {
  std::vector<std::string> models, floating;  ///< as they are, and with the root link freed
  std::string json;
  int states = 64;
  int rounds = 401;
};

/// A file of configs/models, or a family of its kind where the file is not there.
std::string file_or(const char* file, const char* family) {
  const auto path = std::filesystem::path(KINETREE_MODEL_FOLDER) / file;
  return std::filesystem::exists(path) ? path.string() : family;
}

struct Case {
  std::string name;
  Model model;
  Mechanism mechanism;
};

Case read_case(const std::string& text, bool floating) {
  Reading reading;
  if (names_family(text))
    reading.description = make_description(text, {.floating_base = floating});
  else
    reading = text.ends_with(".urdf") ? read_urdf(text) : read_yaml(text);
  for (BodyDescription& body : reading.description.bodies) {
    if (body.parent != "world") continue;
    if (floating && body.joint.type == "fixed") body.joint.type = "floating";
    // Where a floating base is measured from changes nothing, and peers measure from the world.
    if (body.joint.type == "floating") body.joint.origin = {};
  }
  Model model = make_model(reading.description, {}, reading.findings);
  Mechanism mechanism = mechanism_of(reading.description, model);
  if (floating && !mechanism.floating())
    throw std::runtime_error("its root is no link fixed to the world, to be freed");
  return {names_family(text) ? text : std::filesystem::path(text).stem().string(), std::move(model),
          std::move(mechanism)};
}

class Kinetree : public Peer {
 public:
  explicit Kinetree(const Model& model)
      : dynamics_(model, {.algorithm = Algorithm::ab, .executor = ExecutorKind::serial}),
        nq_(model.nq()),
        nv_(model.nv()) {}

  void solve(const double* q, const double* v, const double* tau, double* a) override {
    const Status status =
        dynamics_.solve_columns({q, nq_, 1, nq_}, {v, nv_, 1, nv_}, {tau, nv_, 1, nv_}, {}, {a, nv_, 1, nv_});
    if (!status) throw std::runtime_error(status.message(dynamics_.model()));
  }

 private:
  ForwardDynamics dynamics_;
  std::ptrdiff_t nq_, nv_;
};

struct Contender {
  std::string name, path, refusal;
  double tolerance = 0, difference = 0;
  std::unique_ptr<Peer> peer;
  int batch = 1;                    ///< solves per round
  Eigen::Index next = 0;            ///< state; batches go on where the last ended
  std::vector<double> nanoseconds;  ///< per forward dynamics, one entry per round
};

void run(Contender& contender, const bench::StateSet& states, Eigen::Index count, Eigen::MatrixXd& a) {
  for (Eigen::Index i = 0; i < count; ++i) {
    const Eigen::Index k = contender.next;
    contender.peer->solve(states.q.col(k).data(), states.v.col(k).data(), states.tau.col(k).data(), a.col(k).data());
    contender.next = k + 1 == states.count() ? 0 : k + 1;
  }
}

double seconds(Contender& contender, const bench::StateSet& states, Eigen::MatrixXd& a) {
  const auto begin = std::chrono::steady_clock::now();
  run(contender, states, contender.batch, a);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Largest difference of a state's accelerations, relative to the largest of them. NaN where there is one.
double difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& reference) {
  if (!a.allFinite()) return std::numeric_limits<double>::quiet_NaN();
  double most = 0;
  for (Eigen::Index k = 0; k < a.cols(); ++k)
    most = std::max(
        most, (a.col(k) - reference.col(k)).lpNorm<Eigen::Infinity>() / reference.col(k).lpNorm<Eigen::Infinity>());
  return most;
}

/// kinetree first, then every peer; those that can't hold the mechanism or disagree say so in `refusal`.
std::vector<Contender> contenders(const Case& test, const bench::StateSet& states) {
  std::vector<Contender> all(1);
  all[0].name = "kinetree ab";
  all[0].path = "ForwardDynamics::solve, serial, double";
  all[0].peer = std::make_unique<Kinetree>(test.model);
  Eigen::MatrixXd reference(test.model.nv(), states.count()), a(reference);
  run(all[0], states, states.count(), reference);
  std::vector<PeerKind> kinds = peer_kinds();
  std::sort(kinds.begin(), kinds.end(), [](const PeerKind& x, const PeerKind& y) { return x.name < y.name; });
  for (const PeerKind& kind : kinds) {
    Contender& contender = all.emplace_back();
    contender.name = kind.name;
    contender.path = kind.path;
    contender.tolerance = kind.tolerance;
    try {
      contender.peer = kind.make(test.mechanism);
      run(contender, states, states.count(), a);
      contender.difference = difference(a, reference);
      if (!(contender.difference <= kind.tolerance))
        contender.refusal = fmt::format("differs by {:.1e}, more than {:.0e}", contender.difference, kind.tolerance);
    } catch (const std::exception& error) {
      contender.refusal = error.what();
    }
  }
  return all;
}

void time_all(std::vector<Contender>& all, const bench::StateSet& states, int rounds) {
  std::vector<Contender*> timed;
  for (Contender& contender : all)
    if (contender.refusal.empty()) timed.push_back(&contender);
  Eigen::MatrixXd a(states.v.rows(), states.count());
  for (Contender* contender : timed) {
    while (seconds(*contender, states, a) < batch_seconds) contender->batch *= 2;
    contender->nanoseconds.reserve(static_cast<std::size_t>(rounds));
  }
  for (int round = 0; round < rounds; ++round) {
    // Each starts as often as any other, so that none always follows the same neighbour's burst.
    std::rotate(timed.begin(), timed.begin() + 1, timed.end());
    for (Contender* contender : timed) {
      run(*contender, states, (contender->batch + 3) / 4, a);  // its data and code back into the caches
      contender->nanoseconds.push_back(seconds(*contender, states, a) / contender->batch * 1e9);
    }
  }
}

/// Linear between order statistics.
double quantile(std::vector<double> samples, double p) {
  std::sort(samples.begin(), samples.end());
  const double place = p * static_cast<double>(samples.size() - 1);
  const auto low = static_cast<std::size_t>(place);
  const std::size_t high = std::min(low + 1, samples.size() - 1);
  return samples[low] + (place - static_cast<double>(low)) * (samples[high] - samples[low]);
}

/// Median over rounds of the ratio within a round: what slows a whole round moves both.
double ratio(const Contender& contender, const Contender& own) {
  std::vector<double> ratios(own.nanoseconds.size());
  std::transform(contender.nanoseconds.begin(), contender.nanoseconds.end(), own.nanoseconds.begin(), ratios.begin(),
                 std::divides<>());
  return quantile(std::move(ratios), 0.5);
}

nlohmann::ordered_json run_case(const std::string& text, bool floating, const Arguments& arguments) {
  const Case test = read_case(text, floating);
  const bench::StateSet states = bench::random_states(test.model, arguments.states, seed);
  std::vector<Contender> all = contenders(test, states);
  time_all(all, states, arguments.rounds);
  nlohmann::ordered_json results = nlohmann::json::array();
  fmt::print("{}: {} bodies, {} freedoms{}\n  {:<16}{:>11}{:>11}{:>11}{:>9}{:>13}\n", test.name,
             test.model.body_count(), test.model.nv(), test.mechanism.floating() ? ", floating" : "", "", "median ns",
             "quartile 1", "quartile 3", "ratio", "difference");
  for (const Contender& contender : all) {
    nlohmann::ordered_json result = {{"name", contender.name}, {"path", contender.path}};
    if (!contender.refusal.empty()) {
      fmt::print("  {:<16}not timed: {}\n", contender.name, contender.refusal);
      result["refusal"] = contender.refusal;
      if (contender.peer) result["difference"] = contender.difference;
    } else {
      const double low = quantile(contender.nanoseconds, 0.25), median = quantile(contender.nanoseconds, 0.5),
                   high = quantile(contender.nanoseconds, 0.75), to_own = ratio(contender, all[0]);
      fmt::print("  {:<16}{:>11.0f}{:>11.0f}{:>11.0f}{:>9.2f}{:>13.1e}\n", contender.name, median, low, high, to_own,
                 contender.difference);
      result.update({{"median_ns", median},
                     {"quartile_1_ns", low},
                     {"quartile_3_ns", high},
                     {"ratio", to_own},
                     {"difference", contender.difference},
                     {"solves_per_round", contender.batch}});
    }
    results.push_back(std::move(result));
  }
  fmt::print("\n");
  return {{"model", test.name}, {"bodies", test.model.body_count()}, {"nv", test.model.nv()}, {"results", results}};
}

int run(const Arguments& arguments) {
  nlohmann::ordered_json report = {{"context", bench::measurement_context()},
                                   {"states", arguments.states},
                                   {"state_distribution", bench::state_distribution},
                                   {"rounds", arguments.rounds},
                                   {"cases", nlohmann::json::array()}};
  fmt::print(
      "One state at a time on one thread, {} states cycled, {} interleaved rounds.\n"
      "ratio: to kinetree in the same round, median, above 1 is slower; difference: of accelerations from kinetree's, "
      "relative.\n\n",
      arguments.states, arguments.rounds);
  int failures = 0;
  const auto add = [&](const std::string& model, bool floating) {
    try {
      report["cases"].push_back(run_case(model, floating, arguments));
    } catch (const std::exception& error) {  // the other models still count
      fmt::print(stderr, "kinetree_peers: {}: {}\n", model, error.what());
      ++failures;
    }
  };
  for (const std::string& model : arguments.models) add(model, false);
  for (const std::string& model : arguments.floating) add(model, true);
  if (arguments.json.empty()) return failures > 0;
  std::ofstream file(arguments.json);
  file << report.dump(2) << '\n';
  if (!file.flush()) throw std::runtime_error("can't write " + arguments.json);
  return failures > 0;
}

}  // namespace
}  // namespace kinetree::peers

int main(int argc, char** argv) {
  using kinetree::peers::file_or;
  kinetree::peers::Arguments arguments;
  CLI::App app("Other libraries' forward dynamics beside kinetree's, serial, in double.", "kinetree_peers");
  app.add_option("models", arguments.models,
                 ".urdf, .yaml or families; none: a 7-axis arm, chain:100, a floating quadruped");
  app.add_option("--floating", arguments.floating, "a model whose root link is freed; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--states", arguments.states, "random states, cycled")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  app.add_option("--rounds", arguments.rounds, "rounds")->check(CLI::Range(1, 1000000))->capture_default_str();
  app.add_option("--json", arguments.json, "write the results here too");
  CLI11_PARSE(app, argc, argv);
  if (arguments.models.empty() && arguments.floating.empty()) {
    arguments.models = {file_or("arm7.yaml", "chain:7"), "chain:100"};
    arguments.floating = {file_or("quadruped.yaml", "random:13:seed=7:joints=revolute")};
  }
  try {
    return kinetree::peers::run(arguments);
  } catch (const std::exception& error) {
    fmt::print(stderr, "kinetree_peers: {}\n", error.what());
    return 1;
  }
}
