#include <cmath>
#include <kinetree/model.hpp>
#include <kinetree/sko/change_of_basis.hpp>
#include <kinetree/sko/constraint_force_matrices.hpp>
#include <kinetree/sko/rigid_body.hpp>

#include "engine/joint/joint.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::sko {

namespace {

template <class S>
std::string at_node(const SkoModel<S>& model, int k) {
  return "SKO model '" + model.space->name() + "', node '" + model.tree().name(k) + "': ";
}

template <class S>
int constraint_count(const ConstraintBases<S>& bases) {
  Eigen::Index columns = 0;
  for (const Matrix<S>& T : bases) columns += T.cols();
  return static_cast<int>(columns);
}

/// diag(H^⊥(k)), after each has been looked at.
template <class S>
Matrix<S> checked(const SkoModel<S>& model, const ConstraintBases<S>& bases) {
  const Space& space = *model.space;
  if (static_cast<int>(bases.size()) != space.nodes())
    throw std::invalid_argument("SKO model '" + space.name() + "': " + std::to_string(bases.size()) +
                                " constraint bases for " + std::to_string(space.nodes()) +
                                " nodes; give one per node, also where it has no columns");
  Matrix<S> H_perp = Matrix<S>::Zero(space.total(Kind::node), constraint_count(bases));
  Eigen::Index column = 0;
  for (int k = 0; k < space.nodes(); ++k) {
    const Matrix<S>& T = bases[static_cast<std::size_t>(k)];
    const int m = space.size(Kind::node, k), n = space.size(Kind::joint, k);
    if (T.rows() != m || T.cols() != m - n)
      throw std::invalid_argument(at_node(model, k) + "its constraint basis is " + std::to_string(T.rows()) + "x" +
                                  std::to_string(T.cols()) + ", it must be " + std::to_string(m) + "x" +
                                  std::to_string(m - n) + ": the node's rows by what the joint's freedoms leave");
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < m - n; ++j) {
        double product = 0, scale = 0;
        for (int r = 0; r < m; ++r) {
          const double term = to_double(S(model.H(k)(i, r) * T(r, j)));
          product += term, scale += std::abs(term);
        }
        if (!(std::abs(product) <= 1e-8 * scale))
          throw std::invalid_argument(at_node(model, k) + "column " + std::to_string(j) +
                                      " of its constraint basis does work at freedom " + std::to_string(i) +
                                      " of its joint; constraint forces must be reciprocal to H(k)*");
      }
    H_perp.block(space.offset(Kind::node, k), column, m, m - n) = T;
    column += m - n;
  }
  return H_perp;
}

/// I⁻¹ B, node by node.
template <class S>
Matrix<S> compliance_times(const SkoModel<S>& model, const Matrix<S>& B) {
  const Space& space = *model.space;
  Matrix<S> result(B.rows(), B.cols());
  for (int k = 0; k < space.nodes(); ++k) {
    const SymmetricFactor<S> I(model.M(k));
    for (int i = 0; i < I.size(); ++i) {
      const double inverse = to_double(I.inverse_pivot(i));
      if (!(inverse > 0) || !std::isfinite(inverse))
        throw std::invalid_argument(at_node(model, k) +
                                    "M(k) is not positive definite, Eq. 16 needs its inverse; join the node to its "
                                    "parent, or use Eq. 15");
    }
    const int first = space.offset(Kind::node, k), m = space.size(Kind::node, k);
    result.middleRows(first, m) = I.solve(B.middleRows(first, m));
  }
  return result;
}

/// W h (hᵀ W h)⁻¹ by h = Q R, Qᵀ W Q diagonal, R unit upper triangular (modified Gram-Schmidt, no roots): the gram
/// matrix itself would square the condition of h, 1e3 where frames stand a metre off the axis and lengths are in mm.
/// `positive` tells whether W is positive on the columns of h.
template <class S>
Matrix<S> weighted_dual(const Matrix<S>& W, const Matrix<S>& h, bool& positive) {
  Matrix<S> Q = h, T(h.rows(), h.cols()), R = Matrix<S>::Identity(h.cols(), h.cols());
  positive = true;
  for (Eigen::Index i = 0; i < h.cols(); ++i) {
    const Matrix<S> w = W * Q.col(i);
    const S inverse = S(1) / w.col(0).dot(Q.col(i));
    positive = positive && to_double(inverse) > 0 && std::isfinite(to_double(inverse));
    T.col(i) = inverse * w;
    for (Eigen::Index j = i + 1; j < h.cols(); ++j) {
      R(i, j) = T.col(i).dot(Q.col(j));
      Q.col(j) -= R(i, j) * Q.col(i);
    }
  }
  for (Eigen::Index i = h.cols(); i-- > 0;)  // T R⁻ᵀ
    for (Eigen::Index j = i + 1; j < h.cols(); ++j) T.col(i) -= R(i, j) * T.col(j);
  return T;
}

