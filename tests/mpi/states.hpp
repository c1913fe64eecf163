#pragma once
// Columns of random states, the same on every rank.

#include <cstring>

#include "oracle/random_state.hpp"

namespace kinetree::oracle {

template <class S>
using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;

template <class S>
struct States {
  Matrix<S> q, v, tau, f_ext;

  static std::uint64_t seed(int column) { return static_cast<std::uint64_t>(column) + 20; }
  States(const Model& model, int columns)
      : q(model.nq(), columns),
        v(model.nv(), columns),
        tau(model.nv(), columns),
        f_ext(6 * model.body_count(), columns) {
    for (int c = 0; c < columns; ++c) {
      const TestState s = random_state(model, seed(c));
      q.col(c) = s.q.template cast<S>(), v.col(c) = s.v.template cast<S>();
      tau.col(c) = s.tau.template cast<S>(), f_ext.col(c) = s.f_ext.template cast<S>();
    }
  }
};

/// memcmp: even the signs of zeros.
template <class S>
bool same_bytes(const Matrix<S>& a, const Matrix<S>& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         (a.size() == 0 || std::memcmp(a.data(), b.data(), sizeof(S) * static_cast<std::size_t>(a.size())) == 0);
}

inline int rank_of_world() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}
inline int ranks_of_world() {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

}  // namespace kinetree::oracle
