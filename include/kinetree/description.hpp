#pragma once
// The mechanism in the user's words: names, the user's order, the user's frames. Nothing is checked here.

#include <array>
#include <kinetree/export.hpp>
#include <kinetree/joint_type.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kinetree {

using Numbers3 = std::array<double, 3>;

/// A placement: position of a frame's origin (m) and its orientation, a quaternion [x, y, z, w] that maps the
/// placed frame's coordinates to the frame it is placed in.
struct Placement {
  Numbers3 xyz{0, 0, 0};
  std::array<double, 4> quaternion{0, 0, 0, 1};

  bool operator==(const Placement&) const = default;
};

/// The quaternion [x, y, z, w] of fixed-axis roll, pitch, yaw (rad) as in URDF, Rz(yaw) Ry(pitch) Rx(roll): from the
/// placed frame's coordinates to those of the frame it is placed in.
KINETREE_EXPORT std::array<double, 4> quaternion_from_rpy(const Numbers3& rpy);

/// Mass properties as the user states them.
struct InertialDescription {
  double mass = 0;                  ///< kg
  Placement frame;                  ///< centre of mass and inertia axes in the body's frame
  std::array<double, 6> inertia{};  ///< kg m²: xx, yy, zz, xy, xz, yz about the centre of mass, in `frame`'s axes
  int line = 0;                     ///< of the file; 0: none, here and below
};

/// How a shape looks; what the file does not say is empty.
struct MaterialDescription {
  std::string name;
  std::optional<std::array<double, 4>> rgba;  ///< 0 to 1 each
  std::string texture;                        ///< path or URI, as the file has it

  bool operator==(const MaterialDescription&) const = default;
};

/// A shape on a link, for pictures or for contacts: data for the caller, without a part in the dynamics.
struct ShapeDescription {
  std::string name;          ///< may be empty
  std::string type;          ///< a word of shape_type_names
  std::vector<double> size;  ///< m, as shape_type_names says; of a mesh its three scales
  std::string mesh;          ///< of a mesh alone: path or URI, as the file has it
  Placement frame;           ///< in the link's frame
  std::optional<MaterialDescription> material;
  int line = 0;
};

/// box: lengths along x, y, z. sphere: radius. cylinder, capsule: radius and length along z (a capsule's between its
/// two half spheres). ellipsoid: half axes along x, y, z. plane: through the origin across z, lengths along x and y, or
/// none where it has no end. mesh: scales along x, y, z.
inline constexpr std::array<std::string_view, 7> shape_type_names{"box",       "sphere", "cylinder", "capsule",
                                                                  "ellipsoid", "plane",  "mesh"};

/// A sensor and where it sits.
struct SensorDescription {
  std::string name;
  std::string type;  ///< the format's own word: imu, force_torque, gyro, camera, ...
  std::string link;  ///< a body's name, or `world`
  Placement frame;   ///< in the link's frame
  int line = 0;
};

/// A URDF mimic element: position = multiplier * position of `joint` + offset (rad or m).
struct MimicDescription {
  std::string joint;
  double multiplier = 1;
  double offset = 0;
};

/// Numbers of a joint: none; one, for all its degrees of freedom; or one per degree of freedom, in the order of v.
using PerFreedom = std::vector<double>;

/// Forces of a joint that its motion alone determines (add_passive_forces has the law); none: zero. None is negative.
struct PassiveDescription {
  PerFreedom damping;             ///< of the force against a velocity: Nm s/rad, N s/m
  PerFreedom friction;            ///< the force against any motion, whatever its speed (Coulomb): Nm, N
  PerFreedom stiffness;           ///< of a spring: Nm/rad, N/m
  std::vector<double> reference;  ///< where the spring is at rest, as q has the joint's positions; none: at zero
};

/// What a joint can do; none: no limit. Infinite numbers are no limits.
struct LimitsDescription {
  PerFreedom lower, upper;  ///< of positions: rad, m; joints whose positions have a quaternion have none
  PerFreedom velocity;      ///< of its magnitude: rad/s, m/s
  PerFreedom effort;        ///< of the magnitude of the joint force: Nm, N
};

