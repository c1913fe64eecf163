#pragma once
// What a sweep file asks for: models x algorithms x executors x threads x batch, in named runs.

#include <cstdint>
#include <filesystem>
#include <kinetree/description.hpp>
#include <kinetree/finding.hpp>
#include <kinetree/model.hpp>
#include <kinetree/options.hpp>
#include <optional>
#include <string>
#include <vector>

#include "library/option_words.hpp"

namespace kinetree::bench {

/// Kinds of scaling: what a run varies, and what it holds.
enum class ScalingKind {
  strong,       ///< threads, of one problem
  weak_bodies,  ///< threads, and bodies in proportion to them
  weak_states,  ///< threads, and states per call in proportion to them
  size,         ///< bodies, on the same threads
  batch,        ///< threads, for states per second
  dial          ///< bodies per module
};

}  // namespace kinetree::bench

template <>
struct kinetree::Words<kinetree::bench::ScalingKind> {
  static constexpr std::array<std::string_view, 6> all{"strong", "weak-bodies", "weak-states", "size", "batch", "dial"};
};

namespace kinetree::bench {

struct ModelEntry {
  std::string name;    ///< how the report calls it
  std::string source;  ///< a family, or a file's full path
  bool is_family = false;
  std::optional<Description> made;  ///< by the program: neither a family nor a file; `source` then says how
  int copies = 1;                   ///< of a file's mechanism, on one platform
  bool optional = false;            ///< a missing file is said once in the report instead of refusing the sweep
  LoadOptions load;
  int line = 0;
};

/// How a family is called where the file gives no name.
std::string family_name(const ModelEntry& entry);

struct AlgorithmEntry {
  Options options;     ///< executor and threads come from the run
  int max_bodies = 0;  ///< larger models are left out; 0: none are
};

/// One set of cases: all combinations of its lists. Threads 1 is serial whatever the executor.
struct Run {
  std::string name;
  std::optional<ScalingKind> kind;
  std::vector<ModelEntry> models;
  std::vector<AlgorithmEntry> algorithms;
  std::vector<ExecutorKind> executors{ExecutorKind::team};
  std::vector<int> threads{1};  ///< of each rank
  std::vector<int> ranks{1};    ///< of MPI
  std::vector<int> batches{1};
  std::vector<int> lanes{0};  ///< states side by side; 0: as many as the processor allows
  bool count = false;         ///< operation counts too
  bool span = false;          ///< work and span in time too
  bool time = true;
};

struct Sweep {
  std::string name;
  std::string file;
  std::uint64_t seed = 1;
  int states = 64;  ///< random states cycled by the timed calls
  int repetitions = 9;
  double seconds = 0.005;   ///< per repetition; at least one call
  double tolerance = 1e-8;  ///< of the relative error and the residual: a case beyond it is not timed
  std::vector<Run> runs;
};

struct SweepInput {
  Sweep sweep;
  std::vector<Finding> findings;
  std::string text;               ///< of the file
  std::vector<std::string> only;  ///< runs that were kept; empty: all
};

/// Ranks of MPI.
constexpr int most_ranks = 4096;

/// States per call.
constexpr int most_batch = 1 << 20;

/// Cases that a sweep may ask for, models times algorithms times executors and so on: a slip of the pen makes millions.
constexpr double usual_cases = 10'000, many_cases = 1'000'000;

/// A sweep that asks for more than `most_cases` is an error, found before its lists and braces are expanded.
SweepInput read_sweep(const std::filesystem::path& file, double most_cases = usual_cases);
/// The same from text; `name` stands for the file in findings, paths are relative to `folder`.
SweepInput read_sweep_text(const std::string& text, const std::string& name, const std::filesystem::path& folder,
                           double most_cases = usual_cases);

/// Reads a file by read_sweep and keeps the runs that `only` names, all where it is empty. Throws InputError with every
/// finding where one of them is an error.
SweepInput read_runs(const std::filesystem::path& file, const std::vector<std::string>& only, double most_cases);

/// Leaves these runs alone in the sweep. A name that no run has is an error that lists those there are.
void keep_runs(SweepInput& input, const std::vector<std::string>& names);

/// "chain:{8,16}" -> chain:8, chain:16; several braces give all combinations.
std::vector<std::string> expand_braces(const std::string& text);

}  // namespace kinetree::bench
