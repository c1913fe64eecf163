#include "command.hpp"

#include <iostream>
#include <map>

namespace kinetree::command {
namespace {

const std::map<std::string, Algorithm> algorithms{{"automatic", Algorithm::automatic}, {"ab", Algorithm::ab}, {"crb", Algorithm::crb},
                                                  {"cfa", Algorithm::cfa}, {"modular", Algorithm::modular}};
const std::map<std::string, ExecutorKind> executors{{"serial", ExecutorKind::serial}, {"tbb", ExecutorKind::tbb}, {"openmp", ExecutorKind::openmp}};
const std::map<std::string, Cuts> all_cuts{{"paths", Cuts::paths}, {"main", Cuts::main}, {"all", Cuts::all}};
const std::map<std::string, Elimination> eliminations{{"cyclic", Elimination::cyclic}, {"leaves-first", Elimination::leaves_first}};
const std::map<std::string, Formulation> formulations{{"direct", Formulation::direct}, {"literal", Formulation::literal}};
const std::map<std::string, Factorization> factorizations{{"sparse", Factorization::sparse}, {"dense", Factorization::dense}};

template <class T>
std::vector<std::string> words(const std::map<std::string, T>& map) {
  std::vector<std::string> list;
  for (const auto& [word, value] : map) list.push_back(word);
  return list;
}

template <class T>
std::string word_in(const std::map<std::string, T>& map, T value) {
  for (const auto& [word, v] : map)
    if (v == value) return word;
  return "";
}

}  // namespace

std::string word_of(Algorithm a) { return word_in(algorithms, a); }
std::string word_of(ExecutorKind e) { return word_in(executors, e); }
std::string word_of(Cuts c) { return word_in(all_cuts, c); }

void print(std::span<const Finding> findings) {
  for (const Finding& f : findings) std::cerr << to_string(f) << '\n';
}

void add_model(CLI::App& app, ModelArguments& a) {
  app.add_option("MODEL", a.model, "a .urdf or .yaml file, or a family: chain:N, tree:BxD, star:AxN, comb:N, random:N:seed=K")->required();
  app.add_flag("--floating", a.load.floating_base, "free the root link: joint floating_base");
  app.add_flag("--ignore-mimic", a.load.ignore_mimic, "make mimic joints independent");
}

Model load(const ModelArguments& a) {
  Model model = names_family(a.model) ? make_model(std::string_view(a.model), a.load) : load_model(a.model, a.load);
  print(model.findings());
  return model;
}

void add_solver(CLI::App& app, SolverArguments& a) {
  app.add_option("--algorithm", a.algorithm, "automatic, ab, crb, cfa or modular")->check(CLI::IsMember(words(algorithms)));
  app.add_option("--executor", a.executor, "serial, tbb or openmp")->check(CLI::IsMember(words(executors)));
  app.add_option("--threads", a.threads, "0: as many physical cores as allowed")->check(CLI::Range(0, 1024));
  app.add_option("--lanes", a.lanes, "SIMD lanes; only 1 is available")->check(CLI::Range(1, 1));
  app.add_option("--grain", a.grain, "modular: bodies per module; 0: planned")->check(CLI::Range(0, 1 << 30));
  app.add_option("--cuts", a.cuts, "cfa, modular: paths, main or all")->check(CLI::IsMember(words(all_cuts)));
  app.add_option("--corrections", a.corrections, "cfa, modular: residual corrections, default 1")->check(CLI::Range(0, 100));
  app.add_option("--elimination", a.elimination, "cfa, modular: cyclic or leaves-first")->check(CLI::IsMember(words(eliminations)));
  app.add_option("--formulation", a.formulation, "cfa, modular: direct or literal")->check(CLI::IsMember(words(formulations)));
  app.add_option("--factorization", a.factorization, "crb: sparse or dense")->check(CLI::IsMember(words(factorizations)));
}

Options options_of(const CLI::App& app, const SolverArguments& a) {
  const bool dial = a.algorithm == "cfa" || a.algorithm == "modular";
  const auto only_for = [&](const char* option, bool used, const char* whose) {
    if (app.count(option) > 0 && !used)
      throw UsageError{std::string(option) + " is for " + whose + "; " + a.algorithm + " would ignore it"};
  };
  only_for("--grain", a.algorithm == "modular", "modular");
  for (const char* option : {"--cuts", "--corrections", "--elimination", "--formulation"}) only_for(option, dial, "cfa and modular");
  only_for("--factorization", a.algorithm == "crb", "crb");
  const bool threads_given = app.count("--threads") > 0 && a.threads != 1;
  if (threads_given && app.count("--executor") > 0 && a.executor == "serial")
    throw UsageError{"--threads is for tbb and openmp; serial would ignore it"};
  Options o;
  o.algorithm = algorithms.at(a.algorithm);
  o.executor = threads_given && app.count("--executor") == 0 ? ExecutorKind::tbb : executors.at(a.executor);
  o.threads = a.threads;
  o.grain = a.grain;
  o.cuts = all_cuts.at(a.cuts);
  o.corrections = a.corrections;
  o.elimination = eliminations.at(a.elimination);
  o.formulation = formulations.at(a.formulation);
  o.factorization = factorizations.at(a.factorization);
  return o;
}

}  // namespace kinetree::command
