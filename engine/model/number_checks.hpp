#pragma once
// What every check of a Description says of a number, an axis, a quaternion.

#include <array>
#include <cmath>
#include <kinetree/description.hpp>
#include <kinetree/finding.hpp>

#include "engine/scalar/number_text.hpp"

namespace kinetree::inline inner {

class NumberChecks {
 public:
  NumberChecks(const std::string& file, std::vector<Finding>& findings) : file_(file), findings_(findings) {}

 protected:
  static std::string number(double x) { return number_text(x); }

  void say(Severity severity, int line, std::string element, std::string message) {
    findings_.push_back({severity, file_, line, std::move(element), std::move(message)});
  }

  bool finite(int line, const std::string& element, const char* field, const double* x, int count) {
    for (int k = 0; k < count; ++k)
      if (!std::isfinite(x[k])) {
        const std::string place = count > 1 ? " (number " + std::to_string(k + 1) + ")" : "";
        say(Severity::error, line, element, field + place + " is " + number(x[k]) + "; give finite numbers");
        return false;
      }
    return true;
  }

  /// Normalizes it.
  void check_quaternion(int line, const std::string& element, std::array<double, 4>& q) {
    double norm = 0;
    for (double x : q) norm += x * x;
    norm = std::sqrt(norm);
    if (norm < 1e-12) {
      say(Severity::error, line, element, "quaternion has length zero; give a unit quaternion");
      return;
    }
    if (!std::isfinite(norm)) {
      say(Severity::error, line, element, "quaternion is too long to be normalized; give a unit quaternion");
      return;
    }
    if (std::abs(norm - 1) > 1e-6)
      say(Severity::notice, line, element, "quaternion of length " + number(norm) + " was normalized");
    for (double& x : q) x /= norm;
  }

  /// Normalizes it.
  bool check_axis(int line, const std::string& element, const char* field, Numbers3& axis) {
    if (!finite(line, element, field, axis.data(), 3)) return false;
    const double length = std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    if (length < 1e-12) {
      say(Severity::error, line, element, std::string(field) + " [0, 0, 0] has length zero; give a direction");
      return false;
    }
    if (!std::isfinite(length)) {
      say(Severity::error, line, element, std::string(field) + " is too long to be normalized; give a unit vector");
      return false;
    }
    if (std::abs(length - 1) > 1e-9)
      say(Severity::notice, line, element, std::string(field) + " of length " + number(length) + " was normalized");
    for (double& x : axis) x /= length;
    return true;
  }

  void check_placement(int line, const std::string& element, const char* field, Placement& placement) {
    const std::string orientation = std::string(field) + "'s orientation";
    if (finite(line, element, field, placement.xyz.data(), 3) &&
        finite(line, element, orientation.c_str(), placement.quaternion.data(), 4))
      check_quaternion(line, element, placement.quaternion);
  }

  bool parallel(const Numbers3& a, const Numbers3& b) {
    return std::abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) > 1 - 1e-8;
  }

 private:
  const std::string& file_;
  std::vector<Finding>& findings_;
};

}  // namespace kinetree::inline inner
