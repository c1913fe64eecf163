#include "bench/sweep/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <kinetree/compose.hpp>
#include <kinetree/load_model.hpp>
#include <map>

#include "bench/sweep/copies.hpp"
#include "bench/sweep/problems.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "library/option_table.hpp"
#include "library/option_words.hpp"
#include "library/planner.hpp"

namespace kinetree::bench {
namespace {

/// With one thread every executor runs in place: one case, called serial. Where nothing is coupled `loops` says
/// nothing.
Options normalized(Options o, ExecutorKind executor, int threads, int batch, int lanes, const Model& model) {
  if (model.data().aggregates.empty()) o.loops = Loops::embed;
  o.executor = threads == 1 ? ExecutorKind::serial : executor;
  o.threads = threads;
  o.lanes = batch == 1 ? 0 : lanes;  // one state has no other beside it
  if (o.lanes > 1 && !why_one_by_one(model, o).empty()) o.lanes = 1;
  if (batch > 1) o.limbs = 0;                  // which are of one state
  if (o.refinements == 1) o.refinements = -1;  // the default where they are used at all
  return o;
}

/// The platform floats, rather than each of the copies.
Model on_one_platform(const ModelEntry& entry) {
  LoadOptions each = entry.load;
  each.floating_base = false;
  return make_model(
      on_platform(as_loaded(read_model(entry.source).description, each), entry.copies, entry.load.floating_base));
}

class Builder {
 public:
  Builder(const Sweep& sweep, int ranks, std::vector<Finding>& findings)
      : sweep_(sweep), ranks_(ranks), findings_(findings) {}

  Cases build() {
    for (const Run& run : sweep_.runs)
      for (const ModelEntry& entry : run.models)
        for (const Problem& problem : problems(run, entry)) add(run, problem, load(problem.model), load(entry));
    if (most_ranks_ > ranks_)
      out_.notes.push_back(fmt::format("cases on more than {} ranks are left out; start the command by mpirun -n {}",
                                       ranks_, most_ranks_));
    if (composite_)
      out_.notes.emplace_back("crb is left out over ranks, which share out the bodies of ab, cfa and modular alone");
    std::stable_sort(out_.cases.begin(), out_.cases.end(),
                     [](const Case& a, const Case& b) { return a.model < b.model; });
    return std::move(out_);
  }

 private:
  /// Index into models, or -1 where it can't be had.
  int load(const ModelEntry& entry) {
    const std::string key =
        fmt::format("{} {} {} {}", entry.source, entry.load.floating_base, entry.load.ignore_mimic, entry.copies);
    if (const auto known = models_.find(key); known != models_.end()) return known->second;
    int& index = models_.emplace(key, -1).first->second;
    if (!entry.is_family && !entry.made && entry.optional && !std::filesystem::exists(entry.source)) {
      out_.notes.push_back(fmt::format("{}: left out, there is no file {}", entry.name, entry.source));
      return index;
    }
    try {
      Model model = entry.made         ? make_model(*entry.made, entry.load)
                    : entry.is_family  ? make_model(entry.source, entry.load)
                    : entry.copies > 1 ? on_one_platform(entry)
                                       : load_model(entry.source, entry.load);
      const std::string family = entry.made ? "in series" : entry.is_family ? family_of(entry.source) : "robot";
      out_.models.push_back({entry, std::move(model), family});
      index = static_cast<int>(out_.models.size()) - 1;
    } catch (const InputError& error) {
      findings_.push_back(
          {Severity::error, sweep_.file, entry.line, "model \"" + entry.name + "\"", "can't be loaded:"});
      findings_.insert(findings_.end(), error.findings().begin(), error.findings().end());
    }
    return index;
  }

  /// `one`: the model of the problem of one thread, in weak scaling.
  void add(const Run& run, const Problem& problem, int loaded, int one) {
    if (loaded < 0 || one < 0) return;
    const auto index = static_cast<std::size_t>(loaded);
    const Model& model = out_.models[index].model;
    for (const AlgorithmEntry& algorithm : run.algorithms) {
      if (algorithm.max_bodies > 0 && model.body_count() > algorithm.max_bodies) continue;
      for (const ExecutorKind executor : run.executors)
        for (const int threads : problem.threads) {
          if (executor == ExecutorKind::serial && threads > 1) continue;
          for (const int batch : problem.batches)
            for (const int lanes : run.lanes)
              for (const int ranks : problem.ranks) {
                if (problem.times > 1 && ranks * threads != 1 && ranks * threads != problem.times) continue;
                if (!can_run(algorithm.options, batch, ranks)) continue;
                Case& c = add(run, index, normalized(algorithm.options, executor, threads, batch, lanes, model), batch,
                              ranks);
                if (workers(c) != problem.times) continue;
                const bool states = *run.kind == ScalingKind::weak_states;
                add(c, {*run.kind, static_cast<std::size_t>(one), states ? batch / problem.times : batch});
              }
        }
    }
  }

