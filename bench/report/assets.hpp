#pragma once
// The parts of the pages; embed.cmake puts their text into the program.

#include <string_view>

namespace kinetree::bench {

extern const std::string_view report_html, report_css;
extern const std::string_view common_js;                           ///< of every page
extern const std::string_view sweep_js, comparison_js;             ///< the sections of either page
extern const std::string_view chart_js;                            ///< Chart.js, empty where it was not found
extern const std::string_view player_html, player_css, player_js;  ///< of the page that plays a motion
extern const std::string_view three_js;  ///< three.js and its OrbitControls, empty where they were not found

}  // namespace kinetree::bench
