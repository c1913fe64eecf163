#pragma once
// Parts that linkages are described by.

#include <string>

#include "loops/regular_mechanisms.hpp"

namespace kinetree::oracle {

/// A bar along x that turns about y at `origin` of its parent.
inline BodyDescription turning(const std::string& name, const std::string& parent, const Numbers3& origin,
                               double length) {
  BodyDescription b = rod(name, parent, 0, length);
  b.joint.origin.xyz = origin;
  return b;
}

inline LoopDescription joined(const std::string& name, const std::string& type, const std::string& first,
                              const Numbers3& at_first, const std::string& second, const Numbers3& at_second,
                              const Numbers3& axis = {0, 1, 0}) {
  LoopDescription l;
  l.name = name, l.type = type, l.axis = axis;
  l.first.body = first, l.first.frame.xyz = at_first;
  l.second.body = second, l.second.frame.xyz = at_second;
  return l;
}

/// Of bodies in the model's order, on joints of one position.
inline void assemble(Description& d, const Eigen::VectorXd& q) {
  for (std::size_t k = 0; k < d.bodies.size(); ++k)
    d.assembled.push_back({d.bodies[k].joint.name, {q[static_cast<Eigen::Index>(k)]}});
}

}  // namespace kinetree::oracle
