#pragma once
// The micro-benchmarks register themselves in four groups; all in real time, inputs varying from call to call.

namespace kinetree::bench {

void register_functions();
void register_executors();
void register_models();
void register_simulations();  ///< none where the example's model is not there

}  // namespace kinetree::bench
