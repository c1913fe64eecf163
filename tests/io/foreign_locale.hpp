#pragma once
// Locales in which 1.5 is written otherwise: C's, made by localedef in a folder of the test's own, and C++'s, by a
// numpunct of the test's own. Both last as long as these objects.

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <clocale>
#include <cstdio>
#include <filesystem>
#include <locale>
#include <string>

namespace kinetree::test {

/// C's locale. `made()` is false where Debian's package `locales`, which has localedef's sources, is missing.
class ForeignC {
 public:
  /// `name`: as de_DE; `written`: 1.5 there.
  ForeignC(const std::string& name, const std::string& written) : before_(std::setlocale(LC_ALL, nullptr)) {
    const std::string place = (folder_ / (name + ".UTF-8")).string();
    std::filesystem::create_directories(folder_);
    if (std::system(("localedef -i " + name + " -f UTF-8 '" + place + "' > /dev/null 2>&1").c_str()) != 0) return;
    ::setenv("LOCPATH", folder_.c_str(), 1);
    char text[16] = "";
    if (std::setlocale(LC_ALL, (name + ".UTF-8").c_str())) std::snprintf(text, sizeof text, "%.1f", 1.5);
    made_ = text == written;
  }
  ~ForeignC() {
    std::setlocale(LC_ALL, before_.c_str());
    ::unsetenv("LOCPATH");
    std::filesystem::remove_all(folder_);
  }
  ForeignC(const ForeignC&) = delete;
  ForeignC& operator=(const ForeignC&) = delete;
  bool made() const { return made_; }

 private:
  std::string before_;
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("kinetree_locale_" + std::to_string(::getpid()));
  bool made_ = false;
};

/// What a test that needs it says where it is missing.
inline const char* no_localedef = "localedef makes no such locale: install Debian's package locales";

/// C++'s global locale: a decimal comma, and points between thousands.
class ForeignCpp {
 public:
  ForeignCpp() : before_(std::locale::global(std::locale(std::locale::classic(), new Punctuation))) {}
  ~ForeignCpp() { std::locale::global(before_); }
  ForeignCpp(const ForeignCpp&) = delete;
  ForeignCpp& operator=(const ForeignCpp&) = delete;

 private:
  struct Punctuation : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  std::locale before_;
};

}  // namespace kinetree::test
