#pragma once
// What a Model is made of, by the user's names: joints with their parameters, links with their inertias, loops,
// couplings and the ratios that these fix. Numbers are those of the model after fixed joints were merged; all functions
// allocate and are for set-up, not for control loops. Names that are none throw std::invalid_argument with the nearest.

#include <array>
#include <kinetree/export.hpp>
#include <kinetree/model.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kinetree {

/// A joint that moves. Lists of a number per degree of freedom are in the order of v, positions in that of q.
struct JointParameters {
  std::string name, type;                            ///< the type's word
  std::string parent, child;                         ///< links; `world` is the ground
  int body, q_index, v_index;                        ///< as Model has them
  std::vector<double> armature;                      ///< kg m² (kg)
  std::vector<double> damping, friction, stiffness;  ///< as Model::damping and its neighbours
  std::vector<double> spring_reference;              ///< positions
  std::vector<double> lower, upper;                  ///< positions; infinite: none
  std::vector<double> velocity_limit, effort_limit;  ///< of magnitudes; infinite: none
};
KINETREE_EXPORT JointParameters joint_parameters(const Model& model, std::string_view joint);

/// The rigid body that a link is, or is merged into by fixed joints, in the axes of that body's own link.
struct InertiaFacts {
  std::string link;                      ///< the body's own
  double mass;                           ///< kg
  std::array<double, 3> centre_of_mass;  ///< m, from the link's origin
  std::array<double, 6> inertia;  ///< kg m², about the centre of mass: xx, yy, zz, xy, xz, yz
};
/// Throws for a link that is fixed to the ground, too.
KINETREE_EXPORT InertiaFacts inertia_facts(const Model& model, std::string_view link);
/// kg, of all bodies that move.
KINETREE_EXPORT double total_mass(const Model& model);

/// A loop joint.
struct LoopFacts {
  std::string name, type;     ///< the type's word: what stays free
  std::string first, second;  ///< bodies' own links; `world` is the ground
  std::array<double, 3> at_first, at_second;  ///< m: origins of its frames in those links' axes, from their origins
  int rows;                                   ///< scalar constraints that are held
};
/// In the model's order, which loop_forces has.
KINETREE_EXPORT std::vector<LoopFacts> loop_facts(const Model& model);

/// Σ coefficient * position + powers of positions = offset.
struct CouplingFacts {
  struct Term {
    std::string joint;
    double coefficient;
    std::array<double, 3> powers;  ///< factors of the position's second to fourth power
  };
  std::string name;
  std::vector<Term> terms;
  double offset;
};
/// In the model's order, which coupling_forces has. Mimic joints are among them.
KINETREE_EXPORT std::vector<CouplingFacts> coupling_facts(const Model& model);

/// By how much joint `driven` turns or slides while `driver` does by 1, where couplings alone fix that in every state
/// (gears, mimic joints), through any number of them; none where they do not, as where loops take part.
KINETREE_EXPORT std::optional<double> ratio(const Model& model, std::string_view driven, std::string_view driver);

}  // namespace kinetree
