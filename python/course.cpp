#include "python/course.hpp"

#include <algorithm>
#include <kinetree/configuration.hpp>
#include <kinetree/forces.hpp>

#include "python/errors.hpp"

namespace kinetree::python {

Feed::Feed(const char* name, py::handle given, py::ssize_t count, py::ssize_t steps, py::ssize_t rows) {
  if (given.is_none()) return;
  const std::string n = std::to_string(rows), of_states = shape_text({count, rows});
  const std::string expected = "(" + n + ",), " + of_states + " or " + shape_text({count, steps, rows});
  Array array = Array::of(name, given, "an array of shape " + expected);
  if (!array.is_double()) raise_dtype(name, "float64", array.dtype());
  const int axes = array.dimensions();
  const bool fits = axes >= 1 && axes <= 3 && array.size(axes - 1) == rows && (axes < 2 || array.size(0) == count) &&
                    (axes < 3 || array.size(1) == steps);
  if (!fits) raise_shape(name, expected, array.sizes());
  if (!array.aligned() || (rows > 1 && array.stride(axes - 1) != static_cast<py::ssize_t>(sizeof(double))))
    array = array.contiguous();
  data_ = array.data();
  if (axes > 1) of_state_ = array.stride(0);
  if (axes > 2) of_step_ = array.stride(1);
  owner_ = array.object();
}

void Feed::copy(py::ssize_t first, py::ssize_t n, py::ssize_t step, py::ssize_t rows, double* to) const {
  if (of_state_ == rows * static_cast<py::ssize_t>(sizeof(double))) {
    std::copy_n(at(first, step), n * rows, to);
    return;
  }
  for (py::ssize_t c = 0; c < n; ++c) {
    const double* from = at(first + c, step);
    for (py::ssize_t k = 0; k < rows; ++k) *to++ = from[k];  // a call of memmove takes longer than few numbers
  }
}

void WorkersDrives::add(double begun, double time, double* tau) {
  if (begun != from_) (void)drives_.go_on_from(from_ = begun);
  tau_.setZero();
  drives_.add(time, tau_);
  for (std::ptrdiff_t k = 0; k < tau_.size(); ++k) tau[k] += tau_[k];
}

void Course::operator()(RolloutColumns& columns) {
  const std::ptrdiff_t call = calls[static_cast<std::size_t>(columns.first)]++, step = call / stages;
  const std::ptrdiff_t nv = columns.v.rows(), n = columns.v.cols();
  if (call % stages == 0 && step > 0) keep(columns.first, step, columns.q.data(), columns.v.data(), n);
  if (tau) tau.copy(columns.first, n, step, nv, columns.tau.data());
  if (f_ext) f_ext.copy(columns.first, n, step, columns.f_ext.rows(), columns.f_ext.data());
  if (!drives.empty()) drive(columns, call % stages == 0);
  if (target) pull(columns, step);
  for (std::ptrdiff_t c = 0; c < n && kd; ++c) {
    const double* gain = kd.at(columns.first + c, step);
    for (std::ptrdiff_t k = 0; k < nv; ++k) columns.tau(k, c) -= gain[k] * columns.v(k, c);
  }
  if (points != nullptr)  // where a force has no direction it is NaN, which stops the column
    (void)points->forces.add(workspaces[columns.worker], columns.q, columns.v, columns.f_ext);
  const Columns<const double> q{columns.q.data(), columns.q.rows(), n, columns.q.rows()},
      v{columns.v.data(), nv, n, nv};
  const Columns<double> sum{columns.tau.data(), nv, n, nv};
  if (passive && varying == nullptr) (void)boundary::add_passive_forces(model, q, v, sum, slow);
  if (passive && varying != nullptr)
    (void)boundary::add_passive_forces(
        *varying, {own + columns.first * varying->rows(), varying->rows(), n, varying->rows()}, q, v, sum, slow);
}

void Course::keep(std::ptrdiff_t first, std::ptrdiff_t step, const double* q, const double* v, std::ptrdiff_t n) const {
  if (every == 0 || step % every != 0 || step / every > kept) return;
  const std::ptrdiff_t nq = model.nq(), nv = model.nv();
  for (std::ptrdiff_t c = 0; c < n; ++c) {
    const std::ptrdiff_t row = (first + c) * kept + step / every - 1;
    std::copy_n(q + c * nq, nq, kept_q + row * nq);
    std::copy_n(v + c * nv, nv, kept_v + row * nv);
  }
}

void Course::pull(RolloutColumns& columns, std::ptrdiff_t step) {
  const std::ptrdiff_t nq = model.nq(), nv = model.nv(), n = columns.v.cols();
  double *const to = aim.data() + columns.first * nq, *const way = away.data() + columns.first * nv;
  target.copy(columns.first, n, step, nq, to);
  (void)boundary::difference(model, {columns.q.data(), nq, n, nq}, {to, nq, n, nq}, {way, nv, n, nv});
  for (std::ptrdiff_t c = 0; c < n; ++c) {
    const double* gain = kp.at(columns.first + c, step);
    for (std::ptrdiff_t k = 0; k < nv; ++k) columns.tau(k, c) += gain[k] * way[c * nv + k];
  }
}

void Course::drive(RolloutColumns& columns, bool first_stage) {
  WorkersDrives& tables = drives[static_cast<std::size_t>(columns.worker)];
  for (std::ptrdiff_t c = 0; c < columns.v.cols(); ++c) {
    double& begin = begun[static_cast<std::size_t>(columns.first + c)];
    if (first_stage) begin = columns.time[c];
    tables.add(begin, columns.time[c], columns.tau.data() + c * columns.tau.rows());
  }
}

}  // namespace kinetree::python
