#pragma once
// Locales and the libraries that read files for us: C's is kept from them, C++'s can't be.

#include <locale.h>

#include <locale>
#include <sstream>
#include <string>
#if __has_include(<xlocale.h>)
#include <xlocale.h>
#endif

namespace kinetree::inline inner {

/// While it lives, C's locale is "C" on this thread, on no other: for strtod, printf and localeconv in libraries.
class PlainLocale {
 public:
  PlainLocale() : before_(uselocale(plain())) {}
  ~PlainLocale() { uselocale(before_); }
  PlainLocale(const PlainLocale&) = delete;
  PlainLocale& operator=(const PlainLocale&) = delete;

 private:
  static locale_t plain() {
    static const locale_t c = newlocale(LC_ALL_MASK, "C", nullptr);
    return c;
  }
  locale_t before_;
};

/// How C++'s global locale, by which every stream that a library makes reads and writes, differs in numbers from the
/// classic one: `"de_DE.UTF-8", which writes 1234567.5 as 1.234.567,5`. Empty: it does not.
inline std::string foreign_numbers() {
  constexpr double number = 1234567.5;
  constexpr long whole = 1234567;
  std::ostringstream out;
  out.precision(9);
  out << number;
  const std::string written = out.str();
  out << ' ' << whole;
  std::istringstream in("1234567.5 1234567");
  double read = 0;
  long read_whole = 0;
  in >> read >> read_whole;
  if (out.str() == "1234567.5 1234567" && read == number && read_whole == whole) return {};
  const std::string name = std::locale().name();
  return (name == "*" ? "a nameless one" : "\"" + name + "\"") + ", which writes 1234567.5 as " + written;
}

}  // namespace kinetree::inline inner
