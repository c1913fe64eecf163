#include "bench/report/report.hpp"

#include "bench/report/assets.hpp"

namespace kinetree::bench {
namespace {

void replace_once(std::string& text, std::string_view mark, std::string_view by) {
  if (const std::size_t at = text.find(mark); at != std::string::npos) text.replace(at, mark.size(), by);
}

/// Inside a script element nothing may look like its end.
std::string safe_in_script(std::string text) {
  for (std::size_t at = 0; (at = text.find("</", at)) != std::string::npos; at += 3) text.replace(at, 2, "<\\/");
  return text;
}

}  // namespace

std::string report_page(const nlohmann::ordered_json& results) {
  std::string page(report_html);
  replace_once(page, "{{style}}", report_css);
  replace_once(page, "{{script}}", report_js);
  replace_once(page, "{{results}}", safe_in_script(results.dump()));
  replace_once(page, "{{chart}}", chart_js);
  return page;
}

}  // namespace kinetree::bench
