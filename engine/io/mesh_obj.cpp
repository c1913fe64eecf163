#include "engine/io/mesh_obj.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "engine/io/ear_clipping.hpp"
#include "engine/scalar/number_from.hpp"

namespace kinetree::inline inner {
namespace {

using Corner = std::array<float, 3>;

class Mender {
 public:
  Mender(ObjParts parts, std::size_t steps, std::string& text) : parts_(parts), steps_(steps), text_(text) {}

  bool take(std::string_view line, std::string& why) {
    ++number_;
    const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size());
    const bool alone =
        first + 1 >= line.size() || std::string_view(" \t\r\n").find(line[first + 1]) != std::string_view::npos;
    const char word = first < line.size() && alone ? line[first] : ' ';
    if (word == 'o' || word == 'g') objects_ += std::exchange(faces_, false);
    if (word == 'v') return vertex(line.substr(first + 1), why);
    if (word != 'f') {
      text_ += line;
      return true;
    }
    faces_ = true;
    if (objects_ == 0 || parts_ == ObjParts::all) face(line, first + 1);
    if (steps_ > 0) return true;
    why = "has polygons of so many corners that they take too long to be cut, up to line " + std::to_string(number_) +
          "; save the mesh with triangles";
    return false;
  }

  int left_out() const { return parts_ == ObjParts::first ? std::max(0, objects_ + faces_ - 1) : 0; }

 private:
  bool vertex(std::string_view numbers, std::string& why) {
    const auto words = words_of(numbers);
    Corner at{};
    bool good = words.size() >= 3;
    for (std::size_t k = 0; k < 3 && good; ++k) {
      const auto x = number_from<double>(words[k]);
      good = x.has_value();
      if (good) at[k] = static_cast<float>(*x);
    }
    if (!good) {
      why = "has a vertex in line " + std::to_string(number_) + " that is not three numbers; correct it";
      return false;
    }
    points_.push_back(at);
    text_ += 'v';
    for (const std::string_view word : words) text_ += std::string(word.front() == '.' ? " 0" : " ").append(word);
    text_ += '\n';
    return true;
  }

  /// A face as it is, or its triangles. One whose corners are not all known is left to Assimp.
  void face(std::string_view line, std::size_t first) {
    const auto words = words_of(line.substr(first));
    std::vector<Corner> corners;
    if (words.size() > 3)
      for (const std::string_view word : words)
        if (const Corner* corner = point(word)) corners.push_back(*corner);
    if (words.size() <= 3 || corners.size() < words.size()) {
      text_ += line;
      return;
    }
    for (const auto& ear : ears_of(corners, steps_)) {
      text_ += 'f';
      for (const std::size_t k : ear) (text_ += ' ') += words[k];
      text_ += '\n';
    }
  }

  /// That of "7", "7/1", "7//2" or "7/1/2"; a negative number counts from the last one.
  const Corner* point(std::string_view word) const {
    const auto k = number_from<long>(word.substr(0, word.find('/')));
    const auto n = static_cast<long>(points_.size());
    if (!k || *k == 0 || *k > n || *k < -n) return nullptr;
    return &points_[static_cast<std::size_t>(*k > 0 ? *k - 1 : n + *k)];
  }

  ObjParts parts_;
  std::size_t steps_, number_ = 0;
  std::string& text_;
  std::vector<Corner> points_;
  int objects_ = 0;     // with faces, before the present one
  bool faces_ = false;  // in the present one
};

}  // namespace

bool mend_obj(std::string_view bytes, ObjParts parts, const MeshLimits& limits, std::string& text, int& left_out,
              std::string& why) {
  text.reserve(bytes.size());
  Mender mender(parts, limits.steps, text);
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size() - 1) + 1;
    if (!mender.take(bytes.substr(0, end), why)) return false;
    bytes.remove_prefix(end);
  }
  left_out = mender.left_out();
  return true;
}

}  // namespace kinetree::inline inner
