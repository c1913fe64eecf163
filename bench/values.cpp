#include "bench/values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "bench/arguments.hpp"
#include "engine/scalar/number_from.hpp"

namespace kinetree::bench {
namespace {

[[noreturn]] void refuse(const std::string& option, const std::string& value, const std::string& advice) {
  throw UsageError(fmt::format("{} is {}; {}", option, value.empty() ? "\"\"" : value, advice));
}

std::string whole_range(int least, int most) { return fmt::format("from {} to {}", least, most); }

bool is_whole(const std::string& text, int least, int most) {
  const auto value = number_from<int>(text);
  return value && least <= *value && *value <= most;
}

/// Texts that are no number are refused before, by what the option takes.
template <class T>
CLI::Option* add_number(CLI::App& app, const std::string& name, T& number, const std::string& help) {
  const auto read = [&number](const std::string& text) { number = number_from<T>(text).value(); };
  return app.add_option_function<std::string>(name, read, help)->default_str(fmt::format("{}", number));
}

CLI::Option* takes_real(CLI::Option* option, double least, const char* wanted, const char* type) {
  const auto advice = [least, wanted](const std::string& text) {
    const auto value = number_from<double>(text);
    return value && *value >= least && std::isfinite(*value) ? "" : fmt::format("give a number {}", wanted);
  };
  return takes(option->type_name("FLOAT"), advice, fmt::format("NUMBER {}", type));
}

}  // namespace

CLI::Option* takes(CLI::Option* option, const std::function<std::string(const std::string&)>& advice,
                   const std::string& type) {
  const auto check = [option, advice](const std::string& text) -> std::string {
    if (const std::string say = advice(text); !say.empty()) refuse(option->get_name(), text, say);
    return "";
  };
  return option->check(CLI::Validator(check, type));
}

CLI::Option* takes_one_of(CLI::Option* option, const std::vector<std::string>& words) {
  const auto advice = [words](const std::string& text) {
    return std::ranges::count(words, text) > 0 ? "" : fmt::format("known are {}", fmt::join(words, ", "));
  };
  return takes(option, advice, fmt::format("{{{}}}", fmt::join(words, ",")));
}

CLI::Option* add_above_zero(CLI::App& app, const std::string& name, double& number, const std::string& help) {
  return takes_real(add_number(app, name, number, help), std::numeric_limits<double>::denorm_min(), "above 0", "> 0");
}

CLI::Option* add_not_negative(CLI::App& app, const std::string& name, double& number, const std::string& help) {
  return takes_real(add_number(app, name, number, help), 0, "of at least 0", ">= 0");
}

CLI::Option* add_whole(CLI::App& app, const std::string& name, int& number, int least, int most,
                       const std::string& help) {
  const auto advice = [least, most](const std::string& text) {
    return is_whole(text, least, most) ? "" : "give a whole number " + whole_range(least, most);
  };
  return takes(add_number(app, name, number, help)->type_name("INT"), advice, whole_range(least, most));
}

CLI::Option* add_list(CLI::App& app, const std::string& name,
                      const std::function<void(const std::vector<std::string>&)>& use, const std::string& help) {
  const auto split = [name, use](const std::vector<std::string>& texts) {
    std::vector<std::string> words;
    for (const std::string& text : texts) {
      std::istringstream list(text + ",");
      for (std::string word; std::getline(list, word, ',');) {
        if (word.empty()) refuse(name, text, "leave out a comma that has nothing before or after it");
        words.push_back(word);
      }
    }
    use(words);
  };
  return app.add_option_function<std::vector<std::string>>(name, split, help)->allow_extra_args(false);
}

CLI::Option* add_whole_list(CLI::App& app, const std::string& name, std::vector<int>& numbers, int least, int most,
                            const std::string& help) {
  const auto read = [&numbers, name, least, most](const std::vector<std::string>& words) {
    for (const std::string& word : words) {
      if (!is_whole(word, least, most)) refuse(name, word, "give whole numbers " + whole_range(least, most));
      numbers.push_back(*number_from<int>(word));
    }
  };
  return add_list(app, name, read, help)->type_name(fmt::format("INT,... {}", whole_range(least, most)));
}

}  // namespace kinetree::bench
