#include "engine/io/sdf_search.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <system_error>

namespace kinetree::inline inner {

namespace fs = std::filesystem;

std::string without_scheme(const std::string& uri) {
  for (const std::string_view scheme : {"model://", "package://", "file://"})
    if (uri.starts_with(scheme)) return uri.substr(scheme.size());
  return uri;
}

bool is_remote(const std::string& uri) { return uri.starts_with("http://") || uri.starts_with("https://"); }

fs::path find_for_sdf(const std::string& uri, const fs::path& folder) {
  const std::string name = without_scheme(uri);
  if (name.empty()) return {};
  std::error_code error;
  const auto is_there = [&](const fs::path& place) { return fs::exists(place, error); };
  for (const fs::path& place : {folder / name, folder / ".." / name})
    if (is_there(place)) return place;
  for (const char* variable : {"GZ_SIM_RESOURCE_PATH", "IGN_GAZEBO_RESOURCE_PATH"}) {
    const char* const listed = std::getenv(variable);
    std::string_view left = listed ? listed : "";
    while (!left.empty()) {
      const std::string_view one = left.substr(0, left.find(':'));
      left.remove_prefix(std::min(one.size() + 1, left.size()));
      if (!one.empty() && is_there(fs::path(one) / name)) return fs::path(one) / name;
    }
  }
  return {};
}

}  // namespace kinetree::inline inner
