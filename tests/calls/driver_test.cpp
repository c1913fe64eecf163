// The driver of random sequences sees what a call leaves behind, and finds the shortest sequence that shows it.
#include <memory>

#include "calls/sequences.hpp"

namespace kinetree::oracle {
namespace {

/// Adds numbers up. What it leaves behind may be a slip: a refused call that counts, a beginning that keeps a sum, a
/// look's room that a beginning does not clear.
enum class Slip { none, refused_counts, begin_keeps, room_kept, speaks };

struct Adder {
  int sum = 0, refused = 0, room = 0;
};

template <Slip slip>
struct Additions {
  explicit Additions(std::uint64_t) {}
  std::unique_ptr<Adder> make() const { return std::make_unique<Adder>(); }
  std::string words() const { return "an adder"; }
  Outcome run(Adder& adder, std::uint64_t call) const {
    Outcome outcome;
    switch (call % 4) {
      case 0:
        outcome.effect = Effect::begins, outcome.words = "begin";
        if (slip != Slip::begin_keeps) adder.sum = 0;
        break;
      case 1:
        outcome.effect = Effect::goes_on, outcome.words = "add";
        adder.sum += slip == Slip::refused_counts && adder.refused > 1 ? 2 : 1;
        break;
      case 2:
        outcome.effect = Effect::refused, outcome.words = "add nothing";
        ++adder.refused;
        if (slip == Slip::speaks) outcome.break_promise("it wrote");
        break;
      default:
        outcome.effect = Effect::goes_on, outcome.words = "look";
        outcome.show("room", slip == Slip::room_kept ? adder.room : 0);
        adder.room = static_cast<int>(call / 4 % 5);
    }
    outcome.show("sum", adder.sum);
    return outcome;
  }
};

/// The first that some sequence shows, of seeds from 1 on.
template <Slip slip>
std::string seen() {
  for (std::uint64_t seed = 1; seed <= 50; ++seed)
    if (const std::string text = trace_left<Additions<slip>>(seed); !text.empty()) return text.substr(text.find(':'));
  return "";
}

TEST(CallSequencesDriver, FindsTheShortestSequence) {
  EXPECT_EQ(seen<Slip::none>(), "");
  EXPECT_EQ(seen<Slip::speaks>(), ": an adder\n  1. add nothing   <- it wrote");
  EXPECT_EQ(seen<Slip::refused_counts>(),
            ": an adder\n  1. add nothing\n  2. add nothing\n"
            "  3. add   <- sum differs from a fresh object's from byte 0 of 4 on");
  EXPECT_EQ(seen<Slip::begin_keeps>(),
            ": an adder\n  1. add\n  2. begin   <- sum differs from a fresh object's from byte 0 of 4 on");
  EXPECT_EQ(seen<Slip::room_kept>(),
            ": an adder\n  1. look\n  2. begin\n  3. look   <- room differs from a fresh object's from byte 0 of 4 on");
}

/// What lasts is there after a beginning; what is spoilt is compared again after one.
struct Watched {
  int event = 0, sum = 0;
};
struct Watching {
  explicit Watching(std::uint64_t) {}
  std::unique_ptr<Watched> make() const { return std::make_unique<Watched>(); }
  std::string words() const { return "watched"; }
  Outcome run(Watched& w, std::uint64_t call) const {
    Outcome outcome;
    outcome.words = std::to_string(call % 4);
    switch (call % 4) {
      case 0:
        outcome.effect = Effect::begins, w.sum = 0;
        break;
      case 1:
        outcome.effect = Effect::lasts, w.event = static_cast<int>(call % 97);
        break;
      case 2:
        outcome.effect = Effect::spoils, w.sum = ++spoilt;
        return outcome;
      default:
        outcome.effect = Effect::goes_on, w.sum += w.event;
    }
    outcome.show("sum", w.sum);
    return outcome;
  }
  mutable int spoilt = 0;
};

TEST(CallSequencesDriver, KnowsWhatLastsAndWhatIsSpoilt) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) EXPECT_EQ(trace_left<Watching>(seed), "");
}

}  // namespace
}  // namespace kinetree::oracle
