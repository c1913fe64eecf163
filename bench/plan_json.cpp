#include "bench/plan_json.hpp"

#include "library/option_words.hpp"

namespace kinetree::bench {

nlohmann::ordered_json plan_json(const Plan& plan) {
  nlohmann::ordered_json json{{"algorithm", to_word(plan.algorithm)}};
  if (plan.loops != Loops::embed) json["loops"] = to_word(plan.loops);  // ab alone; where the model has any
  if (plan.algorithm == Algorithm::crb) json["factorization"] = to_word(plan.factorization);
  if (plan.algorithm == Algorithm::cfa || plan.algorithm == Algorithm::modular) {
    if (plan.algorithm == Algorithm::modular) json["grain"] = plan.grain;
    json["cuts"] = to_word(plan.cuts);
    json["refinements"] = plan.refinements;
    json["elimination"] = to_word(plan.elimination);
    json["formulation"] = to_word(plan.formulation);
  }
  json["executor"] = to_word(plan.executor);
  json["one_threads"] = plan.one_threads;
  json["limbs"] = plan.limbs;
  if (plan.batch_algorithm != plan.algorithm) json["batch_algorithm"] = to_word(plan.batch_algorithm);
  if (plan.batch_loops != plan.loops) json["batch_loops"] = to_word(plan.batch_loops);
  json["batch_threads"] = plan.batch_threads;
  if (plan.batch_threads > 1) json["batch_from"] = plan.batch_from;
  json["lanes"] = plan.lanes;
  return json;
}

}  // namespace kinetree::bench
