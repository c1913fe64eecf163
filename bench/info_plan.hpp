#pragma once
// What `kinetree info --plan` says: the plans that `automatic` weighs, what each is predicted to take, and why one is
// taken.

#include <kinetree/calibration.hpp>
#include <kinetree/model.hpp>
#include <kinetree/options.hpp>
#include <nlohmann/json.hpp>
#include <string>

namespace kinetree::bench {

/// `options`: as the caller gave them. On one thread by the default calibration, by which `automatic` chooses there.
/// `cores`: physical cores that may be used.
nlohmann::ordered_json prediction_json(const Model& model, const Options& options, const Calibration& here, int cores);

/// Where the process's calibration comes from.
std::string calibration_in_words();

/// What to say of a calibration whose readings disagree; empty where they agree.
std::string doubt_of(double disagreement);

/// A prediction as text.
void print_prediction(const nlohmann::ordered_json& prediction);

}  // namespace kinetree::bench
