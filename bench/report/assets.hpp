#pragma once
// The parts of the report's page; embed.cmake puts their text into the program.

#include <string_view>

namespace kinetree::bench {

extern const std::string_view report_html, report_css, report_js;
extern const std::string_view chart_js;  ///< Chart.js, empty where it was not found

}  // namespace kinetree::bench
