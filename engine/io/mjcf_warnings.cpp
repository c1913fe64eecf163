#include "engine/io/mjcf_warnings.hpp"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace kinetree::inline inner {
namespace {

thread_local std::vector<std::string>* heard = nullptr;
void (*warn_before)(const char*) = nullptr;
void (*fail_before)(const char*) = nullptr;

}  // namespace

MujocoWarnings::MujocoWarnings() {
  heard = &said_;
  warn_before = mju_user_warning, fail_before = mju_user_error;
  mju_user_warning = warn, mju_user_error = fail;
}

MujocoWarnings::~MujocoWarnings() {
  mju_user_warning = warn_before, mju_user_error = fail_before;
  heard = nullptr;
}

void MujocoWarnings::warn(const char* text) {
  if (!heard) {
    if (warn_before) return warn_before(text);
    std::fprintf(stderr, "MuJoCo warns: %s\n", text);
  } else if (std::find(heard->begin(), heard->end(), text) == heard->end()) {
    heard->emplace_back(text);
  }
}

void MujocoWarnings::fail(const char* text) {
  if (heard) throw MujocoError(text);
  if (fail_before) return fail_before(text);
  std::fprintf(stderr, "MuJoCo can't go on: %s\n", text);
  std::exit(EXIT_FAILURE);  // as MuJoCo does: its callers don't expect it to return
}

}  // namespace kinetree::inline inner
