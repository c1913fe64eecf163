// Identification of an arm: its base parameters from positions, velocities, accelerations and noisy joint torques of
// one motion, then the torques of another motion. docs/identification.md reads it line by line.
#include <Eigen/Cholesky>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <kinetree/identification.hpp>
#include <kinetree/load_model.hpp>
#include <random>

namespace {

/// Samples of a motion: sums of sines and cosines (Swevers et al. 1997), with what they give in closed form.
struct Motion {
  Motion(int joints, int samples, unsigned seed) : q(joints, samples), v(joints, samples), a(joints, samples) {
    std::mt19937 random(seed);
    const auto uniform = [&random](double bound) {
      return bound * (static_cast<double>(random() >> 8) / (1 << 23) - 1);
    };
    const double first = 2 * M_PI * 0.1;  // rad/s: periods of 10 s and its fifths
    for (int j = 0; j < joints; ++j) {
      double sine[5], cosine[5];
      for (int k = 0; k < 5; ++k) sine[k] = uniform(0.5), cosine[k] = uniform(0.5);
      for (int t = 0; t < samples; ++t) {
        q(j, t) = v(j, t) = a(j, t) = 0;
        for (int k = 0; k < 5; ++k) {
          const double w = first * (k + 1), angle = w * 10.0 * t / samples;
          q(j, t) += sine[k] * std::sin(angle) + cosine[k] * std::cos(angle);
          v(j, t) += w * (sine[k] * std::cos(angle) - cosine[k] * std::sin(angle));
          a(j, t) -= w * w * (sine[k] * std::sin(angle) + cosine[k] * std::cos(angle));
        }
      }
    }
  }
  Eigen::MatrixXd q, v, a;
};

double rms(const Eigen::MatrixXd& x) { return x.norm() / std::sqrt(static_cast<double>(x.size())); }

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return std::fprintf(stderr, "usage: identify_arm configs/models/arm7.yaml\n"), 2;
  const kinetree::Model model = kinetree::load_model(arguments[1]);
  kinetree::Workspace workspace(model);
  const int n = model.nv(), samples = 500, all = kinetree::dynamic_parameter_count(model);

  // The arm that is measured has losses that its file does not say.
  Eigen::VectorXd truth = kinetree::dynamic_parameters(model);
  truth.segment(all - 3 * n, n).setConstant(0.2);  // armature, kg m²
  truth.segment(all - 2 * n, n).setConstant(0.5);  // damping, Nm s/rad
  truth.tail(n).setConstant(0.3);                  // friction, Nm

  // Which sums of parameters its joint torques depend on.
  const kinetree::BaseParameters base = kinetree::base_parameters(model);
  const int rank = base.rank();
  std::printf("%d parameters, %d base parameters (pivots %.1e, %.1e)\n", all, rank, base.kept, base.dropped);

  // Torques as a motion has them, and measured ones with noise.
  const Motion motion(n, samples, 1), other(n, samples, 2);
  const auto torques = [&](const Motion& m, const Eigen::VectorXd& parameters) {
    Eigen::MatrixXd tau(n, samples);
    const kinetree::Status status = kinetree::joint_torque_regressor_product(model, workspace, m.q, m.v, m.a,
                                                                             parameters.replicate(1, samples), tau);
    if (!status.ok()) std::fprintf(stderr, "%s\n", status.message(model).c_str()), std::exit(1);
    return tau;
  };
  const double noise = 0.1;  // Nm
  std::mt19937 random(3);
  std::normal_distribution<double> error(0, noise);
  Eigen::MatrixXd measured = torques(motion, truth);
  for (Eigen::Index k = 0; k < measured.size(); ++k) measured.data()[k] += error(random);

  // Least squares sample by sample: G x = r, G the sum of YᵀY and r that of Yᵀ tau, over the columns of base
  // parameters.
  Eigen::MatrixXd Y(n, all), own(n, rank), G = Eigen::MatrixXd::Zero(rank, rank);
  Eigen::VectorXd r = Eigen::VectorXd::Zero(rank);
  for (int t = 0; t < samples; ++t) {
    (void)kinetree::joint_torque_regressor(model, workspace, motion.q.col(t), motion.v.col(t), motion.a.col(t), Y);
    for (int k = 0; k < rank; ++k) own.col(k) = Y.col(base.columns[static_cast<std::size_t>(k)]);
    G += own.transpose() * own;
    r += own.transpose() * measured.col(t);
  }
  const Eigen::LLT<Eigen::MatrixXd> factor(G);
  const Eigen::VectorXd found = factor.solve(r);

  // Base parameters stand in place of all others, which are zero. How sure each is: the variance of what is left times
  // the diagonal of the inverse of G.
  Eigen::VectorXd parameters = Eigen::VectorXd::Zero(all);
  for (int k = 0; k < rank; ++k) parameters[base.columns[static_cast<std::size_t>(k)]] = found[k];
  const double residual = (measured - torques(motion, parameters)).norm() / std::sqrt(n * samples - rank);
  const Eigen::MatrixXd inverse = factor.solve(Eigen::MatrixXd::Identity(rank, rank));
  std::printf("residual %.4f Nm, noise %.4f Nm\n", residual, noise);
  const Eigen::VectorXd expected = base.regrouping * truth;
  const std::vector<std::string> names = kinetree::dynamic_parameter_names(model), texts = texts_of(base, names);
  double worst = 0;  // in standard deviations
  for (int k = 0; k < rank; ++k) {
    const double deviation = residual * std::sqrt(inverse(k, k));
    worst = std::fmax(worst, std::abs(found[k] - expected[k]) / deviation);
    if (k % 10 == 0)
      std::printf("%8.4f, true %8.4f, deviation %.4f: %s\n", found[k], expected[k], deviation,
                  texts[static_cast<std::size_t>(k)].c_str());
  }
  std::printf("base parameters off by at most %.1f standard deviations\n", worst);

  // Another motion.
  const Eigen::MatrixXd actual = torques(other, truth), predicted = torques(other, parameters);
  const double off = rms(predicted - actual);
  std::printf("another motion: torques of %.2f Nm (rms) predicted to %.4f Nm\n", rms(actual), off);
  return rank < all && std::abs(residual - noise) < 0.05 * noise && worst < 5 && off < noise ? 0 : 1;
}
