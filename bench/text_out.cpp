#include "bench/text_out.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdio>

namespace kinetree::bench {

std::string json_text(const nlohmann::ordered_json& json, int indent) {
  using Json = nlohmann::ordered_json;
  try {
    return json.dump(indent);
  } catch (const Json::type_error&) {  // what else it may throw for a text there is not
    static std::atomic<bool> told = false;
    if (!told.exchange(true))
      fmt::print(stderr,
                 "kinetree: notice: a name or a path is not UTF-8: bytes that are not stand as U+FFFD in JSON "
                 "and HTML\n");
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
  }
}

std::string csv_cell(std::string_view text) {
  std::string out = "\"";
  if (!text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos) out += '\'';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

}  // namespace kinetree::bench