  /// Over so many ranks; notes remember where not.
  bool can_run(const Options& options, int batch, int ranks) {
    most_ranks_ = std::max(most_ranks_, ranks);
    const bool composite = ranks > 1 && batch == 1 && options.algorithm == Algorithm::crb;
    composite_ = composite_ || (composite && ranks <= ranks_);
    return ranks <= ranks_ && !composite;
  }

  Case& add(const Run& run, std::size_t model, const Options& options, int batch, int ranks) {
    const Case made{.model = model, .options = options, .batch = batch, .ranks = ranks};
    const auto [found, is_new] = cases_.emplace(key_of(std::to_string(model), made), out_.cases.size());
    if (is_new) out_.cases.push_back(made);
    Case& c = out_.cases[found->second];
    c.time = c.time || run.time;
    c.count = c.count || (run.count && workers(c) == 1 && batch == 1);
    c.span = c.span || (run.span && options.threads > 1 && ranks == 1 && batch == 1);
    if (c.runs.empty() || c.runs.back() != run.name) c.runs.push_back(run.name);
    if (run.kind && !is_of(c, *run.kind)) c.kinds.push_back(*run.kind);
    return c;
  }

  static void add(Case& c, const WeakBase& base) {
    for (const WeakBase& known : c.weak)
      if (known.kind == base.kind) return;  // as large as threads ask, of the same problem
    c.weak.push_back(base);
  }

  const Sweep& sweep_;
  int ranks_;  ///< that there are
  std::vector<Finding>& findings_;
  int most_ranks_ = 1;      ///< asked for
  bool composite_ = false;  ///< crb was, over ranks
  Cases out_;
  std::map<std::string, int> models_;
  std::map<std::string, std::size_t> cases_;
};

}  // namespace

std::string algorithm_label(const Options& o) {
  const Options plain;
  std::string label(to_word(o.algorithm));
  if (o.grain > 0 && o.algorithm != Algorithm::cfa) label += fmt::format(":{}", o.grain);
  if (o.cuts != plain.cuts) label += fmt::format(" {}", to_word(o.cuts));
  if (o.elimination != plain.elimination) label += fmt::format(" {}", to_word(o.elimination));
  if (o.formulation != plain.formulation) label += fmt::format(" {}", to_word(o.formulation));
  if (o.factorization != plain.factorization) label += fmt::format(" {}", to_word(o.factorization));
  if (o.loops != plain.loops) label += fmt::format(" {}", to_word(o.loops));
  if (o.limbs != plain.limbs) label += fmt::format(" limbs:{}", o.limbs);
  if (o.refinements >= 0 && option_entry("refinements").used_by(o.algorithm))
    label += fmt::format(" +{}", o.refinements);
  return label;
}

std::string key_of(const std::string& model, const Case& c) {
  return fmt::format("{} {} {} {} {} {} {}", model, algorithm_label(c.options), to_word(c.options.executor),
                     c.options.threads, c.options.lanes, c.batch, c.ranks);
}

std::string words_of(const LoadedModel& model, const Case& c) {
  const std::string ranks = c.ranks > 1 ? fmt::format("ranks {} ", c.ranks) : "";
  return fmt::format("{} {} {} {}threads {} batch {}", model.entry.name, algorithm_label(c.options),
                     to_word(c.options.executor), ranks, c.options.threads, c.batch);
}

std::string family_of(const std::string& source) {
  const std::size_t colon = source.find(':');
  if (colon == std::string::npos) return source;
  const std::size_t end = source.find(':', colon + 1), x = source.find('x', colon);
  std::string family = x < end ? source.substr(0, x + 1) : source.substr(0, colon);
  // the same chain with and without rotors is two families: their bodies differ in number
  for (const char* key : {":rotors=", ":comb=1"})
    if (const std::size_t given = source.find(key); given != std::string::npos) family += source.substr(given);
  return family;
}

bool is_of(const Case& c, ScalingKind kind) { return std::find(c.kinds.begin(), c.kinds.end(), kind) != c.kinds.end(); }

Cases make_cases(const Sweep& sweep, int ranks, std::vector<Finding>& findings) {
  return Builder(sweep, ranks, findings).build();
}

}  // namespace kinetree::bench
