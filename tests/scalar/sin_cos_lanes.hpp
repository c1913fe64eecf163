#pragma once
// sin_cos of packs over arrays, from translation units compiled for one instruction set each.

namespace kinetree::oracle {

/// sines[i], cosines[i] of x[i], i < count. `full`: a register at a time, count a multiple of 16; else one by one.
void sin_cos_baseline(const double* x, int count, bool full, double* sines, double* cosines);
void sin_cos_baseline(const float* x, int count, bool full, float* sines, float* cosines);
void sin_cos_avx2(const double* x, int count, bool full, double* sines, double* cosines);
void sin_cos_avx2(const float* x, int count, bool full, float* sines, float* cosines);
void sin_cos_avx512(const double* x, int count, bool full, double* sines, double* cosines);
void sin_cos_avx512(const float* x, int count, bool full, float* sines, float* cosines);

}  // namespace kinetree::oracle
