// A study of one mechanism: its cases, the mechanism twice in series, and the sentences on results that are made up.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <kinetree/kinetree.hpp>
#include <kinetree/load_model.hpp>

#include "bench/arguments.hpp"
#include "bench/in_process.hpp"
#include "bench/pictures.hpp"
#include "bench/study/answers.hpp"
#include "bench/study/study_sweep.hpp"
#include "bench/study/twice.hpp"
#include "bench/sweep/copies.hpp"
#include "bench/sweep/random_states.hpp"
#include "bench/sweep/scaling.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/worst.hpp"

namespace kinetree::bench {
namespace {

namespace fs = std::filesystem;

TEST(Twice, AChainInSeriesIsAChainOfTwiceTheLength) {
  const Description five = make_description("chain:5");
  Description by_hand = make_description("chain:10");  // its bodies' parents, and every number of the five once more
  for (std::size_t k = 0; k < 10; ++k) {
    by_hand.bodies[k].joint.origin = five.bodies[k % 5].joint.origin;
    by_hand.bodies[k].joint.axis = five.bodies[k % 5].joint.axis;
    by_hand.bodies[k].inertial = five.bodies[k % 5].inertial;
  }
  const Model two = make_model(twice(five)), ten = make_model(by_hand);
  ASSERT_EQ(two.body_count(), 10);
  const StateSet states = random_states(ten, 3, 7);
  ForwardDynamics of_two(two, Options{}), of_ten(ten, Options{});
  Eigen::MatrixXd a(10, 3), b(10, 3);
  ASSERT_TRUE(of_two.solve(states.q, states.v, states.tau, a).ok());
  ASSERT_TRUE(of_ten.solve(states.q, states.v, states.tau, b).ok());
  EXPECT_LE((a - b).norm(), 1e-12 * b.norm());
}

TEST(Twice, CarriesLoopsCouplingsAndFloatingBases) {
  for (const char* name : {"four_bar_quadruped.yaml", "geared_humanoid.yaml", "five_bar.yaml", "humanoid.yaml"}) {
    const fs::path file = fs::path(KINETREE_MODELS) / name;
    const Reading one = read_model(file);
    const Model model = make_model(one.description), two = make_model(twice(one.description));
    EXPECT_GE(two.body_count(), 2 * model.body_count() - 1) << name;
    EXPECT_EQ(two.data().loops.size(), 2 * model.data().loops.size()) << name;
  }
}

/// On a platform that stands still each copy moves as it does alone; on one that floats all of them move it.
TEST(Copies, StandOnOnePlatform) {
  const Reading arm = read_model(std::string(KINETREE_MODELS) + "/arm7.yaml");
  const Model one = make_model(arm.description), three = make_model(on_platform(arm.description, 3, false)),
              afloat = make_model(on_platform(arm.description, 3, true));
  ASSERT_EQ(three.nv(), 3 * one.nv());
  EXPECT_EQ(afloat.nv(), 6 + 3 * one.nv());
  const StateSet s = random_states(three, 1, 4);
  Eigen::VectorXd all(three.nv()), alone(one.nv());
  ASSERT_TRUE(ForwardDynamics(three).solve(s.q, s.v, s.tau, all).ok());
  ForwardDynamics dynamics(one);
  for (int k = 0; k < 3; ++k) {
    const auto part = [&](const Eigen::MatrixXd& x) { return x.col(0).segment(k * one.nv(), one.nv()); };
    ASSERT_TRUE(dynamics.solve(part(s.q), part(s.v), part(s.tau), alone).ok());
    EXPECT_LE(largest_of(all.segment(k * one.nv(), one.nv()) - alone), 1e-10 * largest_of(alone)) << k;
  }
}

TEST(Study, TriesEveryCountOfThreads) {
  EXPECT_EQ(usual_threads(1), std::vector<int>{1});
  EXPECT_EQ(usual_threads(2), (std::vector<int>{1, 2}));
  EXPECT_EQ(usual_threads(14), (std::vector<int>{1, 2, 3, 4, 6, 8, 12, 14}));
  ModelArguments chain;
  chain.model = "chain:12";
  const SweepResults r = prepare_study(chain, {1, 2}, 5);
  ASSERT_EQ(r.models.size(), 2u);
  EXPECT_EQ(r.models[1].model.body_count(), 24);
  EXPECT_LE(predicted_seconds(r), 6) << "as long as it was given";
  int team = 0, batches = 0;
  for (const CaseResult& c : r.cases) {
    team += c.what.options.threads == 2 && c.what.options.executor == ExecutorKind::team && c.what.batch == 1;
    batches += c.what.batch > 1;
  }
  EXPECT_GE(team, 4);
  EXPECT_GE(batches, 4);
}

/// A case of chain:64 or of its double, by `ns` on median, a per cent to both sides.
void put(SweepResults& r, std::size_t model, Options options, int batch, double ns) {
  CaseResult c;
  c.what.model = model, c.what.options = options, c.what.batch = batch, c.what.time = true;
  if (options.threads > 1) c.machine.assign(9, 1.9), c.what.options.executor = ExecutorKind::team;
  for (int k = -4; k <= 4; ++k) c.ns.push_back(ns * (1 + 0.0025 * k));
  c.time = median_interval(c.ns);
  c.cut_joints = options.algorithm == Algorithm::modular ? 3 : 0, c.modules = c.cut_joints + 1;
  r.cases.push_back(c);
}

SweepResults made_up() {
  using enum Algorithm;
  SweepResults r;
  for (const char* name : {"chain:64", "chain:128"}) {
    ModelEntry entry;
    entry.name = name;
    r.models.push_back({entry, make_model(name), "chain"});
  }
  put(r, 0, {.algorithm = automatic}, 1, 10000);
  put(r, 0, {.algorithm = ab}, 1, 10000);
  put(r, 0, {.algorithm = crb}, 1, 40000);
  put(r, 0, {.algorithm = cfa}, 1, 9990);  // without a cut: ab by another name
  for (const int grain : {8, 16, 32}) put(r, 0, {.algorithm = modular, .grain = grain}, 1, 20000 - 100 * grain);
  put(r, 0, {.algorithm = modular, .threads = 2, .grain = 32}, 1, 8000);
  put(r, 0, {.algorithm = modular, .threads = 4, .grain = 16}, 1, 5000);
  put(r, 0, {.algorithm = modular, .threads = 8, .grain = 8}, 1, 9000);
  put(r, 0, {.algorithm = automatic}, 256, 2500);
  put(r, 0, {.algorithm = automatic, .threads = 4}, 256, 700);
  put(r, 0, {.algorithm = automatic, .threads = 8}, 256, 699);
  put(r, 1, {.algorithm = automatic}, 1, 20500);
  put(r, 1, {.algorithm = automatic, .threads = 8}, 1, 12000);
  find_scaling(r), judge(r);
  return r;
}

bool says(const Answer& answer, const std::string& words) { return answer.text.find(words) != std::string::npos; }

TEST(Study, AnswersFromTimings) {
  const std::vector<Answer> a = answers(made_up(), 500, {});
  ASSERT_EQ(a.size(), 6u);
  EXPECT_TRUE(says(a[0], "crb takes 4.0 times as long")) << a[0].text;
  EXPECT_TRUE(says(a[0], "automatic is the fastest of automatic, ab, crb, modular:8, modular:16, modular:32: 10"))
      << a[0].text;
  EXPECT_TRUE(says(a[1], "On one thread the best grain is 32")) << a[1].text;
  EXPECT_TRUE(says(a[1], "don't cut")) << a[1].text;
  EXPECT_TRUE(says(a[1], "On 8 threads the best grain is 8")) << a[1].text;
  EXPECT_TRUE(says(a[2], "Threads pay up to 4")) << a[2].text;
  EXPECT_TRUE(says(a[2], "A meeting of threads costs 500 ns")) << a[2].text;
  EXPECT_TRUE(says(a[2], "8 threads that share nothing were worth 1.90")) << a[2].text;
  EXPECT_TRUE(says(a[3], "100,000 on one thread")) << a[3].text;
  EXPECT_TRUE(says(a[3], "1.43 million in batches of 256 on 4 threads")) << a[3].text;
  EXPECT_FALSE(says(a[3], "on 8 threads")) << "no faster for certain: " << a[3].text;
  EXPECT_TRUE(says(a[4], "take 2.05 times as long on one thread")) << a[4].text;
}

/// Of the plan whose tasks allow the least time on the most threads, whether timings hold or not, where two readings of
/// its tasks agreed.
TEST(Study, SaysHowManyThreadsItsTasksKeepBusy) {
  SweepResults r = made_up();
  put(r, 0, {.algorithm = Algorithm::modular, .threads = 8, .grain = 16}, 1, 8000);
  find_scaling(r), judge(r);
  const auto of = [&](int grain) -> CaseResult& {
    return *std::find_if(r.cases.begin(), r.cases.end(), [&](const CaseResult& c) {
      return c.what.options.grain == grain && c.what.options.threads == 8;
    });
  };
  of(8).span = {{18000, 4000, 7200}, 0.1};   // 18000 / 8 + 7200 * 7 / 8 ns at most
  of(16).span = {{16000, 4000, 7500}, 0.1};  // 16000 / 8 + 7500 * 7 / 8
  const std::string words =
      "the tasks of modular:8 on team for 8 threads take 18 us, and 4 us along the longest path of those that wait for "
      "each other: they could keep at most 4.50 threads busy, 2.50 with what handing over costs here.";
  EXPECT_TRUE(says(answers(r, 0, {})[2], words)) << answers(r, 0, {})[2].text;
  for (CaseResult& c : r.cases) c.holds = false;
  EXPECT_TRUE(says(answers(r, 0, {})[2], words)) << answers(r, 0, {})[2].text;
  of(8).span->disagreement = 0.3;
  EXPECT_TRUE(says(answers(r, 0, {})[2], "the tasks of modular:16 on team")) << answers(r, 0, {})[2].text;
  of(16).span->disagreement = 0.3;
  EXPECT_FALSE(says(answers(r, 0, {})[2], "threads busy")) << "the machine was busy";
}

TEST(Study, CallsNoDifferenceASpeedup) {
  SweepResults r = made_up();
  std::erase_if(r.cases, [](const CaseResult& c) { return c.what.options.threads > 1; });
  put(r, 0, {.algorithm = Algorithm::automatic, .threads = 2}, 1, 9950);
  find_scaling(r), judge(r);
  const Answer threads = answers(r, 0, {})[2];
  EXPECT_TRUE(says(threads, "not faster on several threads")) << threads.text;
}

TEST(Study, SaysNothingFromTimingsThatDoNotHold) {
  SweepResults r = made_up();
  put(r, 1, {.algorithm = Algorithm::ab}, 1, 20000);
  for (CaseResult& c : r.cases) {
    c.holds = false;
    if (c.what.options.algorithm == Algorithm::ab) c.predicted_ns = c.time.median;
  }
  for (const bool predicted : {false, true}) {
    Calibration c;
    c.ab = c.dial = 1;
    const auto predictions = predicted_times(r.models[0].model, ExecutorKind::team, c, doubling_threads(8));
    const std::vector<Answer> all = answers(r, 0, predicted ? predictions : std::vector<PredictedThreads>());
    const char* words[]{"on one thread ab, ", "ab on one thread", "", "one after the other on one thread",
                        "ab takes 2.00 times as long"};
    for (std::size_t k = 0; k < 5; ++k) {
      EXPECT_TRUE(says(all[k], "No timing that this takes holds")) << all[k].question;
      if (predicted || k == 4) {
        EXPECT_TRUE(says(all[k], "Predicted, not measured: ") && says(all[k], words[k])) << all[k].text;
      } else {
        EXPECT_FALSE(says(all[k], "redicted")) << all[k].text;
      }
    }
  }
}

/// Where no module is cut off, modular is told to be ab, whether timings hold or not.
TEST(Study, SaysThatNothingIsCut) {
  SweepResults r = made_up();
  for (CaseResult& c : r.cases) c.cut_joints = 0;
  EXPECT_TRUE(says(answers(r, 0, {})[1], "modular is ab by another name"));
}

TEST(Study, LeavesAReportAndRefusesWrongArguments) {
  const pictures::Folder folder;
  const fs::path out = folder / "study";
  const Ended ended =
      command({"study", "chain:3", "--threads", "1", "--seconds", "0.05", "--varying", "--out", out.c_str()});
  EXPECT_EQ(ended.status, done) << ended.err;
  for (const char* words : {"inertias of its own for every link", "Which algorithm?", "Which grain?",
                            "How many states a second?", "report.html"})
    EXPECT_NE(ended.out.find(words), std::string::npos) << ended.out;
  EXPECT_TRUE(fs::exists(out / "report.html"));
  EXPECT_EQ(command({"study"}).status, wrong_usage);
  EXPECT_EQ(command({"study", "chain:3", "--seconds", "0"}).status, wrong_usage);
  EXPECT_EQ(command({"study", "chain:3", "--threads", "0"}).status, wrong_usage);
  EXPECT_EQ(command({"study", "no_such_file.urdf", "--out", out.c_str()}).status, wrong_input);
}

TEST(Sweep, DryRunListsCasesAndMeasuresNothing) {
  const TemporaryFile sweep("dry.yaml",
                            "runs:\n  - {name: a, models: [chain:4], algorithms: [ab, crb]}\n"
                            "  - {name: b, models: [chain:8], algorithms: [ab], count: true, time: false}\n");
  const Ended all = command({"sweep", sweep.path(), "--dry-run"});
  EXPECT_EQ(all.status, done) << all.err;
  EXPECT_NE(all.out.find("3 cases of 2 models"), std::string::npos) << all.out;
  EXPECT_NE(all.out.find("b (not timed)"), std::string::npos) << all.out;
  const Ended one = command({"sweep", sweep.path(), "--dry-run", "--only", "a"});
  EXPECT_NE(one.out.find("2 cases of 1 models"), std::string::npos) << one.out;
  EXPECT_NE(command({"sweep", sweep.path(), "--only", "c"}).err.find("has no run \"c\""), std::string::npos);
  EXPECT_EQ(command({"sweep", "--resume", "x", "--only", "a"}).status, wrong_usage);
  EXPECT_EQ(command({"sweep", "--resume", "x", "--dry-run"}).status, wrong_usage);
}

}  // namespace
}  // namespace kinetree::bench