template <class S>
BlockDiagonal<S> inverse(const BlockDiagonal<S>& X) {
  BlockDiagonal<S> result{X.space, X.columns, X.rows, {}};
  for (const Matrix<S>& block : X.block) result.block.push_back(reciprocal_basis(block).transpose());
  return result;
}

}  // namespace

template <class S>
ConstraintBases<S> constraint_bases(const SkoModel<S>& model) {
  ConstraintBases<S> bases;
  for (const Matrix<S>& H : model.H.block) bases.push_back(reciprocal_complement<S>(H.transpose()));
  return bases;
}

template <class S>
ConstraintBases<S> constraint_bases(const Model& model, const S* q) {
  ConstraintBases<S> bases;
  const S rest[6]{S(0), S(0), S(0), S(0), S(0), S(0)};
  for (int k = 0; k < model.body_count(); ++k) {
    const auto i = static_cast<std::size_t>(node_of_body(model, k));  // its own inverse
    const JointType type = model.data().joint_type[i];
    const Link<S> link = cast<S>(model.data().link[i]);
    Transform<S> X_up;
    Motion<S> columns[6], cJ;
    Force<S> T[6];
    joint_at(type, link, q + model.data().q_index[i], rest, X_up, columns, cJ);
    constraint_basis(type, link, columns, T);
    const std::vector<int> rotors = rotors_of(model, static_cast<int>(i));
    const int held = 6 - velocity_count(type), turning = static_cast<int>(rotors.size());
    Matrix<S> basis = Matrix<S>::Zero(6 + turning, held + turning);
    const auto column = [&](int c) { return basis.col(c).head(6); };
    const auto six = [](auto&& x, const Force<S>& f) {
      x << f.moment.x, f.moment.y, f.moment.z, f.force.x, f.force.y, f.force.z;
    };
    for (int c = 0; c < held; ++c) six(column(c), T[c]);
    for (int r = 0; r < turning; ++r) {  // a torque on the rotor, and its reaction on the body
      S reaction[6]{S(0), S(0), S(0), S(0), S(0), S(0)};
      reaction[rotors[static_cast<std::size_t>(r)]] = S(-1);
      six(column(held + r), active_force(type, link, columns, reaction));
      basis(6 + r, held + r) = S(1);
    }
    bases.push_back(std::move(basis));
  }
  return bases;
}

template <class S>
Explicit<S> propagation(const SkoModel<S>& model) {
  return transpose(identity<S>(model.space, Kind::node) - adjacency(model.A));
}

template <class S>
Matrix<S> constraint_force_space(const SkoModel<S>& model, const ConstraintBases<S>& bases) {
  return propagation(model).matrix.transpose() * checked(model, bases);
}

template <class S>
Explicit<S> joint_force_space(const SkoModel<S>& model, const BlockDiagonal<S>& I_X) {
  expect_same(model.space, I_X.space, "joint force space");
  expect_same(I_X.rows, Kind::node, "joint force space");
  expect_same(I_X.columns, Kind::node, "joint force space");
  BlockDiagonal<S> active{model.space, Kind::node, Kind::joint, {}};
  for (int k = 0; k < model.space->nodes(); ++k) {
    bool positive = true;
    active.block.push_back(weighted_dual<S>(I_X(k), model.H(k).transpose(), positive));
    if (!positive)
      throw std::invalid_argument(at_node(model, k) +
                                  "H(k) I_X(k) H(k)* is not positive definite; choose a positive definite I_X");
  }
  return transpose(propagation(model)) * explicit_form(active);
}

template <class S>
Explicit<S> joint_force_space(const SkoModel<S>& model) {
  BlockDiagonal<S> one{model.space, Kind::node, Kind::node, {}};
  for (int k = 0; k < model.space->nodes(); ++k) {
    const int m = model.space->size(Kind::node, k);
    one.block.push_back(Matrix<S>::Identity(m, m));
  }
  return joint_force_space(model, one);
}

