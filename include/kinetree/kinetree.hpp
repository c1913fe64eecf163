#pragma once
// kinetree: forward dynamics of articulated mechanisms: models, forward dynamics and the functions beside it.
//
// This header does not include:
// derivatives.hpp | derivatives of inverse and forward dynamics as matrices
// kinematics.hpp | points on links: poses, velocities, accelerations, Jacobians; momentum
// derivative_products.hpp | products of derivatives with directions, M⁻¹ B, the Delassus operator
// identification.hpp | the joint-torque regressor, products with it, base parameters
// forces.hpp | forces at points on links, passive forces of joints
// closing.hpp, constraint_forces.hpp, independent.hpp | loops and couplings: closed, the forces that hold them,
//     independent coordinates
// model_facts.hpp | joints, links, loops and couplings of a Model by name; status_name.hpp | words of status codes
// compose.hpp | descriptions from descriptions: joints locked, robots and payloads attached, parts taken out
// write_model.hpp | a description as YAML (component io)
// mjcf.hpp, sdf.hpp | readers of these formats as descriptions (component io, which load_model needs too)
// simulation/*.hpp | motion over time (component simulation); mpi/*.hpp | ranks of MPI (component mpi)
// sko/*.hpp | the operator layer (component sko)
//
// Of Eigen these headers include <Eigen/Core> alone: cross products and quaternions want <Eigen/Geometry> besides,
// decompositions <Eigen/Cholesky>, <Eigen/LU>, ...
//
// Positions q and velocities v, joint by joint; tau and the accelerations dv/dt have the layout of v. SI units. The
// joint frame is placed in the parent by the joint's origin; a quaternion maps coordinates in the child's frame to the
// joint frame. docs/conventions.md says more, and how other libraries' numbers are converted.
//
// clang-format off
// joint type | q | v | units of q; v | axes | direction of the quaternion
// revolute | angle | rate | rad; rad/s | about axis
// continuous | angle (unbounded) | rate | rad; rad/s | about axis
// prismatic | displacement | rate | m; m/s | along axis
// helical | angle | rate | rad; rad/s | about axis, with pitch m/rad along it
// cylindrical | angle, displacement | rates | rad, m; rad/s, m/s | about and along axis
// universal | angle about axis, angle about axis2 | rates | rad; rad/s | axis fixed in the parent, axis2 in the child
// spherical | qx, qy, qz, qw | angular velocity | 1; rad/s | v in the child's axes | child to joint frame
// planar | x, y, angle | rates | m, m, rad; m/s, m/s, rad/s | x and y fixed in the joint frame, turn about axis
// floating | x, y, z, qx, qy, qz, qw | linear velocity, angular velocity | m, 1; m/s, rad/s | x, y, z in the joint frame; v in the child's axes | child to joint frame
// fixed | none | none
// clang-format on

#if (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) < 202002L
#error "kinetree wants C++20: compile with -std=c++20, or with target_link_libraries(... kinetree::kinetree)"
#endif

#include <kinetree/calibration.hpp>
#include <kinetree/configuration.hpp>
#include <kinetree/forward_dynamics.hpp>
#include <kinetree/load_model.hpp>
#include <kinetree/model.hpp>
#include <kinetree/plan.hpp>
#include <kinetree/varying.hpp>
#include <kinetree/workspace.hpp>
