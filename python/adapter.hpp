#pragma once
// A free function of C++ as its header has it (python/adapters.py makes the table of them).

#include <kinetree/function.hpp>
#include <kinetree/independent.hpp>

namespace kinetree::python {

struct Adapter {
  enum Argument : unsigned {
    v = 1,
    a = 2,
    f_ext = 4,
    points = 8,
    axes = 16,
    coordinates = 32,
    tau = 64,
    linear = 128,
    damping = 256
  };

  const char* name;
  boundary::Function function;
  unsigned arguments;  ///< beside q and a product's directions: those that the adapter passes on
  const char* text;    ///< the header's comment

  constexpr bool has(Argument argument) const { return (arguments & argument) != 0; }
};

/// A function of independent coordinates, likewise.
struct IndependentAdapter {
  const char* name;
  boundary::OfIndependent function;
  bool v;         ///< whether it reads velocities
  const char* x;  ///< what X_S is applied to, or the accelerations; "": nothing
  bool f_ext;
  const char* text;
};

}  // namespace kinetree::python
