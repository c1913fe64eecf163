#include "bench/show/tree_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "bench/show/colours.hpp"
#include "bench/show/svg.hpp"
#include "bench/show/tree_layout.hpp"
#include "bench/show/tree_sizes.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::bench {
namespace {

constexpr double margin = 24, title_size = 17, caption_size = 12, line_height = 18;
constexpr int longest_name = 26;

Needs needs_of(const std::vector<TreePicture>& pictures) {
  Needs n;
  for (const TreePicture& p : pictures) {
    n.marks = n.marks || !p.mark.empty(), n.ties = n.ties || !p.ties.empty();
    n.badges.insert(n.badges.end(), p.badge.begin(), p.badge.end());
  }
  return n;
}

class Drawing {
 public:
  Drawing(const TreePicture& picture, const Needs& needs)
      : p_(picture), needs_(needs), tree_(*picture.tree), layout_(lay_out(tree_)) {
    for (int k = 0; k < tree_.size(); ++k)
      label_.push_back(
          fmt::format("{} {}", p_.number.empty() ? k + 1 : p_.number[at(k)], shortened(tree_.name(k), longest_name)));
  }

  /// The title and what stands below it; where the tree may begin.
  double begin() {
    s_ = choose_sizes(tree_, layout_, label_, needs_);
    head();
    return top_;
  }

  /// The tree from there on.
  std::string finish(double top) {
    top_ = top;
    shades();
    edges();
    ties();
    svg_.open(fmt::format("stroke-width=\"{}\"", s_.boxes ? "1.2" : "0.8"));
    ground();
    for (int k = 0; k < tree_.size(); ++k) body(k);
    svg_.close();
    if (!s_.boxes) names_of_dots();
    if (!p_.mark.empty())
      for (int k = 0; k < tree_.size(); ++k) mark(k);
    const double along = s_.along + std::max(s_.down ? 0 : leaf_name_width(), needs_.ties ? farthest_bend() : 0);
    const double width = (s_.down ? s_.across : along) + 2 * margin;
    const double height = top_ + (s_.down ? along : s_.across) + margin;
    return svg_.document(std::max(width, head_width_ + 2 * margin), height, p_.title);
  }

 private:
  struct Point {
    double x, y;
  };
  /// From along and across to x and y.
  Point point(double along, double across) const {
    return s_.down ? Point{margin + across, top_ + along} : Point{margin + along, top_ + across};
  }
  double across_of(double row) const {
    return s_.upright ? (row + 1) * s_.pitch - s_.radius - 4 : (row + 0.5) * s_.pitch;
  }
  std::size_t slot(int k) const { return at(layout_.layer[at(k)] + 1); }

  void head() {
    svg_.text(margin, margin, p_.title, title_size, Anchor::start, "font-weight=\"bold\"");
    head_width_ = text_width(p_.title, title_size);
    top_ = margin + 1.5 * line_height;
    std::vector<std::string> lines = p_.captions;
    if (!s_.numbered && std::ranges::any_of(p_.mark, [](EdgeMark m) { return m != EdgeMark::none; }))
      lines.push_back("The tree is too large for numbers in the badges (here diamonds); they stand in the tooltips.");
    for (const std::string& line : lines) {
      svg_.text(margin, top_, line, caption_size, Anchor::start, fmt::format("fill=\"{}\"", soft));
      head_width_ = std::max(head_width_, 0.9 * text_width(line, caption_size));
      top_ += line_height;
    }
    for (const Shade& shade : p_.shades)
      for (std::size_t k = 0; k < shade.legend.size(); ++k) {
        if (k == 0) svg_.rectangle(margin, top_ - 6, 12, 12, "class=\"key\" " + shading(shade));
        svg_.text(margin + 18, top_, shade.legend[k], caption_size, Anchor::start, fmt::format("fill=\"{}\"", soft));
        head_width_ = std::max(head_width_, 18 + 0.9 * text_width(shade.legend[k], caption_size));
        top_ += line_height;
      }
    top_ += 0.5 * line_height;
  }

  static std::string shading(const Shade& shade) {
    return fmt::format("fill=\"{}\" opacity=\"0.35\"", palette[shade.colour].outline);
  }

