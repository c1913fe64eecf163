#pragma once
// What options take: words, numbers, lists. A value that an option doesn't take is refused by UsageError, which names
// the option, the value, and what to give.

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace kinetree::bench {

/// `advice` gives what to do about a value, empty where the option takes it. Returns the option, as those below do.
CLI::Option* takes(CLI::Option* option, const std::function<std::string(const std::string&)>& advice,
                   const std::string& type = "");
CLI::Option* takes_one_of(CLI::Option* option, const std::vector<std::string>& words);

/// Options of one number, read as kinetree reads all numbers: CLI11 takes 010 for eight, and asks C's locale for the
/// decimal point. Their values go to `number`, which must outlive the parsing and holds the default.
CLI::Option* add_above_zero(CLI::App& app, const std::string& name, double& number, const std::string& help);
CLI::Option* add_not_negative(CLI::App& app, const std::string& name, double& number, const std::string& help);
CLI::Option* add_whole(CLI::App& app, const std::string& name, int& number, int least, int most,
                       const std::string& help);

/// An option that takes words with commas between, and may be repeated; `use` gets all of them, after the parsing.
CLI::Option* add_list(CLI::App& app, const std::string& name,
                      const std::function<void(const std::vector<std::string>&)>& use, const std::string& help);
/// The same of whole numbers; values go to `numbers`, which must outlive the parsing.
CLI::Option* add_whole_list(CLI::App& app, const std::string& name, std::vector<int>& numbers, int least, int most,
                            const std::string& help);

}  // namespace kinetree::bench
