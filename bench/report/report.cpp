#include "bench/report/report.hpp"

#include "bench/report/assets.hpp"
#include "bench/text_out.hpp"

namespace kinetree::bench {
namespace {

void replace_once(std::string& text, std::string_view mark, std::string_view by) {
  if (const std::size_t at = text.find(mark); at != std::string::npos) text.replace(at, mark.size(), by);
}

/// Inside a script element nothing may look like its end, or like a comment's or another script's beginning, which
/// would hide the end. In JSON a < stands in texts alone, and may be written by its number.
std::string safe_in_script(const std::string& json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) c == '<' ? out += "\\u003c" : out += c;
  return out;
}

}  // namespace

std::string report_page(const nlohmann::ordered_json& results) {
  std::string page(report_html);
  replace_once(page, "{{style}}", report_css);
  replace_once(page, "{{script}}", report_js);
  replace_once(page, "{{results}}", safe_in_script(json_text(results)));
  replace_once(page, "{{chart}}", chart_js);
  return page;
}

}  // namespace kinetree::bench
