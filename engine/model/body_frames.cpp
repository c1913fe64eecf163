#include "engine/model/body_frames.hpp"

#include <algorithm>
#include <cmath>

#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

using Screw = ScrewZ<double>;

Screw inverse(const Screw& X) { return {X.c, -X.s, -X.d}; }

Transform<double> general(const Screw& X) { return static_cast<Transform<double>>(X); }

/// Whether the joint moves along a screw about z, its axis, so that a screw about z commutes with it.
bool moves_along_z(JointType type) { return facts_of(type).along_axis; }

double size(const Vector3<double>& a) { return std::sqrt(dot(a, a)); }

/// Largest difference of two transforms, lengths relative to `length`.
double difference(const Transform<double>& A, const Transform<double>& B, double length) {
  double most = 0;
  const double *a = &A.E.xx, *b = &B.E.xx;
  for (int k = 0; k < 9; ++k) most = std::max(most, std::abs(a[k] - b[k]));
  return std::max(most, size(A.r - B.r) / (length > 0 ? length : 1));
}

/// Zero where a number is that but for rounding.
double rounded(double x, double scale) { return std::abs(x) <= 1e-15 * scale ? 0 : x; }

/// The cosine and sine of right angles, where they are that but for rounding.
void straighten(double& c, double& s) {
  if (rounded(s, 1) == 0) c = c > 0 ? 1 : -1, s = 0;
  if (rounded(c, 1) == 0) s = s > 0 ? 1 : -1, c = 0;
}

Turning turning(double c, double s) {
  if (s == 0) return c == 1 ? Turning::none : Turning::half;
  if (c == 0) return s == 1 ? Turning::square : Turning::back;
  return Turning::any;
}

/// X as outboard x inboard; false where the screws would be much longer than X itself.
bool by_screws(const Transform<double>& X, AxialPlacement<double>& placement) {
  constexpr double longest = 10;
  const Vector3<double> z{X.E.zx, X.E.zy, X.E.zz};  // the joint's axis in the parent's coordinates
  const double sine = std::hypot(z.x, z.y), length = size(X.r);
  Vector3<double> normal{1, 0, 0};
  double along_parent = 0, along_joint = 0;  // from the origins to the feet of the common normal
  double cosine = z.z, sine_of_x = sine;
  if (sine > 1e-15) {
    straighten(cosine, sine_of_x);
    normal = {-z.y / sine, z.x / sine, 0};
    straighten(normal.x, normal.y);
    along_joint = rounded(-(X.r.x * z.x + X.r.y * z.y) / (sine * sine), length);
    along_parent = rounded(X.r.z + along_joint * z.z, length);
    if (!(std::max(std::abs(along_joint), std::abs(along_parent)) <= longest * length)) return false;
  } else {
    cosine = z.z > 0 ? 1 : -1, sine_of_x = 0;
    if (const double away = std::hypot(X.r.x, X.r.y); away > 0) normal = {X.r.x / away, X.r.y / away, 0};
    straighten(normal.x, normal.y);
    if (normal.x == -1) normal.x = 1;  // either way does: the shorter
    along_joint = -X.r.z * cosine;
  }
  const Vector3<double> x{X.E.xx, X.E.xy, X.E.xz}, y = cross(z, normal);
  const double c = dot(x, normal), s = dot(x, y), norm = std::hypot(c, s);
  placement.outboard = {c / norm, s / norm, -along_joint};
  placement.angle = std::atan2(s, c);
  placement.x = {cosine, sine_of_x, rounded(dot(X.r, normal), length)};
  placement.x_turn = turning(cosine, sine_of_x);
  placement.inboard_turn = turning(normal.x, normal.y);
  placement.inboard_slides = along_parent != 0;
  placement.x_slides = placement.x.d != 0;
  placement.outboard_slides = placement.outboard.d != 0;
  placement.inboard = {normal.x, normal.y, along_parent};
  const Transform<double> again =
      general(placement.outboard) * static_cast<Transform<double>>(placement.x) * general(placement.inboard);
  return difference(X, again, length) <= 1e-14 * longest;
}

class FrameChoice {
 public:
  explicit FrameChoice(ModelData& m) : m_(m) {}

  void run() {
    const int n = static_cast<int>(m_.parent.size());
    list_frames();
    for (int i = 0; i < n; ++i)
      if (moves_along_z(m_.joint_type[at(i)])) move(i, choice(i));
    for (int i = 0; i < n; ++i) {
      Link<double>& link = m_.link[at(i)];
      link.axial = moves_along_z(m_.joint_type[at(i)]) && by_screws(link.X_tree, link.placement);
      link.placement.outboard_slides = link.placement.outboard_slides || !is_revolute(m_.joint_type[at(i)]);
      link.origin = m_.frames[at(m_.body_frame[at(i)])].X_frame_body.r.z;
    }
  }

 private:
  /// By counting: a list for each body would take more memory than the frames' bodies.
  void list_frames() {
    first_.assign(m_.parent.size() + 1, 0);
    for (const Frame& frame : m_.frames)
      if (frame.body >= 0) ++first_[at(frame.body)];
    int sum = 0;
    for (int& first : first_) sum += first, first = sum;
    frames_.resize(at(sum));
    for (std::size_t k = m_.frames.size(); k-- > 0;)  // from behind, so that each body's stand in their order
      if (const int body = m_.frames[k].body; body >= 0) frames_[at(--first_[at(body)])] = static_cast<int>(k);
  }

  /// From the frame as it is to the one that suits the largest child; a tip's makes its own placement shortest.
  Screw choice(int i) const {
    int most = 0;
    Screw chosen{1, 0, 0};
    AxialPlacement<double> placement;
    for (const int child : m_.children_of(i)) {
      const int bodies = m_.subtree_end[at(child)] - child;
      if (bodies <= most || !moves_along_z(m_.joint_type[at(child)])) continue;
      if (!by_screws(m_.link[at(child)].X_tree, placement)) continue;
      chosen = placement.inboard;
      most = bodies;
    }
    if (most == 0 && by_screws(m_.link[at(i)].X_tree, placement)) chosen = inverse(placement.outboard);
    return chosen;
  }

  void move(int i, const Screw& X) {
    const Transform<double> back = general(inverse(X));
    Link<double>& link = m_.link[at(i)];
    link.X_tree = general(X) * link.X_tree;
    link.I = congruence(back, link.I);
    for (const int child : m_.children_of(i)) m_.link[at(child)].X_tree = m_.link[at(child)].X_tree * back;
    for (int k = first_[at(i)]; k < first_[at(i + 1)]; ++k) {
      Frame& frame = m_.frames[at(frames_[at(k)])];
      frame.X_frame_body = frame.X_frame_body * back;
    }
  }

  ModelData& m_;
  std::vector<int> frames_, first_;  ///< frames by their bodies, and where each body's begin
};

}  // namespace

void choose_body_frames(ModelData& model) { FrameChoice(model).run(); }

}  // namespace kinetree::inline inner