  /// Behind the bodies of an aggregate and the edges between them; one group, so that overlaps are no darker.
  void shades() {
    for (const Shade& shade : p_.shades) {
      svg_.open(fmt::format("class=\"aggregate\" {} stroke=\"{}\" stroke-width=\"0\"", shading(shade),
                            palette[shade.colour].outline));
      for (const int k : shade.nodes) {
        const double more = s_.boxes ? 0.35 * s_.font : 0.7 * s_.radius;
        const Rectangle r = place(k);
        svg_.rectangle(r.x - more, r.y - more, r.width + 2 * more, r.height + 2 * more,
                       fmt::format("rx=\"{}\"", pixels(s_.boxes ? 2 * more : s_.radius + more)), shade.tooltip);
        if (const int p = tree_.parent(k); p >= 0 && std::ranges::count(shade.nodes, p) > 0)
          svg_.path(edge_path(k), fmt::format("fill=\"none\" stroke-width=\"{}\"", pixels(2 * more)));
      }
      svg_.close();
    }
  }

  struct Rectangle {
    double x, y, width, height;
  };
  /// What a node, or the ground (-1), takes of the drawing.
  Rectangle place(int k) const {
    const std::size_t layer = k < 0 ? 0 : slot(k);
    const double across = across_of(k < 0 ? layout_.ground_row : layout_.row[at(k)]);
    if (!s_.boxes) {
      const Point m = point(s_.begin[layer] + s_.radius, across);
      return {m.x - s_.radius, m.y - s_.radius, 2 * s_.radius, 2 * s_.radius};
    }
    const std::string_view text = k < 0 ? ground_name : std::string_view(label_[at(k)]);
    const double w = s_.down ? text_width(text, s_.font) + 1.2 * s_.font : s_.width[layer];
    const Point m = point(s_.begin[layer] + 0.5 * s_.width[layer], across);
    return {m.x - 0.5 * w, m.y - 0.5 * s_.height, w, s_.height};
  }

  // ---- ties
  double bend(double rows_apart) const {
    const double unit = s_.boxes ? s_.font : 3 * s_.radius;
    return unit * std::min(1.5 + 0.25 * rows_apart, 4.0);
  }
  double farthest_bend() const { return 0.8 * bend(layout_.rows); }

  /// From the far side of one body to that of the other, around what stands between; below both in one row.
  std::string tie_path(int a, int b) const {
    const Rectangle ra = place(a), rb = place(b);
    const auto row = [&](int k) { return k < 0 ? layout_.ground_row : layout_.row[at(k)]; };
    // as if layers stood side by side; `put` turns it where they don't
    const auto side = [&](const Rectangle& r) { return s_.down ? r.y + r.height : r.x + r.width; };
    const auto middle = [&](const Rectangle& r) {
      return s_.down ? Point{r.y + 0.5 * r.height, r.x + 0.5 * r.width}
                     : Point{r.x + 0.5 * r.width, r.y + 0.5 * r.height};
    };
    const auto half = [&](const Rectangle& r) { return 0.5 * (s_.down ? r.width : r.height); };
    std::string d;
    const auto put = [&](const char* letter, double along, double across) {
      d += s_.down ? fmt::format("{}{} {}", letter, pixels(across), pixels(along))
                   : fmt::format("{}{} {}", letter, pixels(along), pixels(across));
    };
    const Point ma = middle(ra), mb = middle(rb);
    if (row(a) == row(b)) {
      const double below = std::max(ma.y + half(ra), mb.y + half(rb)), depth = s_.boxes ? 0.9 * s_.font : s_.radius;
      put("M", ma.x, ma.y + half(ra));
      put("C", ma.x, below + depth);
      put(" ", mb.x, below + depth);
      put(" ", mb.x, mb.y + half(rb));
      return d;
    }
    if (std::abs(std::abs(row(a) - row(b)) - 1) < 0.1) {  // nothing stands between two rows
      const double way = ma.y < mb.y ? 1 : -1, pull = 0.6 * s_.pitch * way;
      put("M", ma.x, ma.y + way * half(ra));
      put("C", ma.x, ma.y + way * half(ra) + pull);
      put(" ", mb.x, mb.y - way * half(rb) - pull);
      put(" ", mb.x, mb.y - way * half(rb));
      return d;
    }
    // off the middle, where the edges of the tree are
    const double towards = ma.y < mb.y ? 0.5 : -0.5,
                 far = std::max(side(ra), side(rb)) + bend(std::abs(row(a) - row(b)));
    put("M", side(ra), ma.y + towards * half(ra));
    put("C", far, ma.y + towards * half(ra));
    put(" ", far, mb.y - towards * half(rb));
    put(" ", side(rb), mb.y - towards * half(rb));
    return d;
  }

