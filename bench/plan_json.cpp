#include "bench/plan_json.hpp"

#include "library/option_words.hpp"

namespace kinetree::bench {

nlohmann::ordered_json plan_json(const Options& plan) {
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
  json["threads"] = plan.threads;
  if (plan.one_threads > 0 && plan.one_threads != plan.threads) json["one_threads"] = plan.one_threads;
  if (plan.batch_threads > 0 && plan.batch_threads != plan.threads) json["batch_threads"] = plan.batch_threads;
  if (plan.batches_by_ab && plan.batch_threads > 1) json["batch_from"] = plan.batch_from;
  json["lanes"] = plan.lanes;
  json["limbs"] = plan.limbs;
  return json;
}

}  // namespace kinetree::bench
