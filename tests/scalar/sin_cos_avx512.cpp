#include "scalar/sin_cos_lanes.hpp"
#include "scalar/sin_cos_lanes_implementation.hpp"

namespace kinetree::oracle {
void sin_cos_avx512(const double* x, int count, bool full, double* sines, double* cosines) {
  sin_cos_by<Avx512>(x, count, full, sines, cosines);
}
void sin_cos_avx512(const float* x, int count, bool full, float* sines, float* cosines) {
  sin_cos_by<Avx512>(x, count, full, sines, cosines);
}
}  // namespace kinetree::oracle
