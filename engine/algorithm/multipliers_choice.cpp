// Operations are those of the kernels in aggregate.hpp, coordinates.hpp, articulated_joint.hpp and multipliers.hpp,
// term by term. What both ways spend alike on children from outside is left out.
#include <algorithm>
#include <cmath>
#include <kinetree/algorithm/multipliers_choice.hpp>
#include <kinetree/model/loop_joint.hpp>
#include <limits>

namespace kinetree {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// operations of spatial algebra
constexpr double move = 42;         // X m, Xᵀ f
constexpr double product = 66;      // P m
constexpr double pairing = 11;      // m . f
constexpr double addition = 6;      // of motions or forces
constexpr double congruent = 324;   // XᵀP X
constexpr double inertia_sum = 21;  // P + P
constexpr double downdate = 42;     // P - f fᵀ

/// Of the factors that an elimination meets, the share that is not zero: a row knows the joints of its loop only.
constexpr double fill = 0.7;

double sum_to(double n) { return n * (n + 1) / 2; }

/// L D Lᵀ: `taken` pivots of n rows.
double factorization(double n, double taken) {
  double sum = 0;
  for (double s = 0; s < taken; ++s) sum += 1 + 2 * (n - 1 - s) + 2 * sum_to(n - 1 - s);
  return sum;
}

/// S x and Sᵀ f: nothing to multiply where the joint turns or slides about z.
double applied(JointType type) {
  const int f = velocity_count(type);
  if (type == JointType::revolute || type == JointType::continuous || type == JointType::prismatic) return 1;
  return f == 3 && type == JointType::spherical ? 36 : 12.0 * f;
}

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
      row_work += 400 + rows.back() * (move + 20);
      const auto count = [&](std::ptrdiff_t, int body) {
        row_work += 63 + rows.back() * (move + pairing + 1 + applied(m.joint_type[at(body)]));
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
  double sum = 0;
  if (!a.constant()) {  // K and the elimination that chooses coordinates
    sum += support.row_work;
    sum += rank * (a.velocities + 2 + fill * (a.rows - 1) * (2.0 * a.velocities + 2));
  }
  for (const int i : a.bodies) {
    const JointType type = m.joint_type[at(i)];
    const double f = velocity_count(type);
    sum += n * applied(type);                                                             // columns S X_S
    sum += applied(type) + move + product + 2 * addition;                                 // bias accelerations
    sum += pairs * (2 * pairing + 2) + n * (product + addition) + pairs * (pairing + 1);  // D
    sum += congruent + inertia_sum + n * (move + addition);                               // handed inboard
    sum += n * (2 * f + pairing + 1) + move + addition;                                   // u
    sum += 2 * n * f + move + addition + applied(type);                                   // accelerations
    for (int v = m.v_index[at(i)]; v < m.v_index[at(i + 1)]; ++v)
      if (m.armature[at(v)] != 0) {
        sum += velocity_count(type) * pairs * 3;
        break;
      }
  }
  sum += factorization(n, n) + sum_to(n - 1) * 2 * addition + n * (addition + downdate);
  sum += 2 * (2 * sum_to(n - 1) * 2 + n) + n * 2 * addition + n * (pairing + 1);
  return sum;
}

double multiplication(const ModelData& m, const Aggregate& a, const Support& support) {
  const double rows = a.rows, rank = a.velocities - a.freedoms;
  double sum = a.constant() ? 0 : support.row_work;
  for (std::size_t p = 0; p < a.bodies.size(); ++p) {
    const JointType type = m.joint_type[at(a.bodies[p])];
    const double f = velocity_count(type), S = applied(type);
    const double image = S > 1 ? f * product + f * S : 0;
    sum += inertia_sum + addition;  // handed by the child
    sum += image + factorization(f, f) + sum_to(f - 1) * 2 * addition + f * (addition + downdate);
    sum += S + f + 2 * f * f - f + 2 * f * addition + product + addition + congruent + move;
    sum += move + addition + f * (pairing + 1) + 2 * f * f - f + S;  // accelerations
    sum += f * (pairing + 1);                                        // epsilon
    double felt = 0, together = 0;
    for (std::size_t c = 0; c < support.rows.size(); ++c) {
      if (!support.feels[c][p]) continue;
      together += sum_to(support.rows[c]) + support.rows[c] * felt;
      felt += support.rows[c];
    }
    sum += felt * ((S > 1 ? S : 0) + f + 2 * f * f - f + 2 * f * addition + move + addition);  // u, y, B
    sum += 2 * f * together + 4 * f * felt;  // Omega, kappa, lambda's joint forces
  }
  sum += factorization(rows, rank) + sum_to(rank - 1) * (2 + 2 * addition + 2) + rank * (pairing + 2);
  if (a.parent >= 0) sum += rank * (addition + downdate + 2 * addition);
  return sum;
}

/// Whether every joint moves inertia when the constraints are gone: what only a loop makes heavy can't be swept.
bool tree_is_heavy(const ModelData& m, const Aggregate& a) {
  for (const int i : a.bodies) {
    bool heavy = false;
    for (int v = m.v_index[at(i)]; v < m.v_index[at(i + 1)]; ++v) heavy = heavy || m.armature[at(v)] > 0;
    for (int b = i; b < m.subtree_end[at(i)] && !heavy; ++b) {
      const RigidInertia<double>& I = m.link[at(b)].I;
      heavy = I.mass > 0 || I.I.xx + I.I.yy + I.I.zz > 0;
    }
    if (!heavy) return false;
  }
  return true;
}

}  // namespace

LoopCost loop_cost(const ModelData& model, const Aggregate& aggregate) {
  const Support support(model, aggregate);
  return {embedding(model, aggregate, support), tree_is_heavy(model, aggregate)
                                                    ? multiplication(model, aggregate, support)
                                                    : std::numeric_limits<double>::infinity()};
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

Model without_aggregates(const Model& model, const std::vector<bool>& chosen) {
  auto data = std::make_shared<ModelData>(model.data());
  data->aggregates.clear();
  std::fill(data->aggregate_of.begin(), data->aggregate_of.end(), -1);
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    if (chosen[k]) continue;
    for (const int i : model.data().aggregates[k].bodies)
      data->aggregate_of[at(i)] = static_cast<int>(data->aggregates.size());
    data->aggregates.push_back(model.data().aggregates[k]);
  }
  return Model(std::move(data));
}

}  // namespace kinetree
