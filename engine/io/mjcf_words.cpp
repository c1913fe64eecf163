#include "engine/io/mjcf_words.hpp"

#include <map>
#include <string>
#include <utility>

namespace kinetree::inline inner {
namespace {

constexpr auto read = MjcfPart::read, force = MjcfPart::force;

constexpr std::string_view joint =
    " name class type group pos axis springdamper limited actuatorfrclimited solreflimit solimplimit solreffriction "
    "solimpfriction stiffness range actuatorfrcrange actuatorgravcomp margin ref springref armature damping "
    "frictionloss user ";
constexpr std::string_view geom =
    " name class type contype conaffinity condim group priority size material friction mass density shellinertia "
    "solmix solref solimp margin gap fromto hfield mesh fitscale rgba fluidshape fluidcoef user ";
constexpr std::string_view site = " name class type group material size fromto rgba user ";
constexpr std::string_view mesh =
    " name class content_type file vertex normal texcoord face refpos refquat scale smoothnormal maxhullvert inertia "
    "builtin params material octree_maxdepth octree ";
constexpr std::string_view connect = " name class active solref solimp body1 body2 anchor site1 site2 ";
constexpr std::string_view weld =
    " name class active solref solimp body1 body2 relpose anchor site1 site2 torquescale ";

constexpr std::string_view tendon =
    " name class group limited actuatorfrclimited range actuatorfrcrange solreflimit solimplimit solreffriction "
    "solimpfriction margin frictionloss springlength width material rgba stiffness damping armature user ";

/// MuJoCo 3.3.8's XML reference.
constexpr MjcfWord words[] = {
    {"mujoco", "compiler", read,
     " autolimits boundmass boundinertia settotalmass balanceinertia strippath coordinate angle fitaabb eulerseq "
     "meshdir texturedir assetdir discardvisual usethread fusestatic inertiafromgeom inertiagrouprange "
     "exactmeshinertia convexhull alignfree saveinertial "},
    {"mujoco", "option", read,
     " timestep apirate impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance mpr_tolerance sleep_tolerance "
     "gravity wind magnetic density viscosity o_margin o_solref o_solimp o_friction integrator collision cone jacobian "
     "solver iterations ls_iterations noslip_iterations ccd_iterations mpr_iterations sdf_iterations sdf_initpoints "
     "actuatorgroupdisable "},
    {"mujoco", "size"},
    {"mujoco", "visual"},
    {"mujoco", "statistic"},
    {"mujoco", "default", read, " class "},
    {"mujoco", "custom"},
    {"mujoco", "extension", force},
    {"mujoco", "asset", read, " "},
    {"mujoco", "worldbody", read, " "},
    {"mujoco", "contact"},
    {"mujoco", "deformable", read, " "},
    {"mujoco", "equality", read, " "},
    {"mujoco", "tendon", read, " "},
    {"mujoco", "actuator", read, " "},
    {"mujoco", "sensor", read, " "},
    {"mujoco", "keyframe"},
    {"compiler", "lengthrange"},
    {"option", "flag", read,
     " constraint equality frictionloss limit contact passive spring damper gravity clampctrl warmstart filterparent "
     "actuation refsafe sensor midphase nativeccd eulerdamp autoreset island override energy fwdinv invdiscrete "
     "multiccd sleep "},
    {"default", "default", read, " class "},
    {"default", "joint", read, joint},
    {"default", "geom", read, geom, true},
    {"default", "site", read, site, true},
    {"default", "mesh", read, mesh},
    {"default", "material"},
    {"default", "camera"},
    {"default", "light"},
    {"default", "pair"},
    {"default", "equality", read, " class active solref solimp "},
    {"default", "tendon", read, tendon},
    {"default", "general"},
    {"default", "motor"},
    {"default", "position"},
    {"default", "velocity"},
    {"default", "intvelocity"},
    {"default", "damper"},
    {"default", "cylinder"},
    {"default", "muscle"},
    {"default", "adhesion"},
    {"default", "dcmotor"},
    {"asset", "mesh", read, mesh},
    {"asset", "material"},
    {"asset", "texture"},
    {"asset", "hfield"},
    {"asset", "skin"},
    {"asset", "model", read, " name file content_type "},
    {"mesh", "plugin"},
    {"body", "body", read, " name childclass mocap gravcomp user sleep ", true},
    {"body", "inertial", read, " mass diaginertia fullinertia ", true},
    {"body", "joint", read, joint},
    {"body", "freejoint", read, " name group align "},
    {"body", "geom", read, geom, true},
    {"body", "site", read, site, true},
    {"body", "camera"},
    {"body", "light"},
    {"body", "frame", read, " name childclass ", true},
    {"body", "replicate", read, " count sep offset euler childclass "},
    {"body", "attach", read, " model body prefix "},
    {"body", "plugin", force},
    {"body", "composite", read},  // refused: MuJoCo alone makes bodies of these two
    {"body", "flexcomp", read},
    {"geom", "plugin"},
    {"deformable", "skin"},
    {"deformable", "flex", force},
    {"equality", "connect", read, connect},
    {"equality", "weld", read, weld},
    {"equality", "joint", read, " name class active joint1 joint2 polycoef solref solimp "},
    {"equality", "tendon", read, " name class active tendon1 tendon2 polycoef solref solimp "},
    {"equality", "flex", force},
    {"equality", "flexvert", force},
    {"equality", "flexstrain", force},
    {"tendon", "fixed"},
    {"tendon", "spatial", read, tendon},
    {"fixed", "joint"},
    {"spatial", "site"},
    {"spatial", "geom"},
    {"spatial", "pulley"},
};

}  // namespace

std::span<const MjcfWord> mjcf_words() { return words; }

bool allows(const MjcfWord& word, std::string_view attribute) {
  std::string spaced(" ");
  spaced.append(attribute).append(" ");
  return word.attributes.find(spaced) != std::string_view::npos ||
         (word.placed && mjcf_pose_attributes.find(spaced) != std::string_view::npos);
}

const MjcfWord* mjcf_word(std::string_view within, std::string_view tag) {
  using Key = std::pair<std::string_view, std::string_view>;
  static const auto table = [] {
    std::map<Key, const MjcfWord*> all;
    for (const MjcfWord& word : words) all.emplace(Key{word.within, word.tag}, &word);
    return all;
  }();
  if (within == "worldbody" || within == "frame" || within == "replicate") within = "body";
  const auto found = table.find({within, tag});
  return found == table.end() ? nullptr : found->second;
}

}  // namespace kinetree::inline inner
