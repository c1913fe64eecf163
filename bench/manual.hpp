#pragma once
// The manual page of the command, from the very descriptions that --help prints.

#include <CLI/CLI.hpp>
#include <string>

namespace kinetree::bench {

/// The page `kinetree.1`, as man reads it (roff, UTF-8). `version`: what stands in its footer.
std::string manual_page(const CLI::App& app, const std::string& version);

}  // namespace kinetree::bench
