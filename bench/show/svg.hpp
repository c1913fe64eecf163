#pragma once
// An SVG picture as text: the few shapes that trees and block matrices need. Pixels, y downwards.

#include <string>
#include <string_view>

namespace kinetree::bench {

/// Fit for XML 1.0: markup characters escaped, bytes that are no UTF-8 and characters that XML forbids shown as U+FFFD.
std::string xml_text(std::string_view text);

/// At most `most` characters (code points), the middle left out.
std::string shortened(std::string_view text, int most);

/// About how wide a text of this size is drawn: enough for any sans-serif a viewer may have.
double text_width(std::string_view text, double font_size);

/// How a text stands at its point.
enum class Anchor { start, middle, end };

/// Shapes in the order they are drawn. `style` is written as it stands: attributes such as `fill="#fff"`, never a
/// user's words. A tooltip is a user's words, shown by browsers under the pointer; empty: none.
class Svg {
 public:
  void rectangle(double x, double y, double width, double height, std::string_view style,
                 std::string_view tooltip = {});
  void circle(double x, double y, double radius, std::string_view style, std::string_view tooltip = {});
  /// `path` is SVG path data.
  void path(std::string_view path, std::string_view style, std::string_view tooltip = {});
  void line(double x1, double y1, double x2, double y2, std::string_view style);
  /// `y` is the middle of the line of text. Turned by `degrees` about its point.
  void text(double x, double y, std::string_view text, double font_size, Anchor anchor, std::string_view style = {},
            double degrees = 0);
  /// Shapes up to close() share the style.
  void open(std::string_view style);
  void close();

  /// The whole document, on white; on a dark ground where the viewer prefers dark schemes. A screen reader says the
  /// title first.
  std::string document(double width, double height, std::string_view title) const;

 private:
  void shape(std::string_view element, std::string_view style, std::string_view tooltip);
  std::string body_;
};

/// A coordinate: two decimals, no more digits than it has.
std::string pixels(double x);

}  // namespace kinetree::bench
