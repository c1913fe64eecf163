#include "bench/sweep/problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "bench/sweep/family_size.hpp"
#include "library/option_words.hpp"

namespace kinetree::bench {
namespace {

bool is_weak(const Run& run) { return run.kind == ScalingKind::weak_bodies || run.kind == ScalingKind::weak_states; }

/// Threads of all ranks, ascending, with the numbers of threads and of ranks that make so many.
std::map<int, std::pair<std::set<int>, std::set<int>>> workers_of(const Run& run) {
  std::map<int, std::pair<std::set<int>, std::set<int>>> all;
  for (const int ranks : run.ranks)
    for (const int threads : run.threads)
      all[ranks * threads].first.insert(threads), all[ranks * threads].second.insert(ranks);
  return all;
}

bool over_threads(const Run& run) {
  return is_weak(run) || run.kind == ScalingKind::strong || run.kind == ScalingKind::batch;
}

/// The entry's family with so many times the bodies; nothing where there is none.
std::optional<ModelEntry> times_as_large(const ModelEntry& entry, int factor) {
  if (factor == 1) return entry;
  const std::optional<std::string> source =
      entry.is_family ? FamilySize(entry.source).times(factor) : std::optional<std::string>();
  if (!source) return std::nullopt;
  ModelEntry larger = entry;
  larger.source = *source;
  larger.name =
      entry.name == family_name(entry) ? family_name(larger) : fmt::format("{}, {} times", entry.name, factor);
  return larger;
}

/// The grains of `modular` that a run tries.
std::set<int> grains(const Run& run) {
  std::set<int> found;
  for (const AlgorithmEntry& a : run.algorithms)
    if (a.options.algorithm == Algorithm::modular && a.options.grain > 0) found.insert(a.options.grain);
  return found;
}

/// Some family that stands there with at least two sizes.
bool has_sizes(const Run& run) {
  std::map<std::string, std::set<std::string>> sizes;
  for (const ModelEntry& m : run.models)
    if (m.is_family) sizes[FamilySize(m.source).form()].insert(m.source);
  return std::any_of(sizes.begin(), sizes.end(), [](const auto& family) { return family.second.size() > 1; });
}

}  // namespace

std::vector<std::string> kind_faults(const Run& run) try {
  std::vector<std::string> faults;
  const std::string_view kind = to_word(*run.kind);
  const int most_threads = *std::max_element(run.threads.begin(), run.threads.end());
  const int most_workers = most_threads * *std::max_element(run.ranks.begin(), run.ranks.end());
  if (over_threads(run) && most_workers == 1)
    faults.push_back(
        fmt::format("kind {} varies threads or ranks, and both are 1; give a list such as threads: [1, 2, 4]", kind));
  if (over_threads(run) && !run.time)
    faults.push_back(fmt::format("kind {} is of times, and time is false; leave `time` out", kind));
  if (over_threads(run) && most_threads > 1 && run.executors == std::vector<ExecutorKind>{ExecutorKind::serial})
    faults.push_back(fmt::format("kind {} varies threads, and executors is serial; give team, tbb or openmp", kind));
  const auto [least, most] = std::minmax_element(run.batches.begin(), run.batches.end());
  if (run.kind == ScalingKind::batch && *least == 1)
    faults.emplace_back("kind batch is of many states per call, and batch is 1; give a number such as 256");
  if (run.kind == ScalingKind::weak_states && static_cast<double>(*most) * most_workers > most_batch)
    faults.push_back(
        fmt::format("kind weak-states gives {} threads {} states each, and a call takes {}; give a "
                    "smaller batch",
                    most_workers, *most, most_batch));
  if (run.kind == ScalingKind::weak_bodies)
    for (const ModelEntry& m : run.models)
      for (const auto& [factor, made_of] : workers_of(run))
        if (!times_as_large(m, factor))
          faults.push_back(
              m.is_family
                  ? fmt::format("kind weak-bodies takes {} times the bodies of {} to {} threads, and the family has no "
                                "such size; leave that number of threads out, or take chain:N",
                                factor, m.name, factor)
                  : fmt::format("kind weak-bodies varies bodies, and \"{}\" is a file; give a family such as "
                                "chain:1024, or take kind weak-states",
                                m.name));
  if (run.kind == ScalingKind::size && !has_sizes(run))
    faults.emplace_back(
        "kind size varies bodies, and no family of its models has two sizes; give braces such as \"chain:{16,256}\"");
  if (run.kind == ScalingKind::dial && grains(run).size() < 2)
    faults.push_back(
        fmt::format("kind dial varies the grain, and modular has {} grains here; give a list such as {{algorithm: "
                    "modular, grain: [1, 4, 16]}}",
                    grains(run).size()));
  std::set<std::string> once;  // a file is no family on any number of threads
  std::erase_if(faults, [&](const std::string& fault) { return !once.insert(fault).second; });
  return faults;
} catch (const InputError& error) {
  std::vector<std::string> faults;
  for (const Finding& f : error.findings()) faults.push_back(f.element + ": " + f.message);
  return faults;
}

void complete_kind(Run& run) {
  if (over_threads(run))
    for (std::vector<int>* numbers : {&run.threads, &run.ranks}) {
      numbers->push_back(1);
      std::sort(numbers->begin(), numbers->end());
      numbers->erase(std::unique(numbers->begin(), numbers->end()), numbers->end());
    }
  const auto is_automatic = [](const AlgorithmEntry& a) { return a.options.algorithm == Algorithm::automatic; };
  if (std::none_of(run.algorithms.begin(), run.algorithms.end(), is_automatic))
    run.algorithms.insert(run.algorithms.begin(), AlgorithmEntry{});
}

std::size_t count_of_workers(const Run& run) {
  const std::size_t all = run.threads.size() * run.ranks.size();
  return is_weak(run) ? 2 * all - 1 : all;
}

std::vector<Problem> problems(const Run& run, const ModelEntry& entry) {
  if (!is_weak(run)) return {{entry, run.threads, run.ranks, run.batches}};
  std::vector<Problem> all;
  for (const auto& [times, made_of] : workers_of(run)) {
    const auto& [threads, ranks] = made_of;
    // and on one, over which its speedup is
    Problem p{entry, {1}, {1}, run.batches, times};
    for (const int count : threads)
      if (count > 1) p.threads.push_back(count);
    for (const int count : ranks)
      if (count > 1) p.ranks.push_back(count);
    if (run.kind == ScalingKind::weak_bodies)
      p.model = times_as_large(entry, times).value();
    else
      for (int& batch : p.batches) batch *= times;
    all.push_back(std::move(p));
  }
  return all;
}

}  // namespace kinetree::bench
