#pragma once
// The table of options: what each is called, which values it takes, which algorithms have a use for it. The command,
// sweep files and the library read and check Options by it.

#include <kinetree/export.hpp>
#include <kinetree/options.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kinetree::inline inner {

/// A row of the table: one member of Options. Values are numbers; of an enumeration, the enumerators'.
struct OptionEntry {
  std::string_view word;   ///< in the command and in sweep files; the member of Options has _ for -
  std::string_view help;   ///< for the command
  std::string_view range;  ///< the values, as a person writes them; empty: the instruction set says which there are
  bool of_algorithm;       ///< a sweep file gives it with the algorithm, and not with the run
  unsigned users;          ///< a bit for each Algorithm that has a use for it
  int least, most;
  std::span<const std::string_view> words;  ///< of an enumeration; else empty
  int (*get)(const Options&);
  void (*set)(Options&, int);
  int (*idle)(Algorithm);  ///< its value in the plan of an algorithm that has no use for it

  bool used_by(Algorithm algorithm) const { return (users >> static_cast<unsigned>(algorithm) & 1U) != 0; }
  int open() const { return get({}); }  ///< the default
};

/// Every member of Options, once.
std::span<const OptionEntry> option_table();

/// Throws std::out_of_range where the table has no such word.
const OptionEntry& option_entry(std::string_view word);

/// "cfa and modular": the algorithms that have a use for it.
std::string users_of(const OptionEntry& entry);

/// All that is wrong with the options whatever the model and the processor are, a sentence each. `given`: words that a
/// user wrote, which must have an effect even where they say the default. `mark` stands before words in the sentences:
/// "--" in the command.
std::vector<std::string> option_faults(const Options& options, std::span<const std::string_view> given = {},
                                       std::string_view mark = "");

/// The same of lanes and limbs that the processor has not, of a KINETREE_ISA that there is not, and of an executor that
/// this build has not.
std::vector<std::string> processor_faults(const Options& options);

/// What is said of an executor that a build has not.
std::string missing_executor(ExecutorKind executor);

/// Faults of both kinds.
std::vector<std::string> all_faults(const Options& options);

/// Throws OptionError with the faults, a line for each; does nothing where there are none.
void refuse(const std::vector<std::string>& faults);

/// Refuses options with faults of either kind, and those by which a runner, where there is one, has no effect.
KINETREE_EXPORT void check_options(const Options& options, const Runner& runner = {});

/// What keeps a runner, where there is one, from having an effect.
std::vector<std::string> runner_faults(const Options& options, const Runner& runner);

/// The value that options have of an entry, as a user writes it; a number where there is no word for it.
std::string value_of(const OptionEntry& entry, const Options& options);

/// The options without those that their algorithm has no use for.
Options without_unused(Options options);

}  // namespace kinetree::inline inner
