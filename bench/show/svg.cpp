#include "bench/show/svg.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>
#include <vector>

#include "bench/show/colours.hpp"

namespace kinetree::bench {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

struct Character {
  char32_t code;
  std::size_t length;  ///< bytes; code is U+FFFD where they are no UTF-8
};

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {0xFFFD, 1};
  char32_t code = lead & (0x7Fu >> length);
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xC0) != 0x80) return {0xFFFD, 1};
    code = (code << 6) | (byte(k) & 0x3Fu);
  }
  constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < least[length] || code > 0x10FFFF || surrogate) return {0xFFFD, 1};
  return {code, length};
}

std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> all;
  while (!text.empty()) {
    const std::size_t length = first_character(text).length;
    all.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return all;
}

bool allowed_in_xml(char32_t c) {
  return (c >= 0x20 && c != 0xFFFD && c != 0xFFFE && c != 0xFFFF) || c == '\t' || c == '\n' || c == '\r';
}

template <class... Arguments>
void append(std::string& to, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(to), format, std::forward<Arguments>(arguments)...);
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  for (; !text.empty();) {
    const Character c = first_character(text);
    const std::string_view bytes = text.substr(0, c.length);
    text.remove_prefix(c.length);
    switch (c.code) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&apos;";
        break;
      default:
        out += allowed_in_xml(c.code) ? bytes : replacement;
    }
  }
  return out;
}

std::string shortened(std::string_view text, int most) {
  const std::vector<std::string_view> all = characters(text);
  const auto limit = static_cast<std::size_t>(most);
  if (all.size() <= limit) return std::string(text);
  std::string out;
  const std::size_t front = limit / 2, back = limit - 1 - front;
  for (std::size_t k = 0; k < front; ++k) out += all[k];
  out += "\xE2\x80\xA6";  // an ellipsis
  for (std::size_t k = all.size() - back; k < all.size(); ++k) out += all[k];
  return out;
}

double text_width(std::string_view text, double font_size) {
  double ems = 0;
  for (const std::string_view c : characters(text)) ems += c.size() == 1 ? 0.6 : 1.05;
  return ems * font_size;
}

std::string pixels(double x) {
  std::string text = fmt::format("{:.2f}", x);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

void Svg::shape(std::string_view element, std::string_view style, std::string_view tooltip) {
  const std::string_view name = element.substr(0, element.find(' '));
  append(body_, "<{}{}{}", element, style.empty() ? "" : " ", style);
  if (tooltip.empty())
    body_ += "/>\n";
  else
    append(body_, "><title>{}</title></{}>\n", xml_text(tooltip), name);
}

void Svg::rectangle(double x, double y, double width, double height, std::string_view style, std::string_view tooltip) {
  shape(fmt::format("rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", pixels(x), pixels(y), pixels(width),
                    pixels(height)),
        style, tooltip);
}

void Svg::circle(double x, double y, double radius, std::string_view style, std::string_view tooltip) {
  shape(fmt::format("circle cx=\"{}\" cy=\"{}\" r=\"{}\"", pixels(x), pixels(y), pixels(radius)), style, tooltip);
}

void Svg::path(std::string_view path, std::string_view style, std::string_view tooltip) {
  shape(fmt::format("path d=\"{}\"", path), style, tooltip);
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view style) {
  shape(fmt::format("line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"", pixels(x1), pixels(y1), pixels(x2), pixels(y2)),
        style, {});
}

void Svg::text(double x, double y, std::string_view text, double font_size, Anchor anchor, std::string_view style,
               double degrees) {
  constexpr std::array<std::string_view, 3> anchors{"start", "middle", "end"};
  // a third of the size below the middle is where letters stand; dominant-baseline is not known to every viewer
  std::string place = degrees == 0 ? fmt::format("x=\"{}\" y=\"{}\"", pixels(x), pixels(y + 0.35 * font_size))
                                   : fmt::format("y=\"{}\" transform=\"translate({} {}) rotate({})\"",
                                                 pixels(0.35 * font_size), pixels(x), pixels(y), pixels(degrees));
  append(body_, "<text {} font-size=\"{}\" text-anchor=\"{}\"{}{}>{}</text>\n", place, pixels(font_size),
         anchors[static_cast<std::size_t>(anchor)], style.empty() ? "" : " ", style, xml_text(text));
}

void Svg::open(std::string_view style) { append(body_, "<g {}>\n", style); }
void Svg::close() { body_ += "</g>\n"; }

std::string Svg::document(double width, double height, std::string_view title) const {
  const std::string w = pixels(std::ceil(width)), h = pixels(std::ceil(height));
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  append(out,
         "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
         "font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\" fill=\"{3}\">\n<title>{2}</title>\n",
         w, h, xml_text(title), ink);
  out += dark_style();
  append(out, "<rect width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", w, h, paper);
  return out + body_ + "</svg>\n";
}

}  // namespace kinetree::bench
