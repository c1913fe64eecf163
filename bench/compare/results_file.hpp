#pragma once
// A results.json that a sweep or a study wrote, read again.

#include <nlohmann/json.hpp>
#include <string>

namespace kinetree::bench {

/// `path`: the file, or the folder that it stands in. Throws InputError where it can't be read, is no JSON or no
/// results.
nlohmann::ordered_json read_results(const std::string& path);

/// Of one of its cases: mechanism, algorithm, executor, threads, states per call, lanes.
std::string name_of(const nlohmann::ordered_json& result);

}  // namespace kinetree::bench
