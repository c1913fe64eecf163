#include "bench/show/tree_sizes.hpp"

#include <algorithm>

#include "bench/show/svg.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::bench {
namespace {

constexpr double wide = 1900, high = 1250;  ///< what a drawing with names in boxes may take, else it is drawn with dots

class Chooser {
 public:
  Chooser(const sko::Tree& tree, const TreeLayout& layout, const std::vector<std::string>& labels, const Needs& needs)
      : tree_(tree), layout_(layout), label_(labels), needs_(needs) {}

  Sizes run() const {
    for (const double font : {13.0, 11.5, 10.0, 9.0, 8.0}) {
      const Sizes right = boxes(font, false), down = boxes(font, true);
      const double page = font > 9 ? high : 1.4 * high;  // rather a long page than no names
      const auto fill = [page](double w, double h) { return std::max(w / wide, h / page); };
      const double fill_right = fill(right.along, right.across), fill_down = fill(down.across, down.along);
      if (std::min(fill_right, fill_down) > 1) continue;
      return fill_down < fill_right ? down : right;
    }
    return dots();
  }

 private:
  Sizes boxes(double font, bool down) const {
    const double air = std::clamp((font - 8) / 5, 0.0, 1.0);  // small letters stand closer
    Sizes s{.boxes = true, .down = down, .font = font, .height = (1.4 + 0.4 * air) * font, .badge_font = font};
    std::vector<double> text(at(layout_.layers + 1), 0);
    text[0] = text_width(ground_name, font);
    for (int k = 0; k < tree_.size(); ++k) {
      double& widest = text[at(layout_.layer[at(k)] + 1)];
      widest = std::max(widest, text_width(label_[at(k)], font));
    }
    if (needs_.marks) {
      s.tail = 1.6 * font;
      for (const std::string& badge : needs_.badges)
        if (!down) s.tail = std::max(s.tail, badge_width(badge, font) + 0.6 * font);
    }
    s.gap = (down ? 1.5 : 1.7 + 0.5 * air) * font + s.tail;
    s.pitch = down ? std::max(text[0], longest_label(font)) + 2.2 * font : s.height + (0.2 + 0.4 * air) * font;
    if (needs_.ties) s.pitch += 0.8 * font, s.gap += 1.6 * font;  // room for their lines
    for (const double w : text) {
      s.begin.push_back(s.along);
      s.width.push_back(down ? s.height : w + 1.2 * font);
      s.along += s.width.back() + s.gap;
    }
    s.along -= s.gap;
    s.across = s.pitch * std::max(layout_.rows, 1);
    return s;
  }

  /// Names stand upright over the dots where rows are few, else those of leaves beside them.
  Sizes dots() const {
    Sizes s{.boxes = false};
    const double layers = layout_.layers + 1, rows = std::max(layout_.rows, 1);
    const double step = std::clamp(wide / layers, 7.0, 40.0);
    s.font = std::min(0.85 * step, 9.0);
    s.radius = std::min(0.3 * step, 5.0);
    s.pitch = 2 * s.radius + 12 + longest_label(s.font);
    s.upright = s.pitch * rows <= high;
    if (!s.upright) {
      s.pitch = std::clamp(high / rows, 5.0, 15.0);
      s.radius = std::min(s.radius, 0.4 * s.pitch);
      s.font = std::min(0.85 * s.pitch, 11.0);
    }
    s.gap = step - 2 * s.radius;
    s.badge_font = std::min(9.5, s.upright ? 9.5 : 0.8 * s.pitch);
    double widest = 0;
    for (const std::string& badge : needs_.badges) widest = std::max(widest, badge_width(badge, s.badge_font));
    s.numbered = s.badge_font >= 7 && widest <= 0.75 * s.gap;
    if (needs_.marks) s.tail = s.numbered ? std::clamp(widest + 4, 0.5 * s.gap, s.gap) : 0.5 * s.gap;
    for (int l = 0; l <= layout_.layers; ++l) {
      s.begin.push_back(step * l);
      s.width.push_back(2 * s.radius);
    }
    s.along = step * layers;
    s.across = s.pitch * rows;
    return s;
  }

  double longest_label(double font) const {
    double width = 0;
    for (const std::string& label : label_) width = std::max(width, text_width(label, font));
    return width;
  }

  const sko::Tree& tree_;
  const TreeLayout& layout_;
  const std::vector<std::string>& label_;
  const Needs& needs_;
};

}  // namespace

Sizes choose_sizes(const sko::Tree& tree, const TreeLayout& layout, const std::vector<std::string>& labels,
                   const Needs& needs) {
  return Chooser(tree, layout, labels, needs).run();
}

double badge_width(std::string_view badge, double font) {
  return 0.8 * std::max(1.35 * font, text_width(badge, font) + 0.7 * font);
}

}  // namespace kinetree::bench