  void ties() {
    svg_.open(fmt::format("fill=\"none\" stroke-width=\"{}\"", s_.boxes ? "1.8" : "1.2"));
    for (const Tie& tie : p_.ties)
      for (std::size_t k = 0; k + 1 < tie.ends.size(); ++k)
        svg_.path(tie_path(tie.ends[k], tie.ends[k + 1]),
                  tie.coupling ? fmt::format("class=\"coupling\" stroke=\"{}\" stroke-dasharray=\"2 3\"", ink)
                               : fmt::format("class=\"loop\" stroke=\"{}\" stroke-dasharray=\"7 3\"", closing),
                  tie.tooltip);
    svg_.close();
  }

  /// From the parent, or the ground, to node k.
  std::string edge_path(int k) const {
    const int p = tree_.parent(k);
    const std::size_t from = p < 0 ? 0 : slot(p);
    const double a0 = s_.begin[from] + s_.width[from], a1 = s_.begin[slot(k)], bend = a1 - s_.tail,
                 middle = 0.5 * (a0 + bend);
    const double c0 = across_of(p < 0 ? layout_.ground_row : layout_.row[at(p)]), c1 = across_of(layout_.row[at(k)]);
    std::string d;
    const auto put = [&](const char* letter, double along, double across) {
      const Point q = point(along, across);
      d += fmt::format("{}{} {}", letter, pixels(q.x), pixels(q.y));
    };
    put("M", a0, c0);
    if (c0 == c1) {
      put("L", a1, c1);
    } else {
      put("C", middle, c0);
      put(" ", middle, c1);
      put(" ", bend, c1);
      if (s_.tail > 0) put("L", a1, c1);
    }
    return d;
  }

  void edges() {
    svg_.open(fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"", soft, s_.boxes ? "1.3" : "0.9"));
    for (int k = tree_.size() - 1; k >= 0; --k)
      if (!is_critical(k))
        svg_.path(edge_path(k), tree_.parent(k) < 0 ? "class=\"edge\" stroke-dasharray=\"5 3\"" : "class=\"edge\"");
    for (int k = tree_.size() - 1; k >= 0; --k)  // over the others
      if (is_critical(k))
        svg_.path(edge_path(k), fmt::format("class=\"edge critical\" stroke=\"{}\" stroke-width=\"{}\"", closing,
                                            s_.boxes ? "2.6" : "1.8"));
    svg_.close();
    if (p_.arrows)
      for (int k = tree_.size() - 1; k >= 0; --k) arrow(k);
  }

  bool is_critical(int k) const { return !p_.critical.empty() && p_.critical[at(k)]; }

  /// At the parent's end of an edge, pointing to it.
  void arrow(int k) {
    const int p = tree_.parent(k);
    const std::size_t from = p < 0 ? 0 : slot(p);
    const double tip = s_.begin[from] + s_.width[from],
                 across = across_of(p < 0 ? layout_.ground_row : layout_.row[at(p)]);
    const double length = std::min(0.5 * (s_.gap - s_.tail), s_.boxes ? 0.6 * s_.font : 5.0);
    const Point a = point(tip, across), b = point(tip + length, across - 0.45 * length),
                c = point(tip + length, across + 0.45 * length);
    svg_.path(fmt::format("M{} {}L{} {}L{} {}z", pixels(a.x), pixels(a.y), pixels(b.x), pixels(b.y), pixels(c.x),
                          pixels(c.y)),
              fmt::format("class=\"arrow\" fill=\"{}\"", is_critical(k) ? closing : soft));
  }

  /// A node's box, or the ground's (-1).
  void box(int k, std::string_view text, std::string_view style, std::string_view tooltip) {
    const Rectangle r = place(k);
    svg_.rectangle(r.x, r.y, r.width, r.height, style, tooltip);
    svg_.text(r.x + 0.5 * r.width, r.y + 0.5 * r.height, text, s_.font, Anchor::middle, "pointer-events=\"none\"");
  }

  void ground() {
    const std::string style = fmt::format("class=\"ground\" fill=\"#fff\" stroke=\"{}\" stroke-dasharray=\"5 3\"", ink);
    if (s_.boxes) {
      box(-1, ground_name, style, "the inertial frame");
      return;
    }
    const Point m = point(s_.radius, across_of(layout_.ground_row));
    svg_.circle(m.x, m.y, s_.radius, style, "ground: the inertial frame");
    // upright on the side where no edge passes
    svg_.text(m.x - s_.radius - 8, m.y, ground_name, 9, Anchor::middle, "stroke=\"none\"", -90);
  }

