#include "bench/arguments.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <kinetree/algorithm/lanes/instruction_set.hpp>
#include <kinetree/io/load_model.hpp>
#include <kinetree/parallel/planner.hpp>

#include "bench/words.hpp"

namespace kinetree::bench {
namespace {

template <class E>
CLI::Option* add_word(CLI::App& app, const std::string& name, std::string& word, const std::string& what) {
  std::vector<std::string> words(Words<E>::all.begin(), Words<E>::all.end());
  return app.add_option(name, word, what)->check(CLI::IsMember(words))->capture_default_str();
}

}  // namespace

void ModelArguments::add_to(CLI::App& app) {
  app.add_option("MODEL", model,
                 "A .urdf, .xml (MJCF), .sdf or .yaml file, or a family: chain:N, tree:BxD, star:AxN, comb:N, "
                 "random:N:seed=K, geared:N, fourbars:N")
      ->required();
  app.add_flag("--floating", load.floating_base,
               "Free the root link; its joint is called floating_base (floating_base_2 where that is taken)");
  app.add_flag("--ignore-mimic", load.ignore_mimic, "Make mimic joints independent");
}

Model ModelArguments::read() const {
  Model loaded = names_family(model) ? make_model(model, load) : load_model(model, load);
  for (const Finding& finding : loaded.findings()) fmt::print(stderr, "{}\n", to_string(finding));
  return loaded;
}

void AlgorithmArguments::add_to(CLI::App& app, bool many_states) {
  app_ = &app;
  add_word<Algorithm>(app, "--algorithm", algorithm_, "Which algorithm");
  add_word<ExecutorKind>(app, "--executor", executor_, "Who schedules tasks; with one thread all run in place");
  app.add_option("--threads", threads_, "Threads for one state; 0: as many as physical cores")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  if (many_states)
    app.add_option("--lanes", lanes_, "States side by side: 2, 4 or 8 as the processor allows; 1: none; 0: the most")
        ->check(CLI::Range(0, 64))
        ->capture_default_str();
  app.add_option("--branches", branches_,
                 "Like parts of one state side by side: branches (ab), modules of chains (modular); 1: none; 0: "
                 "automatic decides")
      ->check(CLI::Range(0, 64))
      ->capture_default_str();
  app.add_option("--grain", grain_, "Bodies per module (modular); 0: planned")->check(CLI::NonNegativeNumber);
  add_word<Cuts>(app, "--cuts", cuts_, "Which joints may be cut (cfa, modular)");
  app.add_option("--corrections", corrections_, "Residual corrections (cfa, modular); default 1")
      ->check(CLI::Range(0, 100));
  add_word<Elimination>(app, "--elimination", elimination_, "Order of eliminating constraint forces (cfa, modular)");
  add_word<Formulation>(app, "--formulation", formulation_,
                        "Velocity terms in the bias, or removed first (cfa, modular)");
  add_word<Factorization>(app, "--factorization", factorization_, "Of the mass matrix (crb)");
  add_word<Loops>(app, "--loops", loops_,
                  "Loops and couplings by embedding, by multipliers, or each aggregate by the cheaper (ab)");
}

Options AlgorithmArguments::options() const {
  Options o;
  o.algorithm = *from_word<Algorithm>(algorithm_);
  o.executor = *from_word<ExecutorKind>(executor_);
  o.threads = threads_;
  o.lanes = lanes_;
  o.branches = branches_;
  o.grain = grain_;
  o.cuts = *from_word<Cuts>(cuts_);
  o.corrections = corrections_;
  o.elimination = *from_word<Elimination>(elimination_);
  o.formulation = *from_word<Formulation>(formulation_);
  o.factorization = *from_word<Factorization>(factorization_);
  o.loops = *from_word<Loops>(loops_);
  try {
    if (o.lanes > 1) set_of_lanes(o.lanes);
    check_branches(o);
    instruction_set();
  } catch (const std::invalid_argument& e) {
    throw UsageError(e.what());
  }
  for (const std::string_view setting : settings)
    if (app_->count("--" + std::string(setting)) > 0 && !has_use_for(o.algorithm, setting))
      throw UsageError(fmt::format("--{} has no effect with --algorithm {}: it is for {}; leave it out", setting,
                                   algorithm_, who_has_use_for(setting)));
  if (o.executor == ExecutorKind::serial && app_->count("--threads") > 0 && o.threads != 1)
    throw UsageError(
        fmt::format("--threads {} has no effect with --executor serial: take --executor tbb or openmp, or leave it out",
                    o.threads));
  return o;
}

}  // namespace kinetree::bench
