#pragma once
// A thread computes by the rounding of the thread that it works for: which thread runs a task changes no bit.

namespace kinetree::inline inner {

/// How a thread rounds, and what it does with subnormal numbers.
class Rounding {
 public:
  /// That of this thread.
  static Rounding here() { return Rounding(__builtin_ia32_stmxcsr() & modes); }
  bool operator==(const Rounding&) const = default;

  class Use;

 private:
  static constexpr unsigned modes = 0xFFC0;  // MXCSR without its sticky flags
  explicit Rounding(unsigned bits) : bits_(bits) {}
  unsigned bits_;
};

/// Sets the rounding of this thread; the destructor restores the former one.
class Rounding::Use {
 public:
  explicit Use(Rounding wanted) : before_(here()), changes_(wanted != before_) {
    if (changes_) set(wanted);
  }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  ~Use() {
    if (changes_) set(before_);
  }

 private:
  static void set(Rounding r) { __builtin_ia32_ldmxcsr((__builtin_ia32_stmxcsr() & ~modes) | r.bits_); }
  Rounding before_;
  bool changes_;
};

}  // namespace kinetree::inline inner