template <class S>
Matrix<S> constraint_force_matrix(const SkoModel<S>& model, const ConstraintBases<S>& bases) {
  const Matrix<S> T2 = constraint_force_space(model, bases);
  return T2.transpose() * compliance_times(model, T2);
}

template <class S>
Explicit<S> inverse_by_freedoms(const SkoModel<S>& model) {
  return {model.space, Kind::joint, Kind::joint,
          reduced_inverse<S>(explicit_form(model.M).matrix, partial_velocities(model).matrix)};
}

template <class S>
Explicit<S> inverse_by_constraint_forces(const SkoModel<S>& model, const Explicit<S>& T_prime,
                                         const ConstraintBases<S>& bases) {
  expect_same(model.space, T_prime.space, "inverse by constraint forces");
  expect_same(T_prime.rows, Kind::node, "inverse by constraint forces");
  expect_same(T_prime.columns, Kind::joint, "inverse by constraint forces");
  const Matrix<S> T2 = constraint_force_space(model, bases);
  return {model.space, Kind::joint, Kind::joint,
          reduced_inverse<S>(T_prime.matrix, compliance_times(model, T_prime.matrix), T2, compliance_times(model, T2))};
}

template <class S>
SkoModel<S> in_coordinates(const SkoModel<S>& model, const BlockDiagonal<S>& X, const BlockDiagonal<S>& Y) {
  const Space& old = *model.space;
  expect_same(model.space, X.space, "other coordinates");
  expect_same(model.space, Y.space, "other coordinates");
  expect_same(X.rows, Kind::node, "other coordinates of nodes");
  expect_same(Y.rows, Kind::joint, "other coordinates of joints");
  const BlockDiagonal<S> X_inverse = inverse(X), Y_inverse = inverse(Y);
  std::vector<int> m, n;
  for (int k = 0; k < old.nodes(); ++k) m.push_back(old.size(Kind::node, k)), n.push_back(old.size(Kind::joint, k));
  const auto space = std::make_shared<const Space>(old.name() + " in other coordinates", old.tree(), m, n);
  SkoModel<S> result{space, {space, {}}, {space, Kind::joint, Kind::node, {}}, {space, Kind::node, Kind::node, {}}};
  for (int k = 0; k < old.nodes(); ++k) {
    const int p = old.tree().parent(k);
    // A(℘(k), k) takes forces of k to forces of ℘(k): V to V
    result.A.weight.push_back(p < 0 ? Matrix<S>()
                                    : Matrix<S>(X_inverse(p).transpose() * model.A(k) * X(k).transpose()));
    result.H.block.push_back(Y_inverse(k).transpose() * model.H(k) * X(k).transpose());
    result.M.block.push_back(X_inverse(k).transpose() * model.M(k) * X_inverse(k));
  }
  return result;
}

template <class S>
ConstraintBases<S> in_coordinates(const ConstraintBases<S>& bases, const BlockDiagonal<S>& X) {
  ConstraintBases<S> result;
  const BlockDiagonal<S> X_inverse = inverse(X);
  for (int k = 0; k < X.space->nodes(); ++k)
    result.push_back(X_inverse(k).transpose() * bases.at(static_cast<std::size_t>(k)));
  return result;
}

#define INSTANTIATE(S)                                                                                       \
  template ConstraintBases<S> constraint_bases(const SkoModel<S>&);                                          \
  template ConstraintBases<S> constraint_bases(const Model&, const S*);                                      \
  template Explicit<S> propagation(const SkoModel<S>&);                                                      \
  template Matrix<S> constraint_force_space(const SkoModel<S>&, const ConstraintBases<S>&);                  \
  template Explicit<S> joint_force_space(const SkoModel<S>&, const BlockDiagonal<S>&);                       \
  template Explicit<S> joint_force_space(const SkoModel<S>&);                                                \
  template Matrix<S> constraint_force_matrix(const SkoModel<S>&, const ConstraintBases<S>&);                 \
  template Explicit<S> inverse_by_freedoms(const SkoModel<S>&);                                              \
  template Explicit<S> inverse_by_constraint_forces(const SkoModel<S>&, const Explicit<S>&,                  \
                                                    const ConstraintBases<S>&);                              \
  template SkoModel<S> in_coordinates(const SkoModel<S>&, const BlockDiagonal<S>&, const BlockDiagonal<S>&); \
  template ConstraintBases<S> in_coordinates(const ConstraintBases<S>&, const BlockDiagonal<S>&);
KINETREE_SKO_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace kinetree::sko
