// SPDX-License-Identifier: Apache-2.0
//
// The state of a process and thread that decides what operators compute: gradient modes, autocast, default
// dtype, deterministic algorithms, threads, and the state of the random generator.
#pragma once

#include <ATen/Generator.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/InferenceMode.h>

#include <cstdint>
#include <optional>
#include <string>

namespace culprit::repro {

/// Autocast is off unless a run has one.
struct Autocast {
  at::DeviceType device = at::kCPU;
  at::ScalarType dtype = at::kBFloat16;
  bool operator==(const Autocast&) const = default;
};

struct RunSettings {
  bool grad = true;
  bool inference = false;
  std::optional<Autocast> autocast;
  at::ScalarType default_dtype = at::kFloat;
  bool deterministic = false;
  bool deterministic_warn_only = false;
  /// Nothing: as many as the process has.
  std::optional<int> threads;
  /// libtorch can set it only once per process; it is kept to be told.
  std::optional<int> interop_threads;
  /// What the CPU's generator is seeded with.
  uint64_t seed = 0;
  /// The generator's state as bytes, if it is not what the seed gives.
  std::string generator_state = {};
  bool operator==(const RunSettings&) const = default;
};

/// Those of this thread, now.
RunSettings CurrentRunSettings();

/// As these, and cheap: of the generator the seed alone, and no interop_threads, which never change.
RunSettings CurrentModes();

/// Sets the generator of the CPU to the state that the settings name.
void SetGenerator(const RunSettings& settings);

/// Makes the settings hold until the end of the scope, and puts back what was there, the generator included.
class RunScope {
 public:
  explicit RunScope(const RunSettings& settings);
  ~RunScope();
  RunScope(const RunScope&) = delete;
  RunScope& operator=(const RunScope&) = delete;

 private:
  RunSettings before_;
  // Sets grad mode too, so that comes behind it.
  c10::InferenceMode inference_;
  at::AutoGradMode grad_;
};

}  // namespace culprit::repro
