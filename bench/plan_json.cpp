#include "bench/plan_json.hpp"

#include "bench/words.hpp"

namespace kinetree::bench {

nlohmann::ordered_json plan_json(const Options& plan) {
  nlohmann::ordered_json json{{"algorithm", to_word(plan.algorithm)}};
  if (plan.loops != Loops::embed) json["loops"] = to_word(plan.loops);  // ab alone; where the model has any
  if (plan.algorithm == Algorithm::crb) json["factorization"] = to_word(plan.factorization);
  if (plan.algorithm == Algorithm::cfa || plan.algorithm == Algorithm::modular) {
    if (plan.algorithm == Algorithm::modular) json["grain"] = plan.grain;
    json["cuts"] = to_word(plan.cuts);
    json["corrections"] = plan.corrections;
    json["elimination"] = to_word(plan.elimination);
    json["formulation"] = to_word(plan.formulation);
  }
  json["executor"] = to_word(plan.executor);
  json["threads"] = plan.threads;
  json["lanes"] = plan.lanes;
  json["branches"] = plan.branches;
  return json;
}

}  // namespace kinetree::bench
