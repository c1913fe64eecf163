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

/// What one kind of page has that others have not.
struct Kind {
  std::string_view title, without_scripts, sections;
};

std::string page_of(const Kind& kind, const nlohmann::ordered_json& shown) {
  std::string page(report_html);
  replace_once(page, "{{title}}", kind.title);
  replace_once(page, "{{style}}", report_css);
  replace_once(page, "{{without_scripts}}", kind.without_scripts);
  replace_once(page, "{{sections}}", kind.sections);
  replace_once(page, "{{common}}", common_js);
  replace_once(page, "{{shown}}", safe_in_script(json_text(shown)));
  replace_once(page, "{{chart}}", chart_js);
  return page;
}

}  // namespace

std::string report_page(const nlohmann::ordered_json& results) {
  return page_of({"kinetree sweep",
                  "This page draws its charts with JavaScript; the numbers are in results.csv beside it.", sweep_js},
                 results);
}

std::string comparison_page(const nlohmann::ordered_json& comparison) {
  return page_of(
      {"kinetree compare", "This page draws its bars with JavaScript; kinetree compare --json prints the numbers.",
       comparison_js},
      comparison);
}

}  // namespace kinetree::bench
