// SPDX-License-Identifier: Apache-2.0
#include "watch/session/not_watched.h"

#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <chrono>
#include <memory>

#include "graph/tensors/gradness.h"

namespace culprit::watch {
namespace {

/// None of libtorch's own.
constexpr std::string_view kName = "culprit::watch::NotWatched";
constexpr c10::DebugInfoKind kKind(&kName);

/// How long a thread waits for a check of another one that may be waiting for it.
constexpr std::chrono::seconds kPatience{5};

std::timed_mutex check_mutex;

struct State : c10::DebugInfoBase {
  bool is_off = false;
  bool is_in_check = false;
};

const State& Now() {
  static const State& none = *new State;
  const auto* state = static_cast<const State*>(c10::ThreadLocalDebugInfo::get(kKind));
  return state == nullptr ? none : *state;
}

std::shared_ptr<State> StateOff() {
  auto state = std::make_shared<State>(Now());
  state->is_off = true;
  return state;
}

std::shared_ptr<State> StateInCheck(bool is_watched) {
  auto state = std::make_shared<State>(Now());
  state->is_off |= !is_watched;
  state->is_in_check = true;
  return state;
}

bool HasAccelerators() {
  for (int i = 0; i < c10::COMPILE_TIME_MAX_DEVICE_TYPES; ++i) {
    const auto type = static_cast<c10::DeviceType>(i);
    const bool has_threads = type != c10::kCPU && type != c10::kMeta && c10::impl::hasDeviceGuardImpl(type);
    if (has_threads && c10::impl::getDeviceGuardImpl(type)->deviceCount() > 0) return true;
  }
  return false;
}

/// Whether it may be a thread that libtorch has once per device, for the backward passes of all others.
bool MayServeOthers() {
  return graph::IsInBackward() && HasAccelerators();
}

std::unique_lock<std::timed_mutex> WaitForTurn() {
  // Whoever began the check waits for this thread, or is this thread.
  if (IsInCheck()) return {};
  if (!MayServeOthers()) return std::unique_lock(check_mutex);
  // If the check waits for its own backward pass, it does so until this one is over, and is not disturbed.
  return {check_mutex, kPatience};
}

}  // namespace

NotWatched::NotWatched() : state_(kKind, StateOff()) {}

bool IsNotWatched() {
  return Now().is_off;
}

CheckScope::CheckScope(bool is_watched) : alone_(WaitForTurn()), state_(kKind, StateInCheck(is_watched)) {}

bool IsInCheck() {
  return Now().is_in_check;
}

}  // namespace culprit::watch
