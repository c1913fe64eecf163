#include "bench/report/fill_page.hpp"

#include <algorithm>

namespace kinetree::bench {

std::string filled(std::string_view text, const std::vector<PagePart>& parts) {
  std::size_t size = text.size();
  for (const PagePart& part : parts) size += part.second.size();
  std::string page;
  page.reserve(size);
  while (!text.empty()) {
    const std::size_t mark = std::min(text.find("{{"), text.size());
    page += text.substr(0, mark);
    text.remove_prefix(mark);
    if (text.empty()) break;
    const auto part = std::ranges::find_if(parts, [&](const PagePart& p) { return text.starts_with(p.first); });
    page += part == parts.end() ? text.substr(0, 2) : part->second;
    text.remove_prefix(part == parts.end() ? 2 : part->first.size());
  }
  return page;
}

std::string safe_in_script(const std::string& json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) c == '<' ? out += "\\u003c" : out += c;
  return out;
}

}  // namespace kinetree::bench
