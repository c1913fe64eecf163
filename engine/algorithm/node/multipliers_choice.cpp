// Operations are those of the kernels in aggregate.hpp, coordinates.hpp, articulated_joint.hpp and multipliers.hpp,
// term by term. What both ways spend alike on children from outside is left out.
#include "engine/algorithm/node/multipliers_choice.hpp"

#include <algorithm>
#include <kinetree/model.hpp>

#include "engine/algorithm/node/operation_counts.hpp"
#include "engine/model/loop_joint.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/tree.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

// operations of spatial algebra
constexpr double move = 42;                                   // X m, Xᵀ f
constexpr double product = 66;                                // P m
constexpr double pairing = 11;                                // m . f
constexpr double addition = 6;                                // of motions or forces
constexpr double inertia_sum = 21;                            // P + P
constexpr double rigid_product = 42;                          // I m, of a rigid body's ten numbers
constexpr double rigid_sum = 15;                              // P + I
constexpr double downdate = 42;                               // P - f fᵀ
constexpr double turn_downdate = 30;                          // where the joint turns about z: only what it leaves
constexpr double turn_product = 42, turn_rigid_product = 26;  // of its velocity products
constexpr double free_product = 35, free_row = 16;            // behind a turn without rotor; what it spares `congruent`

/// Of the factors that an elimination meets, the share that is not zero: a row knows the joints of its loop only.
constexpr double fill = 0.7;

double sum_to(double n) { return n * (n + 1) / 2; }

/// b := A⁻¹ b, A factorized.
double solution(double n) { return 2 * n * n - n; }

/// One joint as the kernels see it.
struct JointCost : CrossingOperations {
  double f;         ///< freedoms
  double add;       ///< a += S x
  double read;      ///< Sᵀ f; nothing where the joint turns or slides about z
  double image;     ///< P S
  double combined;  ///< sum of f forces, each times a number
  bool turns;       ///< about z

  JointCost(const ModelData& m, int body)
      : CrossingOperations(m.link[at(body)]), f(velocity_count(m.joint_type[at(body)])) {
    const JointType type = m.joint_type[at(body)];
    turns = is_revolute(type);
    const bool along_axes =
        turns || type == JointType::prismatic || type == JointType::spherical || type == JointType::floating;
    add = along_axes ? f : 2 * addition * f;
    read = along_axes ? 0 : pairing * f;
    image = along_axes ? 0 : product * f;
    combined = 2 * addition * f - addition;
  }
};

/// The members that a constraint is felt by, over all constraints, loops first.
struct Support {
  std::vector<std::vector<bool>> feels;
  std::vector<int> rows;
  double row_work = 0;  ///< of K and k

  Support(const ModelData& m, const Aggregate& a) {
    const auto climb = [&](int body, int above, auto&& use) {
      for (; body >= 0 && body != above; body = m.parent[at(body)]) {
        const auto found = std::lower_bound(a.bodies.begin(), a.bodies.end(), body);
        if (found == a.bodies.end() || *found != body) return;
        use(found - a.bodies.begin(), body);
      }
    };
    const auto add = [&](int count) { feels.emplace_back(a.bodies.size(), false), rows.push_back(count); };
    const auto mark = [&](int body) {
      climb(body, -1, [&](std::ptrdiff_t p, int) { feels.back()[static_cast<std::size_t>(p)] = true; });
    };
    for (const int index : a.loops) {
      const Loop& l = m.loops[at(index)];
      add(constraint_count(l.type));
      mark(l.first), mark(l.second);
      row_work += 141 + (l.first >= 0 ? move : 0) + (l.second >= 0 ? move : 0) + rows.back() * (move + pairing + 1);
      const auto count = [&](std::ptrdiff_t, int body) {
        const JointCost joint(m, body);
        row_work +=
            joint.transform + joint.composition + rows.back() * (joint.move + pairing + 1 + joint.read + joint.f);
      };
      climb(l.first, l.meet, count), climb(l.second, l.meet, count);
    }
    for (const int index : a.couplings) {
      add(1);
      for (const auto& term : m.couplings[at(index)].terms) mark(term.first);
    }
  }
};

