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

/// What to say of a calibration whose readings disagree, or that is of cores nearer to each other, or farther, than
/// line_transfer_ns() has them now (0 for that of another machine); empty where there is no doubt.
std::string doubt_of(const Calibration& calibration, double line_transfer_now);

/// A prediction as text.
void print_prediction(const nlohmann::ordered_json& prediction);

}  // namespace kinetree::bench
