// SPDX-License-Identifier: Apache-2.0
#include "faults/ends.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

namespace culprit::faults {
namespace {

/// What the optimiser can neither turn into a loop nor leave out. It ends nowhere near a stack's size.
[[gnu::noinline]] uint64_t Recurse(uint64_t depth) {
  constexpr uint64_t kNever = UINT64_MAX;
  volatile char frame[1024];
  for (volatile char& byte : frame) byte = static_cast<char>(depth);
  if (depth == kNever) return 0;
  return Recurse(depth + 1) + static_cast<uint64_t>(frame[depth % sizeof(frame)]);
}

}  // namespace

void ThrowCompileError(Incident& incident) {
  throw std::runtime_error(fmt::format("injected fault: {} cannot be compiled", incident.site.operator_name));
}

void ThrowRuntimeError(Incident& incident) {
  throw std::runtime_error(
      fmt::format("injected fault: {} failed at call {}", incident.site.operator_name, incident.call));
}

void ThrowInteger(Incident& /*incident*/) {
  throw 42;
}

void WriteToNull(Incident& /*incident*/) {
  int* volatile address = nullptr;
  *address = 1;
}

void Abort(Incident& /*incident*/) {
  std::abort();
}

void OverflowStack(Incident& incident) {
  incident.call = Recurse(incident.call);
}

void SleepForever(Incident& /*incident*/) {
  while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

void EatMemory(Incident& /*incident*/) {
  // Small enough for a limit to be noticed soon, and below what malloc maps.
  constexpr size_t kChunk = size_t{16} << 20;
  std::vector<std::unique_ptr<char[]>> chunks;
  while (true) {
    chunks.push_back(std::make_unique_for_overwrite<char[]>(kChunk));
    // Other than zero, so that pages are not the one that all zeros share.
    std::memset(chunks.back().get(), 1, kChunk);
  }
}

void ExitWith0(Incident& /*incident*/) {
  std::exit(0);
}

void ExitWith7(Incident& /*incident*/) {
  std::exit(7);
}

}  // namespace culprit::faults
