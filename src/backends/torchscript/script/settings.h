// SPDX-License-Identifier: Apache-2.0
//
// How the backend is configured: how far a graph is optimised before its first call (`stage`), and what
// happens at the calls (`executor`).
//
//   stage          before the first call                               at the calls
//   plain          nothing                                             the executor's own passes
//   freeze         parameters are constants; freeze's passes           the same
//   ofi            freeze's and then optimize_for_inference's          the same
//   nnc            nothing                                             the tensor-expression fuser on the CPU
//   legacy-fuser   nothing                                             the old fuser, by a C++ compiler
//
//   executor       what the calls do
//   profiling      the 1st watches dtypes and shapes, the 2nd optimises with that in mind
//   simple         optimises at the 1st call, without knowing dtypes and shapes
//   legacy         optimises at the 1st call for just these dtypes and shapes
#pragma once

#include <cstdint>

#include "backend/configuration.h"
#include "backend/description.h"
#include "base/result.h"

namespace culprit::backends::torchscript {

enum class ScriptStage : uint8_t { kPlain, kFreeze, kOfi, kNnc, kLegacyFuser };
enum class Executor : uint8_t { kProfiling, kSimple, kLegacy };

struct ScriptSettings {
  ScriptStage stage = ScriptStage::kPlain;
  Executor executor = Executor::kProfiling;
  int calls = 0;

  /// Constants are what the passes of these stages look for.
  bool freezes() const { return stage == ScriptStage::kFreeze || stage == ScriptStage::kOfi; }
};

/// The options that ReadSettings understands.
std::vector<backend::OptionDescription> DescribeOptions();

base::Result<ScriptSettings> ReadSettings(const backend::Configuration& configuration);

}  // namespace culprit::backends::torchscript
