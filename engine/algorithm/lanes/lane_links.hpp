#pragma once
// Links of several bodies as one on packs.

#include <vector>

#include "engine/joint/link.hpp"
#include "engine/scalar/lanes/pack.hpp"

namespace kinetree::inline inner {

/// Calls use(number) for every Scalar of a link.
template <class S, class Use>
void for_numbers(Link<S>& l, Use&& use) {
  const auto all = [&](auto&... numbers) { (use(numbers), ...); };
  const auto vector = [&](Vector3<S>& v) { all(v.x, v.y, v.z); };
  const auto screw = [&](auto& s) { all(s.c, s.s, s.d); };
  Matrix3<S>& E = l.X_tree.E;
  all(E.xx, E.xy, E.xz, E.yx, E.yy, E.yz, E.zx, E.zy, E.zz);
  vector(l.X_tree.r), vector(l.I.h);
  Symmetric3<S>& I = l.I.I;
  all(l.I.mass, I.xx, I.yy, I.zz, I.xy, I.xz, I.yz, l.constant[0], l.constant[1], l.placement.angle, l.origin);
  screw(l.placement.outboard), screw(l.placement.x), screw(l.placement.inboard);
}

/// Links placed the same way, one per lane; the last in lanes left over.
template <class P>
Link<P> side_by_side(const std::vector<Link<double>>& links) {
  Link<P> result = cast<P>(links.front());
  std::vector<P*> numbers;
  for_numbers(result, [&](P& number) { numbers.push_back(&number); });
  for (int lane = 1; lane < P::width; ++lane) {
    Link<P> link = cast<P>(links[std::min(static_cast<std::size_t>(lane), links.size() - 1)]);
    std::size_t n = 0;
    for_numbers(link, [&](const P& number) { numbers[n++]->set_lane(lane, number.lane(lane)); });
  }
  return result;
}

}  // namespace kinetree::inline inner
