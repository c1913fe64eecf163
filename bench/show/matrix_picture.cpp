#include "bench/show/matrix_picture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/show/colours.hpp"
#include "bench/show/svg.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::bench {
namespace {

constexpr double margin = 24, title_size = 17, caption_size = 12, line_height = 18;
constexpr double legible_row = 9.2;
constexpr int longest_name = 28;

class Drawing {
 public:
  explicit Drawing(const MatrixPicture& picture) : p_(picture), n_(static_cast<int>(picture.rows.size())) {
    // up to 200 rows rather a larger page than names too small to read
    const double side = std::clamp(legible_row * n_, 1150.0, 1850.0);
    cell_ = std::clamp(side / std::max(n_, 1), 0.75, 30.0);
    font_ = std::min(0.78 * cell_, 12.0);
    named_ = font_ >= 4;
    numbered_ = cell_ >= 5;
    if (named_)
      for (int k = 0; k < n_; ++k) {
        label_.push_back(fmt::format("{} {}", shortened(p_.rows[at(k)], longest_name), k + 1));
        left_ = std::max(left_, text_width(label_.back(), font_));
      }
    left_ += margin + 6;
  }

  std::string run() {
    head();
    if (n_ > 0) {
      svg_.rectangle(left_, top_, n_ * cell_, n_ * cell_, fmt::format("fill=\"{}\"", empty));
      areas();
      lines();
      names();
      frames();
    }
    const double right = left_ + n_ * cell_ + margin;
    return svg_.document(std::max(right, head_width_ + 2 * margin), top_ + n_ * cell_ + margin, p_.title);
  }

 private:
  void head() {
    svg_.text(margin, margin, p_.title, title_size, Anchor::start, "font-weight=\"bold\"");
    head_width_ = text_width(p_.title, title_size);
    top_ = margin + 1.5 * line_height;
    for (const std::string& line : p_.captions) {
      svg_.text(margin, top_, line, caption_size, Anchor::start, fmt::format("fill=\"{}\"", soft));
      head_width_ = std::max(head_width_, 0.9 * text_width(line, caption_size));
      top_ += line_height;
    }
    double x = margin;
    for (const MatrixPicture::Key& key : p_.legend) {
      svg_.rectangle(x, top_ - 6, 12, 12, fmt::format("class=\"key\" fill=\"{}\"", key.fill));
      svg_.text(x + 18, top_, key.words, caption_size, Anchor::start, fmt::format("fill=\"{}\"", soft));
      x += 18 + 0.85 * text_width(key.words, caption_size) + 12;
    }
    head_width_ = std::max(head_width_, x - margin);
    top_ += (p_.legend.empty() ? 0 : line_height) + 6;
    if (numbered_ && n_ > 0) top_ += text_width(std::to_string(n_), font_) + 4;
  }

  std::string range(int begin, int count) const {
    if (count == 1) return p_.rows[at(begin)];
    return fmt::format("{} \xE2\x80\xA6 {}", p_.rows[at(begin)], p_.rows[at(begin + count - 1)]);
  }

  void areas() {
    svg_.open("shape-rendering=\"crispEdges\"");
    for (const BlockArea& a : merge_blocks(n_, p_.kind))
      svg_.rectangle(left_ + a.column * cell_, top_ + a.row * cell_, a.columns * cell_, a.rows * cell_,
                     fmt::format("class=\"block\" data-row=\"{}\" data-column=\"{}\" data-rows=\"{}\" "
                                 "data-columns=\"{}\" fill=\"{}\"",
                                 a.row, a.column, a.rows, a.columns, p_.fill[at(a.kind)]),
                     fmt::format("rows {}; columns {}", range(a.row, a.rows), range(a.column, a.columns)));
    svg_.close();
  }

  void rule(int k) {
    const double d = k * cell_, side = n_ * cell_;
    svg_.line(left_, top_ + d, left_ + side, top_ + d, {});
    svg_.line(left_ + d, top_, left_ + d, top_ + side, {});
  }

  /// Blocks apart where they are large enough, groups apart in any case.
  void lines() {
    if (cell_ < 2) return;
    const double width = std::clamp(0.06 * cell_, 0.0, 1.0);
    if (cell_ >= 5) {
      svg_.open(fmt::format("stroke=\"#fff\" stroke-width=\"{}\"", pixels(width)));
      for (int k = 1; k < n_; ++k) rule(k);
      svg_.close();
    }
    svg_.open(fmt::format("stroke=\"#fff\" stroke-width=\"{}\"", pixels(std::clamp(0.15 * cell_, 0.3, 2.5))));
    for (const FramedRows& frame : p_.frames)
      if (frame.begin > 0) rule(frame.begin);
    svg_.close();
  }

  void names() {
    if (named_)
      for (int k = 0; k < n_; ++k) svg_.text(left_ - 5, top_ + (k + 0.5) * cell_, label_[at(k)], font_, Anchor::end);
    if (!numbered_) return;
    svg_.open(fmt::format("fill=\"{}\"", soft));
    for (int k = 0; k < n_; ++k)
      svg_.text(left_ + (k + 0.5) * cell_, top_ - 4, std::to_string(k + 1), font_, Anchor::start, {}, -90);
    svg_.close();
  }

  void frames() {
    svg_.open(fmt::format("fill=\"none\" stroke-width=\"{}\"", pixels(std::clamp(0.12 * cell_, 0.6, 2.0))));
    for (const FramedRows& f : p_.frames)
      svg_.rectangle(left_ + f.begin * cell_, top_ + f.begin * cell_, (f.end - f.begin) * cell_,
                     (f.end - f.begin) * cell_, fmt::format("class=\"frame\" stroke=\"{}\"", f.colour), f.tooltip);
    svg_.close();
  }

  const MatrixPicture& p_;
  const int n_;
  double cell_ = 0, font_ = 0, left_ = 0, top_ = 0, head_width_ = 0;
  bool named_ = false, numbered_ = false;
  std::vector<std::string> label_;
  Svg svg_;
};

}  // namespace

std::vector<BlockArea> merge_blocks(int size, const std::function<int(int, int)>& kind) {
  std::vector<BlockArea> done, open;  // open: may go on in the next row
  for (int row = 0; row < size; ++row) {
    std::vector<BlockArea> here;
    for (int column = 0; column < size;) {
      const int k = kind(row, column), begin = column;
      while (column < size && kind(row, column) == k) ++column;
      if (k >= 0) here.push_back({row, begin, 1, column - begin, k});
    }
    auto above = open.begin();
    for (BlockArea& a : here) {
      while (above != open.end() && above->column < a.column) done.push_back(*above++);
      if (above != open.end() && above->column == a.column && above->columns == a.columns && above->kind == a.kind) {
        a.row = above->row;
        a.rows = above->rows + 1;
        ++above;
      }
    }
    done.insert(done.end(), above, open.end());
    open = std::move(here);
  }
  done.insert(done.end(), open.begin(), open.end());
  return done;
}

std::string draw(const MatrixPicture& picture) { return Drawing(picture).run(); }

}  // namespace kinetree::bench