  void body(int k) {
    const Colour& colour = palette[p_.colour[at(k)]];
    const std::string style = fmt::format(
        "class=\"body\" fill=\"{}\" stroke=\"{}\"{}", colour.fill, is_critical(k) ? closing : colour.outline,
        is_critical(k) ? fmt::format(" stroke-width=\"{}\"", s_.boxes ? 2.6 : 1.8) : "");
    if (s_.boxes) {
      box(k, label_[at(k)], style + fmt::format(" rx=\"{}\"", pixels(0.35 * s_.font)), p_.tooltip[at(k)]);
      return;
    }
    const Point m = point(s_.begin[slot(k)] + s_.radius, across_of(layout_.row[at(k)]));
    svg_.circle(m.x, m.y, s_.radius, style, p_.tooltip[at(k)]);
  }

  bool names_leaves() const { return !s_.boxes && !s_.upright && s_.pitch >= 7; }
  double leaf_name_begin(int k) const { return s_.begin[slot(k)] + 2 * s_.radius + 3; }

  void names_of_dots() {
    svg_.open(fmt::format("fill=\"{}\"", soft));
    for (int k = 0; k < tree_.size(); ++k) {
      const double across = across_of(layout_.row[at(k)]);
      if (s_.upright) {
        const Point m = point(s_.begin[slot(k)] + s_.radius, across - s_.radius - 3);
        svg_.text(m.x, m.y, label_[at(k)], s_.font, Anchor::start, {}, -90);
      } else if (names_leaves() && tree_.children(k).empty()) {  // a leaf has its row for itself
        const Point m = point(leaf_name_begin(k), across);
        svg_.text(m.x, m.y, label_[at(k)], s_.font, Anchor::start);
      }
    }
    svg_.close();
  }

  /// What names of leaves take beyond the last layer.
  double leaf_name_width() const {
    double width = 0;
    if (names_leaves())
      for (int k = 0; k < tree_.size(); ++k)
        if (tree_.children(k).empty())
          width = std::max(width, leaf_name_begin(k) + text_width(label_[at(k)], s_.font) - s_.along);
    return width;
  }

  /// Beside the body: there the edge is alone in its row.
  void mark(int k) {
    const EdgeMark mark = p_.mark[at(k)];
    if (mark == EdgeMark::none) return;
    const bool filled = mark == EdgeMark::carried;
    const std::string style = fmt::format("class=\"cut\" fill=\"{}\" stroke=\"{}\"", filled ? ink : "#fff", ink);
    const double across = across_of(layout_.row[at(k)]), end = s_.begin[slot(k)];
    if (!s_.numbered) {
      const double r = std::min(0.8 * s_.radius, 0.45 * s_.gap);
      const Point m = point(end - std::max(0.5 * s_.tail, r), across);
      svg_.path(fmt::format("M{0} {1}l{2} {2}l-{2} {2}l-{2} -{2}z", pixels(m.x), pixels(m.y - r), pixels(r)), style,
                p_.mark_tooltip[at(k)]);
      return;
    }
    const double font = 0.8 * s_.badge_font, height = 1.35 * font, width = badge_width(p_.badge[at(k)], s_.badge_font);
    const Point m = point(end - 0.5 * s_.tail, across);
    svg_.rectangle(m.x - 0.5 * width, m.y - 0.5 * height, width, height,
                   style + fmt::format(" rx=\"{}\"", pixels(0.5 * height)), p_.mark_tooltip[at(k)]);
    svg_.text(m.x, m.y, p_.badge[at(k)], font, Anchor::middle,
              filled ? "fill=\"#fff\" pointer-events=\"none\"" : "pointer-events=\"none\"");
  }

  const TreePicture& p_;
  const Needs& needs_;
  const sko::Tree& tree_;
  TreeLayout layout_;
  std::vector<std::string> label_;
  Sizes s_;
  Svg svg_;
  double top_ = 0, head_width_ = 0;
};

}  // namespace

std::vector<std::string> draw(const std::vector<TreePicture>& pictures) {
  const Needs needs = needs_of(pictures);
  std::vector<Drawing> drawings;
  double top = 0;
  for (const TreePicture& picture : pictures) top = std::max(top, drawings.emplace_back(picture, needs).begin());
  std::vector<std::string> all;
  for (Drawing& drawing : drawings) all.push_back(drawing.finish(top));
  return all;
}

std::string draw(const TreePicture& picture) { return draw(std::vector{picture}).front(); }

}  // namespace kinetree::bench