double embedding(const ModelData& m, const Aggregate& a, const Support& support) {
  const double n = a.freedoms, rank = a.velocities - a.freedoms, pairs = sum_to(n);
  const bool grounded = a.parent < 0;
  double sum = 0;
  if (!a.constant())  // K and the elimination that chooses coordinates
    sum += support.row_work + rank * (a.velocities + 2 + fill * (a.rows - 1) * (2.0 * a.velocities + 2));
  for (const int i : a.bodies) {
    const JointCost joint(m, i);
    const double f = joint.f;
    const bool base = m.parent[at(i)] == a.parent, on_ground = base && grounded;
    const bool rigid = m.children_begin[at(i)] == m.children_begin[at(i + 1)];
    bool inner = false;
    for (const int other : a.bodies) inner = inner || m.parent[at(other)] == i;
    const bool known = a.constant() && base && joint.turns;                      // where c has its entries
    sum += (a.constant() ? 0 : joint.add) + (base ? 0 : joint.move + addition);  // accelerations of the bias
    sum += rigid ? (known ? turn_rigid_product : rigid_product) : (known ? turn_product : product);
    sum += addition;                                                         // and its forces
    sum += joint.image + n * joint.combined + pairs * (joint.read + 2 * f);  // D
    if (inner) sum += n * (joint.read + addition + 1) + n * n * 2 * f;       // with forces from outboard
    if (!on_ground)                                                          // handed inboard
      sum += rigid ? joint.rigid_congruent + rigid_sum : joint.congruent + inertia_sum;
    sum += n * (joint.move + addition);                                       // the same of forces
    sum += joint.read + 3 * n * f + (on_ground ? 0 : joint.move + addition);  // u and bias
    sum += 2 * n * f + (rigid ? 0 : joint.move + addition + joint.add);       // accelerations
    for (int v = m.v_index[at(i)]; v < m.v_index[at(i + 1)]; ++v) sum += m.armature[at(v)] != 0 ? 3 * pairs : 0;
  }
  sum += factorization_operations(n, n) + n * (pairing + 1) + solution(n);
  sum -= n * addition;                           // the first member's share is no sum
  if (!grounded) sum += inertia_sum + addition;  // to what the parent has
  if (!grounded) sum += sum_to(n - 1) * 2 * addition + n * (addition + downdate) + solution(n) + n * 2 * addition;
  return sum;
}

double multiplication(const ModelData& m, const Aggregate& a, const Support& support) {
  const double rows = a.rows, rank = a.velocities - a.freedoms;
  double sum = a.constant() ? 0 : support.row_work;
  for (std::size_t p = 0; p < a.bodies.size(); ++p) {
    const int i = a.bodies[p];
    const JointCost joint(m, i);
    const double f = joint.f;
    const bool armed = m.armature[at(m.v_index[at(i)])] != 0;
    const bool projected = joint.turns && !armed, none = f == 6 && !armed;  // what the joint shows of the inertia
    const double u = joint.read + f, y = solution(f), force = none ? 0 : joint.combined + addition;
    sum += joint.image + f * joint.read + factorization_operations(f, f) + u + (none ? 0 : y) + force;
    if (!none)
      sum += sum_to(f - 1) * 2 * addition + f * (addition + (projected ? turn_downdate : downdate));  // P - U D⁻¹ Uᵀ
    const double shown = none ? 0 : (projected ? free_product - free_row : product) + addition + joint.congruent;
    if (m.parent[at(i)] >= 0) sum += shown + joint.move + inertia_sum + addition;  // contributed to the parent
    sum += joint.move + addition + f * (none ? 1 : pairing + 1) + y + joint.add;   // accelerations
    double felt = 0, together = 0;
    for (std::size_t c = 0; c < support.rows.size(); ++c) {
      if (!support.feels[c][p]) continue;
      together += sum_to(support.rows[c]) + support.rows[c] * felt;
      felt += support.rows[c];
    }
    sum += felt * (u + y + force + 2 * f + pairing + 1 + joint.move + addition);  // u, y, B, kappa
    sum += 2 * f * together + 2 * f * felt;                                       // Omega; lambda's share of u
  }
  sum += factorization_operations(rows, rank) + sum_to(rank - 1) * (2 + 2 * addition + 2) + rank * (pairing + 2);
  if (a.parent >= 0) sum += rank * (addition + downdate + 2 * addition);
  return sum;
}

}  // namespace

LoopCost loop_cost(const ModelData& model, const Aggregate& aggregate) {
  const Support support(model, aggregate);
  return {embedding(model, aggregate, support), multiplication(model, aggregate, support)};
}

bool takes_multipliers(const ModelData& model, const Aggregate& aggregate, Loops loops) {
  if (loops != Loops::automatic) return loops == Loops::multipliers;
  const LoopCost cost = loop_cost(model, aggregate);
  return cost.multipliers < cost.embed;
}

std::vector<bool> multiplier_aggregates(const ModelData& model, Loops loops) {
  std::vector<bool> chosen;
  for (const Aggregate& a : model.aggregates) chosen.push_back(takes_multipliers(model, a, loops));
  if (std::find(chosen.begin(), chosen.end(), true) == chosen.end()) chosen.clear();
  return chosen;
}

}  // namespace kinetree::inline inner
