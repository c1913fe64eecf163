#include "parallel/executor.hpp"

namespace kinetree::inline inner {
namespace {

class SerialExecutor final : public Executor {
 public:
  void prepare(std::span<const Pass> passes, void* space, const Tasks& tasks) override {
    passes_ = passes, space_ = space;
    steps_ = 0;
    for (const Range& r : tasks.ranges) steps_ += r.end - r.begin;
  }
  void run() override { run_serial(passes_, space_, steps_); }
  void for_columns(int columns, void* context, void (*work)(void*, int, int)) override {
    for (int c = 0; c < columns; ++c) work(context, c, 0);
  }

 private:
  std::span<const Pass> passes_;
  void* space_ = nullptr;
  int steps_ = 0;
};

}  // namespace

std::unique_ptr<Executor> make_serial_executor() { return std::make_unique<SerialExecutor>(); }

}  // namespace kinetree::inline inner
