#include "library/option_table.hpp"

#include <array>
#include <type_traits>

#include "engine/algorithm/lanes/instruction_set.hpp"
#include "library/option_words.hpp"
#include "parallel/executor.hpp"

namespace kinetree::inline inner {
namespace {

constexpr unsigned bit(Algorithm algorithm) { return 1U << static_cast<unsigned>(algorithm); }
constexpr unsigned automatic = bit(Algorithm::automatic), ab = bit(Algorithm::ab), crb = bit(Algorithm::crb),
                   cfa = bit(Algorithm::cfa), modular = bit(Algorithm::modular),
                   all = automatic | ab | crb | cfa | modular;

constexpr int most_threads = 4096, most_lanes_asked = 64, most_bodies = 1 << 30;

template <auto member>
using ValueOf = std::remove_cvref_t<decltype(std::declval<Options>().*member)>;
template <auto member>
int get(const Options& o) {
  return static_cast<int>(o.*member);
}
template <auto member>
void set(Options& o, int value) {
  o.*member = static_cast<ValueOf<member>>(value);
}
template <auto member>
int idle_default(Algorithm) {
  return get<member>({});
}

template <auto member>
OptionEntry number(std::string_view word, std::string_view help, std::string_view range, bool of_algorithm,
                   unsigned users, int most, int (*idle)(Algorithm) = &idle_default<member>) {
  return {word, help, range, of_algorithm, users, 0, most, {}, &get<member>, &set<member>, idle};
}

template <auto member>
OptionEntry choice(std::string_view word, std::string_view help, bool of_algorithm, unsigned users) {
  static const std::string range = "one of " + list_of_words<ValueOf<member>>();
  const std::span<const std::string_view> words = Words<ValueOf<member>>::all;
  return {word,  help,         range,        of_algorithm,         users, 0, static_cast<int>(words.size()) - 1,
          words, &get<member>, &set<member>, &idle_default<member>};
}

std::string list_with_and(const std::vector<std::string_view>& words) {
  std::string text;
  for (std::size_t k = 0; k < words.size(); ++k)
    text.append(k == 0 ? "" : k + 1 == words.size() ? " and " : ", ").append(words[k]);
  return text;
}

/// Collects the sentences on some options.
class Faults {
 public:
  Faults(const Options& o, std::span<const std::string_view> given, std::string_view mark)
      : o_(o), given_(given), mark_(mark) {}

  std::vector<std::string> all() {
    for (const OptionEntry& entry : option_table()) look_at(entry);
    if (!found_.empty() && (o_.algorithm < Algorithm{} || o_.algorithm > Algorithm::modular)) return found_;
    serial_with_threads();
    pinned_without_team();
    side_by_side();
    grain_without_limbs();
    return found_;
  }

 private:
  std::string marked(std::string_view word) const { return std::string(mark_) + std::string(word); }
  std::string marked(std::string_view word, std::string_view value) const {
    return marked(word) + " " + std::string(value);
  }

  void look_at(const OptionEntry& entry) {
    const int value = entry.get(o_);
    const std::string is = marked(entry.word) + " is " + value_of(entry, o_);
    if (!entry.range.empty() && value != entry.open() && (value < entry.least || value > entry.most)) {
      found_.push_back(is + "; give " + std::string(entry.range));
      return;
    }
    const bool known = o_.algorithm >= Algorithm{} && o_.algorithm <= Algorithm::modular;
    if (!known || entry.used_by(o_.algorithm)) return;
    if (!was_given(entry) && (value == entry.open() || value == entry.idle(o_.algorithm))) return;
    found_.push_back(marked(entry.word, value_of(entry, o_)) + " has no effect with " +
                     marked("algorithm", to_word(o_.algorithm)) + ": it is for " + users_of(entry) + "; leave it out");
  }

  bool was_given(const OptionEntry& entry) const {
    for (const std::string_view word : given_)
      if (word == entry.word) return true;
    return false;
  }