/// The joint that carries a body.
struct JointDescription {
  std::string name;
  std::string type;               ///< a word of joint_type_names; checked later so that all findings come together
  Numbers3 axis{0, 0, 1};         ///< in the joint frame; its length does not matter
  std::optional<Numbers3> axis2;  ///< second axis, in the joint frame at q = 0; of types whose facts have it
  double pitch = 0;               ///< m per rad; of types whose facts have it
  Placement origin;               ///< of the joint frame in the parent body's frame
  double armature = 0;  ///< reflected rotor inertia of every degree of freedom (kg m²; kg where it is a translation)
  PassiveDescription passive;
  LimitsDescription limits;
  std::optional<MimicDescription> mimic;
  int line = 0;
};

/// A number that joints of some types have beside their axes; readers, the writer and checks go by this list.
struct JointNumber {
  std::string_view key;  ///< in YAML
  double JointDescription::*number;
  bool JointFacts::*given;  ///< whether a type has it
};
inline constexpr std::array<JointNumber, 1> joint_numbers{{{"pitch", &JointDescription::pitch, &JointFacts::pitch}}};

/// A body and the joint that carries it. The body's frame is the joint frame, moved by the joint.
struct BodyDescription {
  std::string name;
  std::string parent;  ///< a body's name, or `world`
  JointDescription joint;
  std::optional<InertialDescription> inertial;  ///< none: massless
  std::vector<ShapeDescription> visuals, collisions;
  int line = 0;
};

/// A loop joint: a joint that closes a loop. Both frames coincide where the mechanism is assembled and the joint at
/// zero.
struct LoopDescription {
  struct End {
    std::string body;  ///< a body's name, or `world`
    Placement frame;   ///< of the loop joint in that body's frame
  };
  std::string name;
  std::string type;               ///< what stays free: a word of loop_type_names
  Numbers3 axis{0, 0, 1};         ///< in both frames; types with an axis only
  std::optional<Numbers3> axis2;  ///< universal only: fixed in the second frame, `axis` in the first
  End first, second;
  int line = 0;
};

/// A relation of joint positions: the sum of coefficient * position is the offset (gears, belts, differentials). A term
/// may have higher powers of its position too (cams, knees whose shank slides on the thigh).
struct CouplingDescription {
  struct Term {
    std::string joint;  ///< with one degree of freedom
    double coefficient = 1;
    std::array<double, 3> powers{};  ///< factors of the position's second, third and fourth power; of `joint` alone

    bool linear() const { return powers == std::array<double, 3>{}; }
    /// What it adds to the sum, divided by its position.
    double factor(double q) const { return coefficient + q * (powers[0] + q * (powers[1] + q * powers[2])); }
  };
  std::string name;
  std::vector<Term> terms;
  double offset = 0;  ///< rad or m
  int line = 0;

  bool linear() const {
    for (const Term& term : terms)
      if (!term.linear()) return false;
    return true;
  }
};

/// A force along the line through two points. At the distance l it pulls them together with
///   tension = stiffness (l - length) + damping dl/dt + force
/// newtons; one below zero pushes them apart.
struct PointForceDescription {
  struct End {
    std::string body;       ///< a link's name, or `world`
    Numbers3 xyz{0, 0, 0};  ///< m, in that link's frame
  };
  std::string name;
  End first, second;
  double stiffness = 0;  ///< N/m, not negative
  double length = 0;     ///< m, of the spring at rest, not negative
  double damping = 0;    ///< N s/m, not negative
  double force = 0;      ///< N
  int line = 0;          ///< of the file; 0: none
};

/// Where a joint stands.
struct JointPositions {
  std::string joint;
  std::vector<double> positions = {};  ///< as the joint has them in q: rad, m; unit quaternions [x, y, z, w]
  int line = 0;
};

/// A file that a model's file includes, and where its lines stand among the description's: they go on behind `before`,
/// so that its first line is `before` + 1.
struct IncludedFile {
  std::string file;
  int before = 0;
};

/// A whole mechanism. `file` names where it came from and may be empty.
struct Description {
  std::string name;
  std::string file;
  std::vector<IncludedFile> included;  ///< by `before`, ascending; findings have the files' own lines
  Numbers3 gravity{0, 0, -9.81};       ///< m/s², world axes
  std::vector<BodyDescription> bodies;
  std::vector<LoopDescription> loops;
  std::vector<CouplingDescription> couplings;
  std::vector<PointForceDescription> forces;  ///< between points; they act where a PointForces adds them
  std::vector<SensorDescription> sensors;
  std::vector<std::string> independent;  ///< joints the user wants as independent coordinates; may be empty
  /// A configuration that closes all loops, or nearly: Newton's method starts there. Joints not named stand at zero;
  /// may be empty.
  std::vector<JointPositions> assembled;
};

}  // namespace kinetree
