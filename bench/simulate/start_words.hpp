#pragma once
// Where a simulation starts, and whether anything moves, in words.

#include <string>
#include <vector>

#include "bench/simulate/trajectory.hpp"

namespace kinetree::bench {

/// A line: `where` ("state 0 of start.json"), at rest or with the largest velocity, and whether it stays there.
std::string start_words(const Model& model, const std::string& where, const std::vector<Sample>& samples);

}  // namespace kinetree::bench
