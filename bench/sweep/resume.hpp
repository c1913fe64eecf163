#pragma once
// What an interrupted sweep needs to go on where it stopped.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/sweep/results.hpp"

namespace kinetree::bench {

/// One run of the command that measured a part of the cases.
struct Sitting {
  std::string began;  ///< date, as in the context
  std::size_t cases = 0;
};

/// "4 cases from 2026-01-01T00:00:00Z on, ..."
std::string in_words(const std::vector<Sitting>& sittings);

/// What goes under "resume" in results.incomplete.json: the sweep and its models by their texts' fingerprints, and
/// every number of the finished cases.
nlohmann::ordered_json resume_json(const SweepInput& input, const SweepResults& results,
                                   const std::vector<Sitting>& sittings, const Shard& shard);

/// An interrupted sweep's results.incomplete.json. Throws InputError where there is none, or none that can be read.
nlohmann::ordered_json read_incomplete(const std::filesystem::path& folder);

/// The sweep file that it was measured from, and the runs that were asked for alone; none: all.
std::filesystem::path sweep_of(const nlohmann::ordered_json& incomplete);
std::vector<std::string> runs_of(const nlohmann::ordered_json& incomplete);
/// The part of it that was measured there.
Shard shard_of(const nlohmann::ordered_json& incomplete);

/// Whose results may be put together: those of one machine, or of machines that are alike in their context (nodes of a
/// cluster).
enum class Hosts { one, alike };

/// Puts the finished cases into `results`, prepared from the same sweep, beside those that are there, and gives the
/// sittings they are from. Throws InputError with one finding for everything that differs: machine, build, sweep,
/// models. `file` names it in findings.
std::vector<Sitting> restore(const nlohmann::ordered_json& incomplete, const std::string& file,
                             const nlohmann::ordered_json& context, const SweepInput& input, Hosts hosts,
                             SweepResults& results);

}  // namespace kinetree::bench
