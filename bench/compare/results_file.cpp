#include "bench/compare/results_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <kinetree/finding.hpp>

#include "engine/io/ill_formed_json.hpp"

namespace kinetree::bench {

using Json = nlohmann::ordered_json;

Json read_results(const std::string& path) {
  const std::filesystem::path file =
      std::filesystem::is_directory(path) ? std::filesystem::path(path) / "results.json" : std::filesystem::path(path);
  const auto refuse = [&](const std::string& why) {
    throw InputError({{Severity::error, file.string(), 0, "results", why}});
  };
  std::ifstream stream(file, std::ios::binary);
  if (!stream) refuse("can't be read; give the results.json of a sweep, or the folder that it stands in");
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  try {
    Json json = Json::parse(text);
    for (const char* key : {"context", "settings", "cases"})
      if (!json.is_object() || !json.contains(key))
        refuse(fmt::format("has no `{}`: no sweep of kinetree's wrote it", key));
    return json;
  } catch (const Json::exception& e) {
    throw InputError({ill_formed_json(e, text, file.string())});
  }
}

std::string name_of(const Json& c) {
  return fmt::format("{} {}, {} threads {}, batch {}, lanes {}", c.at("model").get<std::string>(),
                     c.at("label").get<std::string>(), c.at("executor").get<std::string>(), c.at("threads").get<int>(),
                     c.at("batch").get<int>(), c.at("lanes").get<int>());
}

}  // namespace kinetree::bench
