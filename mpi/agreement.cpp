#include "mpi/agreement.hpp"

#include <cstdint>
#include <cstdio>
#include <string>

#include "engine/algorithm/lanes/instruction_set.hpp"
#include "engine/model/digest.hpp"

namespace kinetree::inline inner {
namespace {

std::string hexadecimal(std::uint64_t number) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

}  // namespace

void agree_on_model(const Communicator& communicator, const Model& model) {
  struct Facts {
    std::uint64_t digest = 0;
    InstructionSet set = InstructionSet::baseline;
  };
  Facts own;
  const std::string unknown = fault_of([&] { own = {digest(model.data()), instruction_set()}; });
  communicator.agree(unknown);
  Facts first = own;
  communicator.broadcast(first);
  std::string fault;
  if (own.digest != first.digest)
    fault = "model \"" + model.name() + "\" of " + std::to_string(model.body_count()) +
            " bodies is not that of rank 0 (digests " + hexadecimal(own.digest) + " and " + hexadecimal(first.digest) +
            "); load the same file with the same options on all ranks";
  else if (own.set != first.set)
    fault = std::string("its instruction set is ") + name_of(own.set) + ", and rank 0's is " + name_of(first.set) +
            ", which rounds in another way; set KINETREE_ISA on all ranks to one that all have";
  communicator.agree(fault);
}

}  // namespace kinetree::inline inner
