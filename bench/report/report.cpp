#include "bench/report/report.hpp"

#include "bench/report/assets.hpp"
#include "bench/report/fill_page.hpp"
#include "bench/text_out.hpp"

namespace kinetree::bench {
namespace {

/// What one kind of page has that others have not.
struct Kind {
  std::string_view title, without_scripts, sections;
};

std::string page_of(const Kind& kind, const nlohmann::ordered_json& shown) {
  return filled(report_html, {{"{{title}}", kind.title},
                              {"{{style}}", report_css},
                              {"{{without_scripts}}", kind.without_scripts},
                              {"{{sections}}", kind.sections},
                              {"{{common}}", common_js},
                              {"{{shown}}", safe_in_script(json_text(shown))},
                              {"{{chart}}", chart_js}});
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
