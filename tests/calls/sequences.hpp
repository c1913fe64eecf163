#pragma once
// What a call leaves behind: random sequences of calls on one object, and the same calls on fresh ones. A fresh object
// gets what the promises of a class say that a result depends on, and nothing else: no call that was refused, none
// before the last that begins anew. Equal bits are asked for. KINETREE_CALLS_SEED takes another seed than 1; sequence k
// of seed s is the first of seed s + k. A sequence that fails is made shorter while it fails (as delta debugging does,
// Zeller & Hildebrandt 2002), and what is left is printed.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <kinetree/status.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/model/random.hpp"

namespace kinetree::oracle {

/// What a call does to later ones.
enum class Effect {
  begins,   ///< nothing before it counts any more, but for what lasts
  goes_on,  ///< from what was before
  lasts,    ///< goes on, and replaces the last such call: begins leave it as it is
  refused,  ///< it changes nothing: a fresh object goes without it
  spoils,   ///< nothing is promised until a call that begins
};

/// What a call gave, and what the object shows after it.
struct Outcome {
  Effect effect = Effect::begins;
  std::string words;  ///< the call, for people
  std::string fault;  ///< a promise that the call broke by itself; "": none
  std::vector<std::pair<const char*, std::string>> shown{};

  template <class T>
  void show(const char* name, const T* numbers, std::ptrdiff_t count) {
    std::string& bytes = shown.emplace_back(name, std::string()).second;
    if (count > 0) bytes.assign(reinterpret_cast<const char*>(numbers), sizeof(T) * static_cast<std::size_t>(count));
  }
  template <class T>
  void show(const char* name, const T& number) {
    show(name, &number, 1);
  }
  void show(const char* name, const Status& s) {
    std::string text;
    for (const int number : {static_cast<int>(s.code), s.column, s.body, s.expected, static_cast<int>(s.columns)})
      text += std::to_string(number) + " ";
    char value[32];
    std::snprintf(value, sizeof value, "%a ", s.value);
    shown.emplace_back(name, text + value + s.argument);
  }
  void show(std::span<const Status> all) {
    for (const Status& status : all) show("statuses()", status);
  }
  /// Tells the first fault of a call; others may follow from it.
  void break_promise(const std::string& what) {
    if (fault.empty()) fault = what;
  }
};

using Calls = std::vector<std::uint64_t>;

struct Difference {
  std::size_t call;
  std::string what;
};

/// How the calls of sequences fell out, so that none is tested by calls that do nothing.
struct Effects {
  long all = 0, refused = 0, begins = 0;
};

/// Where an object shows that it was used before. A Subject is what calls are made on:
///   std::unique_ptr<Object> make() const       a fresh object
///   Outcome run(Object&, std::uint64_t call)   the call of that number: the same each time
template <class Subject>
std::optional<Difference> first_difference(Subject& subject, const Calls& calls, Effects* effects = nullptr) {
  auto used = subject.make();
  std::vector<Outcome> given;
  std::optional<Difference> found;
  const auto differ = [&](std::size_t call, const std::string& what) {
    if (!found) found = Difference{call, what};  // the rest is made all the same: other ranks may wait for it
  };
  for (std::size_t k = 0; k < calls.size(); ++k) {
    const Outcome& outcome = given.emplace_back(subject.run(*used, calls[k]));
    if (!outcome.fault.empty()) differ(k, outcome.fault);
    if (effects == nullptr) continue;
    ++effects->all, effects->refused += outcome.effect == Effect::refused;
    effects->begins += outcome.effect == Effect::begins;
  }
  auto fresh = subject.make();
  std::optional<std::uint64_t> lasting;
  bool spoilt = false;
  for (std::size_t k = 0; k < calls.size(); ++k) {
    const Effect effect = given[k].effect;
    if (effect == Effect::begins) {
      fresh = subject.make(), spoilt = false;
      if (lasting) subject.run(*fresh, *lasting);
    }
    spoilt = spoilt || effect == Effect::spoils;
    if (effect == Effect::lasts) lasting = calls[k];
    if (spoilt || effect == Effect::refused) continue;
    const Outcome alone = subject.run(*fresh, calls[k]);
    if (alone.shown.size() != given[k].shown.size()) {
      differ(k, "other results than of a fresh object");
      continue;
    }
    for (std::size_t n = 0; n < alone.shown.size(); ++n) {
      const std::string &a = alone.shown[n].second, &b = given[k].shown[n].second;
      if (a == b) continue;
      const auto byte = std::ranges::mismatch(a, b).in1 - a.begin();
      differ(k, std::string(alone.shown[n].first) + " differs from a fresh object's from byte " + std::to_string(byte) +
                    " of " + std::to_string(a.size()) + " on");
    }
  }
  if constexpr (requires { subject.anywhere(true); })  // over ranks
    if (subject.anywhere(found.has_value()) && !found) found = Difference{calls.size() - 1, "on another rank"};
  return found;
}

/// The calls without those that are not needed to show a difference.
template <class Subject>
Calls shortest(Subject& subject, Calls calls) {
  const auto differs = [&](const Calls& fewer) { return first_difference(subject, fewer).has_value(); };
  for (std::size_t size = std::max<std::size_t>(1, calls.size() / 2); size > 0;) {
    bool fewer = false;
    for (std::size_t first = 0; first < calls.size();) {
      Calls rest = calls;
      const auto begin = rest.begin() + static_cast<std::ptrdiff_t>(first);
      rest.erase(begin, begin + static_cast<std::ptrdiff_t>(std::min(size, calls.size() - first)));
      if (!rest.empty() && differs(rest))
        calls = rest, fewer = true;
      else
        first += size;
    }
    if (size == 1 && !fewer) break;
    size = std::max<std::size_t>(1, size / 2);
  }
  return calls;
}

/// The shortest sequence found that shows a difference, in words; "" where the sequence of this seed shows none.
template <class Subject>
std::string trace_left(std::uint64_t seed, Effects* effects = nullptr) {
  Subject subject(seed);
  Random random(seed * 0x9e3779b97f4a7c15ULL + 7);
  Calls calls(static_cast<std::size_t>(2 + random.below(11)));
  for (std::uint64_t& call : calls) call = random.next();
  if (!first_difference(subject, calls, effects)) return "";
  calls = shortest(subject, calls);
  const std::optional<Difference> found = first_difference(subject, calls);
  std::string text = "KINETREE_CALLS_SEED=" + std::to_string(seed) + ": " + subject.words();
  const auto object = subject.make();
  for (std::size_t k = 0; k < calls.size(); ++k) {
    text += "\n  " + std::to_string(k + 1) + ". " + subject.run(*object, calls[k]).words;
    if (found && found->call == k) text += "   <- " + found->what;
  }
  return found ? text : text + "\n  (it differs now and then)";
}

inline std::uint64_t calls_seed() {
  const char* given = std::getenv("KINETREE_CALLS_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : 1;
}

/// `tell`: whether to print how many calls there were.
template <class Subject>
void expect_no_trace(int sequences, bool tell = true) {
  Effects effects;
  for (int k = 0; k < sequences; ++k)
    if (const std::string text = trace_left<Subject>(calls_seed() + static_cast<std::uint64_t>(k), &effects);
        !text.empty()) {
      ADD_FAILURE() << text;
      return;
    }
  if (tell)
    std::printf("%d sequences, KINETREE_CALLS_SEED=%llu: %ld calls, %ld refused, %ld began anew\n", sequences,
                static_cast<unsigned long long>(calls_seed()), effects.all, effects.refused, effects.begins);
  EXPECT_GT(effects.all, 4L * sequences);
}

template <class T>
const T& any_of(Random& random, const std::vector<T>& choices) {
  return choices[static_cast<std::size_t>(random.below(static_cast<int>(choices.size())))];
}

}  // namespace kinetree::oracle
