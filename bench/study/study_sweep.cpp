#include "bench/study/study_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <kinetree/load_model.hpp>

#include "bench/study/twice.hpp"
#include "bench/sweep/timing.hpp"
#include "engine/algorithm/lanes/instruction_set.hpp"
#include "engine/partition/limbs.hpp"
#include "parallel/weighed_operations.hpp"

namespace kinetree::bench {
namespace {

constexpr int largest_dense = 300,
              largest_composite = 2000;              ///< bodies: beyond, cubic and quadratic work takes seconds
constexpr double longest = 0.02, shortest = 0.0005;  ///< s per repetition

Run run(const char* name, std::vector<ModelEntry> models, std::vector<AlgorithmEntry> algorithms) {
  Run made;
  made.name = name, made.models = std::move(models), made.algorithms = std::move(algorithms);
  return made;
}

std::vector<AlgorithmEntry> plain(std::initializer_list<Algorithm> algorithms) {
  std::vector<AlgorithmEntry> list;
  for (const Algorithm a : algorithms) list.push_back({{.algorithm = a}, 0});
  return list;
}

std::vector<AlgorithmEntry> grains(int bodies) {
  std::vector<AlgorithmEntry> list;
  for (int grain = 1; grain < bodies; grain *= 2)
    list.push_back({{.algorithm = Algorithm::modular, .grain = grain}, 0});
  list.push_back({{.algorithm = Algorithm::ab}, 0});
  return list;
}

std::vector<int> batch_sizes(int bodies) {
  std::vector<int> sizes;
  for (const int size : {16, 256, 4096})
    if (sizes.empty() || static_cast<double>(size) * bodies <= 2e6) sizes.push_back(size);
  return sizes;
}

/// `ab` with limbs side by side, in each width that has some.
std::vector<AlgorithmEntry> in_lanes(const Model& model) {
  std::vector<AlgorithmEntry> list;
  for (const int width : limb_widths(instruction_set()))
    if (!limbs_that_pay(model.data(), width).groups.empty())
      list.push_back({{.algorithm = Algorithm::ab, .limbs = width}, 0});
  return list;
}

std::vector<Run> runs_of(const ModelEntry& entry, const std::optional<ModelEntry>& two, const Model& model,
                         const std::vector<int>& threads, const std::vector<int>& ranks) {
  using enum Algorithm;
  const int bodies = model.body_count();
  const std::vector<int> ends{1, threads.back()};
  std::vector<Run> runs{run(study_run::one_thread, {entry}, plain({automatic, ab, cfa})),
                        run(study_run::threads, {entry}, plain({automatic, ab, cfa, modular})),
                        run(study_run::dial, {entry}, grains(bodies)),
                        run(study_run::batches, {entry}, plain({automatic}))};
  runs[0].algorithms.push_back({{.algorithm = crb}, largest_composite});
  runs[0].algorithms.push_back({{.algorithm = crb, .factorization = Factorization::dense}, largest_dense});
  runs[0].count = true;
  runs[1].executors = {ExecutorKind::team, ExecutorKind::tbb, ExecutorKind::openmp}, runs[1].threads = threads;
  runs[2].threads = ends;
  runs[1].span = runs[2].span = true;
  runs[3].threads = threads, runs[3].batches = batch_sizes(bodies), runs[3].lanes = {1, 0};
  if (std::vector<AlgorithmEntry> limbs = in_lanes(model); !limbs.empty())
    runs.push_back(run(study_run::lanes, {entry}, std::move(limbs)));
  if (ranks.back() > 1) {
    runs.push_back(run(study_run::ranks, {entry}, plain({automatic})));
    runs.push_back(run(study_run::batches_on_ranks, {entry}, plain({automatic})));
    runs.back().batches = {batch_sizes(bodies).back()};
    for (Run* over : {&runs.back(), &runs.back() - 1}) over->ranks = ranks;
  }
  if (two) {
    runs.push_back(run(study_run::twice, {*two}, plain({automatic, ab, cfa})));
    runs.back().threads = ends, runs.back().count = true;
  }
  return runs;
}

/// Repetitions as long, and as many, as the time allows.
void fit_into(SweepResults& results, double seconds) {
  Sweep& s = results.sweep;
  for (s.repetitions = 9, s.seconds = longest; s.seconds > shortest && predicted_seconds(results) > seconds;)
    s.seconds = std::max(shortest, s.seconds / 1.25);
  while (s.repetitions > fewest_repetitions && predicted_seconds(results) > seconds) --s.repetitions;
}

}  // namespace

std::vector<int> usual_threads(int cores) {
  std::vector<int> list{1};
  for (int power = 2; power <= cores; power *= 2)
    for (const int threads : {power, power + power / 2})
      if (threads <= cores && threads != list.back()) list.push_back(threads);
  if (list.back() != cores) list.push_back(cores);
  return list;
}

SweepResults prepare_study(const ModelArguments& a, const std::vector<int>& threads, double seconds,
                           const std::vector<int>& ranks) {
  ModelEntry entry, two;
  entry.is_family = names_family(a.model);
  entry.name = entry.is_family ? a.model : std::filesystem::path(a.model).stem().string();
  if (a.load.floating_base) entry.name += " floating";
  if (!a.load.lock.empty()) entry.name += " locked";
  entry.source = a.model, entry.load = a.load;
  const Model model = a.read();  // findings of the first model are said here
  two.name = entry.name + ", twice", two.source = "two in series of " + a.model;
  std::vector<std::string> notes;
  try {
    two.made = twice(a.description());
    make_model(*two.made);
  } catch (const InputError& error) {
    notes.push_back(fmt::format("{}: left out, two of the mechanism in series can't be built: {}", two.name,
                                to_string(error.findings().front())));
    two.made.reset();
  }
  Sweep sweep;
  sweep.name = "study of " + entry.name, sweep.file = a.model;
  sweep.runs = runs_of(entry, two.made ? std::optional(two) : std::nullopt, model, threads, ranks);
  SweepResults results = prepared_sweep(sweep);
  results.notes.insert(results.notes.end(), notes.begin(), notes.end());
  fit_into(results, seconds);
  return results;
}

}  // namespace kinetree::bench
