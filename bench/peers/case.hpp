#pragma once
// One mechanism to time everybody on: kinetree's Model, and the same as plain numbers for peers.

#include <kinetree/model.hpp>
#include <string>

#include "bench/peers/function.hpp"
#include "bench/peers/mechanism.hpp"

namespace kinetree::peers {

struct Case {
  std::string name;
  Model model;
  Mechanism mechanism;
};

/// `text`: a model's file, or a family; `floating`: with the root link freed. Throws InputError for what is
/// wrong with the file, std::runtime_error for what not all peers can hold.
Case read_case(const std::string& text, bool floating);

/// How many numbers a state's result is.
Eigen::Index result_size(Function function, const Case& test);

}  // namespace kinetree::peers