  void serial_with_threads() {
    if (o_.executor != ExecutorKind::serial || o_.threads == 1) return;
    found_.push_back(marked("threads", std::to_string(o_.threads)) + " has no effect with " +
                     marked("executor", "serial") + ": take " + marked("executor", "team, tbb or openmp") + ", or " +
                     marked("threads", "1"));
  }

  void pinned_without_team() {
    if (o_.pinning != Pinning::cores || (o_.executor == ExecutorKind::team && o_.threads != 1)) return;
    const bool other = o_.executor != ExecutorKind::team;
    const std::string_view word = other ? "executor" : "threads";
    found_.push_back(marked("pinning", "cores") + " has no effect with " +
                     marked(word, value_of(option_entry(word), o_)) + ": take " +
                     (other ? marked("executor", "team") : "more " + marked("threads")) + ", or " +
                     marked("pinning", "none"));
  }

  /// What modules side by side leave to choose.
  void side_by_side() {
    if (o_.limbs <= 1 || o_.algorithm != Algorithm::modular) return;
    for (const std::string_view word : {"cuts", "elimination", "formulation"}) {
      const OptionEntry& entry = option_entry(word);
      if (entry.get(o_) == entry.open()) continue;
      found_.push_back(marked(word, value_of(entry, o_)) + " is not for modules side by side: take " +
                       marked("limbs", "1") + ", or " +
                       marked(word, entry.words[static_cast<std::size_t>(entry.open())]));
    }
  }

  /// By articulated bodies it is the most bodies of a limb.
  void grain_without_limbs() {
    const OptionEntry& entry = option_entry("grain");
    if (o_.algorithm != Algorithm::ab || o_.limbs > 1 || (o_.grain == 0 && !was_given(entry))) return;
    found_.push_back(marked("grain", value_of(entry, o_)) + " has no effect with " + marked("algorithm", "ab") +
                     " and " + marked("limbs", std::to_string(o_.limbs)) + ": take more " + marked("limbs") +
                     ", or leave it out");
  }

