#include "bench/compare/results_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <kinetree/finding.hpp>

#include "engine/io/ill_formed_json.hpp"
#include "engine/io/plain_json.hpp"

namespace kinetree::bench {

using Json = nlohmann::ordered_json;

namespace {

/// What every reader takes of a case. Throws nlohmann's exceptions; returns what is wrong with a time, else nothing.
std::string wrong_time(const Json& c) {
  const CaseKey key = key_of(c);
  if (!c.contains("median_ns")) return "";
  for (const char* time : {"median_ns", "low_ns", "high_ns"})
    if (const double ns = c.at(time); !(ns > 0))
      return fmt::format("has {} {} for {}, where a time above 0 belongs", time, ns, name_of(key));
  return c.at("repetitions_ns").empty() ? "has no `repetitions_ns` for " + name_of(key) : "";
}

}  // namespace

std::filesystem::path results_path(const std::string& path) {
  return std::filesystem::is_directory(path) ? std::filesystem::path(path) / "results.json"
                                             : std::filesystem::path(path);
}

Json read_results(const std::string& path) {
  const std::filesystem::path file = results_path(path);
  const auto refuse = [&](const std::string& why) {
    throw InputError({{Severity::error, file.string(), 0, "results", why}});
  };
  std::ifstream stream(file, std::ios::binary);
  if (!stream) refuse("can't be read; give the results.json of a sweep, or the folder that it stands in");
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  try {
    Json json = parsed_json<Json>(text);
    for (const char* key : {"context", "settings", "cases"})
      if (!json.is_object() || !json.contains(key))
        refuse(fmt::format("has no `{}`: no sweep of kinetree's wrote it", key));
    for (const Json& c : json["cases"])
      if (const std::string wrong = wrong_time(c); !wrong.empty()) refuse(wrong);
    return json;
  } catch (const Json::parse_error& e) {
    throw InputError({ill_formed_json(e, text, file.string())});
  } catch (const Json::exception& e) {
    refuse_member(file.string(), e);
  }
  return {};  // not reached: all of these throw
}

void refuse_member(const std::string& path, const Json::exception& e) {
  throw InputError({{Severity::error, path, 0, "results",
                     fmt::format("lacks what a sweep of this version writes ({}); measure again", e.what())}});
}

CaseKey key_of(const Json& c) {
  CaseKey key{c.at("model"),   c.at("label"), c.at("executor"), c.value("ranks", 1),
              c.at("threads"), c.at("batch"), c.at("lanes")};
  if (key.batch == 1) key.lanes = 1;
  return key;
}

std::string name_of(const CaseKey& key) {
  return fmt::format("{} {}, {}{} threads {}, batch {}, lanes {}", key.model, key.label, key.executor,
                     key.ranks > 1 ? fmt::format(" ranks {}", key.ranks) : "", key.threads, key.batch, key.lanes);
}

}  // namespace kinetree::bench
