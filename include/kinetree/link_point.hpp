#pragma once
// Points on links, and the axes in which velocities, accelerations and Jacobians of such points are given.

#include <array>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <span>

namespace kinetree {

/// A point that moves with a link. A link alone stands for the origin of its frame. A tool with axes of its own is a
/// link without mass on a fixed joint, in the file or `attached` (compose.hpp).
struct LinkPoint {
  LinkPoint(int link, std::array<double, 3> offset = {0, 0, 0}) : link(link), offset(offset) {}

  int link;                      ///< as frame_index gives it; links merged by fixed joints and fixed to the ground too
  std::array<double, 3> offset;  ///< m, from the origin of the link's frame, in its axes

  bool operator==(const LinkPoint&) const = default;
};

/// Points that a function is asked for: a view of the caller's list of LinkPoint or of links (int), of one of either,
/// or of a list in braces, which lasts as long as the call that it is written in.
class LinkPoints {
 public:
  LinkPoints(const LinkPoint& point) : points_(&point), count_(1) {}
  LinkPoints(const int& link) : links_(&link), count_(1) {}
  LinkPoints(std::initializer_list<LinkPoint> list) : points_(std::data(list)), count_(list.size()) {}
  LinkPoints(std::initializer_list<int> list) : links_(std::data(list)), count_(list.size()) {}
  template <class List>
  requires std::convertible_to<const List&, std::span<const LinkPoint>> LinkPoints(const List& list)
      : points_(std::span<const LinkPoint>(list).data()), count_(std::span<const LinkPoint>(list).size()) {}
  template <class List>
  requires std::convertible_to<const List&, std::span<const int>> LinkPoints(const List& list)
      : links_(std::span<const int>(list).data()), count_(std::span<const int>(list).size()) {}

  std::size_t size() const { return count_; }
  LinkPoint operator[](std::size_t k) const { return points_ != nullptr ? points_[k] : LinkPoint(links_[k]); }

 private:
  const LinkPoint* points_ = nullptr;
  const int* links_ = nullptr;
  std::size_t count_;
};

/// The axes of velocities, accelerations and Jacobians of a point. Angular parts come first.
enum class Axes {
  link,           ///< the link's axes; linear part: the velocity of the point
  world,          ///< the world's axes; linear part: the velocity of the link's material point at the world's origin
  world_aligned,  ///< the world's axes; linear part: the velocity of the point
};

/// The coordinates of a model with loops or couplings; without them both are the joints' own.
enum class Coordinates {
  spanning,     ///< all joints of the spanning tree: columns as v has them
  independent,  ///< columns as independent_velocities has them
};

}  // namespace kinetree