  const Options& o_;
  std::span<const std::string_view> given_;
  std::string_view mark_;
  std::vector<std::string> found_;
};

}  // namespace

std::span<const OptionEntry> option_table() {
  using O = Options;
  constexpr std::string_view threads_range = "0 (as many as there are physical cores) or a number up to 4096";
  static const std::array table{
      choice<&O::algorithm>("algorithm", "Which algorithm", false, all),
      choice<&O::executor>("executor", "Who schedules tasks; with one thread all run in place", false, all),
      number<&O::threads>("threads", "Threads for one state; 0: as many as physical cores", threads_range, false, all,
                          most_threads),
      choice<&O::pinning>("pinning", "Where the threads of team run: none, placed by the system; cores, one on each",
                          false, all),
      number<&O::lanes>("lanes", "States side by side: 2, 4 or 8 as the processor allows; 1: none; 0: the most", "",
                        false, all, most_lanes_asked),
      number<&O::grain>("grain", "Bodies per module (modular); the most of a limb (ab with limbs); 0: planned",
                        "0 (planned) or a number of bodies", true, ab | modular, most_bodies,
                        [](Algorithm a) { return a == Algorithm::cfa ? 1 : 0; }),
      choice<&O::cuts>("cuts", "Which joints may be cut (cfa, modular)", true, cfa | modular),
      number<&O::refinements>(
          "refinements", "Residual refinements where joints are cut (cfa, modular, automatic); default 1",
          "a number from 0 to 100", true, automatic | cfa | modular, 100, [](Algorithm) { return 0; }),
      choice<&O::elimination>("elimination", "Order of eliminating constraint forces (cfa, modular)", true,
                              cfa | modular),
      choice<&O::formulation>("formulation", "Velocity terms in the bias, or removed first (cfa, modular)", true,
                              cfa | modular),
      choice<&O::factorization>("factorization", "Of the mass matrix (crb)", true, crb),
      choice<&O::loops>(
          "loops", "Loops and couplings by embedding, by multipliers, or each aggregate by the cheaper; crb embeds",
          true, automatic | ab | cfa | modular),
      number<&O::limbs>("limbs",
                        "Like parts of one state side by side: limbs (ab), modules of end chains (modular); 1: "
                        "none; 0: automatic decides",
                        "", true, automatic | ab | modular, most_lanes_asked, [](Algorithm) { return 1; })};
  return table;
}

const OptionEntry& option_entry(std::string_view word) {
  for (const OptionEntry& entry : option_table())
    if (entry.word == word) return entry;
  throw std::out_of_range("there is no option " + std::string(word));
}

std::string users_of(const OptionEntry& entry) {
  std::vector<std::string_view> users;
  for (std::size_t a = 0; a < Words<Algorithm>::all.size(); ++a)
    if (entry.used_by(static_cast<Algorithm>(a))) users.push_back(Words<Algorithm>::all[a]);
  return list_with_and(users);
}

std::vector<std::string> option_faults(const Options& options, std::span<const std::string_view> given,
                                       std::string_view mark) {
  return Faults(options, given, mark).all();
}

std::string missing_executor(ExecutorKind executor) {
  const std::string option = executor == ExecutorKind::tbb ? "KINETREE_TBB" : "KINETREE_OPENMP";
  return "executor is " + std::string(to_word(executor)) + ", which this build was made without (" + option +
         " OFF); take executor team, or a build with it";
}

std::vector<std::string> processor_faults(const Options& o) {
  std::vector<std::string> found;
  if (!is_built(o.executor)) found.push_back(missing_executor(o.executor));
  const auto attempt = [&](auto&& check) {
    try {
      check();
    } catch (const std::invalid_argument& e) {
      found.emplace_back(e.what());
    }
  };
  attempt([&] {
    const InstructionSet set = instruction_set();
    if (o.lanes != 0 && o.lanes != 1) attempt([&] { set_of_lanes(o.lanes); });
    if (o.limbs == 0 || o.limbs == 1 || !option_entry("limbs").used_by(o.algorithm)) return;
    attempt([&] { checked_limb_width(o.limbs, set); });
  });
  return found;
}

std::string value_of(const OptionEntry& entry, const Options& o) {
  const int value = entry.get(o);
  if (entry.words.empty() || value < 0 || value > entry.most) return std::to_string(value);
  return std::string(entry.words[static_cast<std::size_t>(value)]);
}

std::vector<std::string> all_faults(const Options& options) {
  std::vector<std::string> faults = option_faults(options);
  for (std::string& fault : processor_faults(options)) faults.push_back(std::move(fault));
  return faults;
}

void refuse(const std::vector<std::string>& faults) {
  std::string text;
  for (const std::string& fault : faults) text += (text.empty() ? "" : "\n") + fault;
  if (!text.empty()) throw OptionError(text);
}

std::vector<std::string> runner_faults(const Options& o, const Runner& runner) {
  std::vector<std::string> found;
  if (!runner) return found;
  const auto say = [&](std::string_view word, const std::string& advice) {
    const OptionEntry& entry = option_entry(word);
    found.push_back("a runner has no effect with " + std::string(word) + ' ' + value_of(entry, o) + ": take " + advice +
                    ", or leave the runner out");
  };
  if (o.executor != ExecutorKind::team) say("executor", "executor team");
  if (o.threads == 1) say("threads", "as many threads as it has");
  if (o.pinning == Pinning::cores)
    found.push_back("pinning cores has no effect with a runner, whose threads are the caller's: take pinning none");
  return found;
}

void check_options(const Options& options, const Runner& runner) {
  std::vector<std::string> faults = all_faults(options);
  for (std::string& fault : runner_faults(options, runner)) faults.push_back(std::move(fault));
  refuse(faults);
}

Options without_unused(Options options) {
  for (const OptionEntry& entry : option_table())
    if (!entry.used_by(options.algorithm)) entry.set(options, entry.open());
  return options;
}

}  // namespace kinetree::inline inner
