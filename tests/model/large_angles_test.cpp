// How many digits a joint's transform has at large angles: q and the frames' angle are added before sine and cosine are
// taken, so half a unit in the last place of that sum is lost, whatever sine and cosine can do.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <kinetree/scalar/reference.hpp>

#include "engine/joint/joint.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/random.hpp"
#include "engine/scalar/worst.hpp"

namespace kinetree {
namespace {

template <class S>
Transform<S> placed(JointType type, const Link<S>& link, double angle) {
  const S q[7]{S(angle)}, v[6]{};
  Transform<S> general;
  JointTransform<S> X;
  X.general = &general;
  Motion<S> columns[6], cJ;
  joint_at(type, link, q, v, X, columns, cJ);
  return static_cast<Transform<S>>(X);
}

/// The largest error of the rotation's entries, over revolute joints that are placed with an angle.
double error_at(double size) {
  const Model model = make_model("random:40:seed=3:joints=revolute");
  Random random(static_cast<std::uint64_t>(size));
  double worst = 0;
  int turned = 0;
  for (const Link<double>& link : model.data().link) {
    turned += link.axial && link.placement.angle != 0;
    for (int k = 0; k < 50; ++k) {
      const double q = random.uniform(-size, size);
      const Matrix3<double> E = placed(JointType::revolute, link, q).E;
      const Matrix3<Reference> truth = placed(JointType::revolute, cast<Reference>(link), q).E;
      for (int e = 0; e < 9; ++e)
        keep_worst(worst, std::abs(static_cast<double>(Reference((&E.xx)[e]) - (&truth.xx)[e])));
    }
  }
  EXPECT_GT(turned, 20);
  return worst;
}

TEST(LargeAngles, CostHalfAUnitOfTheAngleAndNoMore) {
  for (const double size : {1., 10., 1e2, 1e3, 1e4, 1e5, 1e6}) {
    const double worst = error_at(size), bound = 0x1p-53 * size + 2e-15;
    std::printf("angles up to %.0e rad: errors up to %.1e\n", size, worst);
    EXPECT_LE(worst, bound) << size;
    if (size >= 1e3) {
      EXPECT_GE(worst, 0.2 * bound) << "the bound is the true one";
    }
  }
}

}  // namespace
}  // namespace kinetree
