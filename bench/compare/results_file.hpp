#pragma once
// A results.json that a sweep or a study wrote, read again.

#include <compare>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace kinetree::bench {

/// The file that `path` names: itself, or results.json in that folder.
std::filesystem::path results_path(const std::string& path);

/// Of that file. Throws InputError where it can't be read, is no JSON or no results, and where a case lacks its key or
/// a timed one its times.
nlohmann::ordered_json read_results(const std::string& path);

/// Throws InputError: the results of `path` lack a member, which the exception names.
[[noreturn]] void refuse_member(const std::string& path, const nlohmann::ordered_json::exception& e);

/// What tells a case from the others of its sweep.
struct CaseKey {
  std::string model, label, executor;                ///< mechanism, algorithm as it was asked for, executor
  int ranks = 1, threads = 1, batch = 1, lanes = 1;  ///< threads of each rank; batch: states per call, of one no lanes
  auto operator<=>(const CaseKey&) const = default;
};

/// Of one of the cases of results. Throws nlohmann's exceptions where it lacks a member.
CaseKey key_of(const nlohmann::ordered_json& result);

/// "chain:64 ab, serial threads 1, batch 1, lanes 1"; of several ranks "serial ranks 4 threads 1".
std::string name_of(const CaseKey& key);

}  // namespace kinetree::bench
