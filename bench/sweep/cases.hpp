#pragma once
// From a sweep to its cases: one combination of model, algorithm, executor, threads and batch each, none twice.

#include <cstddef>
#include <kinetree/model.hpp>
#include <string>
#include <vector>

#include "bench/sweep/sweep_file.hpp"

namespace kinetree::bench {

/// A model of the sweep, loaded.
struct LoadedModel {
  ModelEntry entry;
  Model model;
  std::string family;  ///< as family_of gives it; "robot": a file's; "in series": two of a mechanism
};

/// The problem of one thread from which a case of weak scaling grows in step with its threads.
struct WeakBase {
  ScalingKind kind;
  std::size_t model = 0;  ///< of the problem of one thread
  int batch = 1;
};

struct Case {
  std::size_t model = 0;
  Options options;  ///< of each rank
  int batch = 1;
  int ranks = 1;  ///< of MPI, that share out the bodies, or the states of a batch
  bool time = false;
  bool count = false;
  std::vector<std::string> runs{};   ///< that asked for it
  std::vector<ScalingKind> kinds{};  ///< of these runs
  std::vector<WeakBase> weak{};      ///< at most one of each kind
  bool span = false;                 ///< work and span, in time
};

struct Cases {
  std::vector<LoadedModel> models;
  std::vector<Case> cases;         ///< grouped by model
  std::vector<std::string> notes;  ///< optional models that are missing, cases that are left out
};

/// Loads every model once; findings of all of them are added to `findings`. Cases on more than `ranks` ranks are left
/// out.
Cases make_cases(const Sweep& sweep, int ranks, std::vector<Finding>& findings);

/// The algorithm and its settings in short: "ab", "crb dense", "cfa", "modular:16 main".
std::string algorithm_label(const Options& options);

/// Threads of all its ranks.
inline int workers(const Case& c) { return c.ranks * c.options.threads; }

/// Tells a case from all others of its sweep.
std::string key_of(const std::string& model, const Case& c);

/// A case in words: "chain:64 cfa team threads 2 batch 1", "chain:64 ab serial ranks 2 threads 1 batch 1".
std::string words_of(const LoadedModel& model, const Case& c);

bool is_of(const Case& c, ScalingKind kind);

/// What comes before the size, and rotors: "chain:64" -> "chain"; "tree:2x5" -> "tree:2x"; "random:50:seed=3" ->
/// "random"; "geared:12:rotors=none" -> "geared:rotors=none".
std::string family_of(const std::string& source);

}  // namespace kinetree::bench
