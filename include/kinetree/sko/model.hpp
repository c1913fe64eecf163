#pragma once
// SkoModel: the triple (H, A, M) on a tree (Jain 2011, Sec. 2.1).

#include <functional>
#include <kinetree/export.hpp>
#include <kinetree/sko/operators.hpp>

namespace kinetree::sko {

/// V = A* H* theta_dot; mass matrix H A M A* H*. Weights of any size, also singular or non-square.
template <class S>
struct SkoModel {
  SpaceRef space;
  Spo<S> A;
  BlockDiagonal<S> H;  ///< n_k x m_k, full row rank
  BlockDiagonal<S> M;  ///< m_k x m_k, symmetric

  const Tree& tree() const { return space->tree(); }
  int freedoms() const { return space->total(Kind::joint); }
};

/// One node of a model to be, as the four steps of Jain 2011, Sec. 8.1 find it.
template <class S>
struct NodeEquations {
  std::string name;
  std::string parent;  ///< empty: the inertial node
  Matrix<S> M;         ///< step 2: m_k x m_k, with ½ V* M V the node's kinetic energy
  Matrix<S> A;  ///< step 3: A(℘(k), k), m_℘(k) x m_k: A* V(℘) is the parent's share of V(k). Base nodes: not read
  Matrix<S> H;  ///< step 3: n_k x m_k: H* theta_dot(k) is the joint's share
};

/// Thrown for nodes that make no SKO model; the message holds every finding, one a line.
class KINETREE_EXPORT InvalidSkoModel : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// The model of nodes given in any order. Throws InvalidSkoModel: duplicate and unknown names, cycles (E_A is then not
/// nilpotent; the message names their nodes), sizes that do not fit, H without full row rank, M not symmetric or
/// indefinite, entries not finite.
template <class S>
KINETREE_EXPORT SkoModel<S> assemble(const std::string& name, const std::vector<NodeEquations<S>>& nodes);

/// How far ½ V* M V is from the energy that the user states, relative, the worst over theta_dot = each unit vector and
/// each sum of two: zero up to rounding if and only if step 2 of Sec. 8.1 holds for all theta_dot.
template <class S>
KINETREE_EXPORT S kinetic_energy_error(const SkoModel<S>& model,
                                       const std::function<S(const Stacked<S>& theta_dot)>& stated_energy);

/// The four steps of Sec. 8.1 with their proof: assembles, and throws InvalidSkoModel also where ½ V* M V is not the
/// stated energy within 1e-8 of it, naming the joint velocities that show it.
template <class S>
KINETREE_EXPORT SkoModel<S> assemble(const std::string& name, const std::vector<NodeEquations<S>>& nodes,
                                     const std::function<S(const Stacked<S>& theta_dot)>& stated_energy);

/// A* H*, whose columns are Kane's partial velocities (Jain 2011, Sec. 2.2).
template <class S>
KINETREE_EXPORT Explicit<S> partial_velocities(const SkoModel<S>& model);

/// H A M A* H*, written out (Eq. 3); for checks. See mass_matrix.hpp for the recursion.
template <class S>
KINETREE_EXPORT Explicit<S> newton_euler_product(const SkoModel<S>& model);

}  // namespace kinetree::sko
