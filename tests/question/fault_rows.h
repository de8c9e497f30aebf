// SPDX-License-Identifier: Apache-2.0
//
// Every kind of fault that any compiler can have, and how it is signed.
#pragma once

#include <string>
#include <string_view>

#include "check/verdict/sign.h"

namespace culprit::tests {

inline constexpr std::string_view kPasses = "passes";

enum class Where { kAnyProcess, kOnlyIsolated };

struct FaultRow {
  std::string_view fault;
  /// As the signature is printed, without frames.
  std::string_view signature;
  Where where = Where::kAnyProcess;

  bool Hangs() const { return signature.ends_with("time limit exceeded"); }
};

inline constexpr FaultRow kFaultRows[] = {
    {"compile-error", "compile: exception std::runtime_error: injected fault: aten::tanh cannot be compiled"},
    {"runtime-error", "call 1: exception std::runtime_error: injected fault: aten::tanh failed at call N"},
    {"nonstandard-throw", "call 1: exception int: something that is no std::exception was thrown"},
    {"accuracy", "compare: wrong values in outputs[0] (call 1)"},
    {"nan", "compare: NaN in outputs[0] (call 1)"},
    {"gradient", "compare: wrong gradient in gradients.inputs[0] (call 1)"},
    {"shape", "compare: wrong shape in outputs[0] (call 1)"},
    {"dtype", "compare: wrong dtype in outputs[0] (call 1)"},
    {"writes-input", "compare: mutated input in inputs[0] (call 1)"},
    {"segfault", "call 1: signal SIGSEGV", Where::kOnlyIsolated},
    {"abort", "call 1: signal SIGABRT", Where::kOnlyIsolated},
    {"stack-overflow", "call 1: signal SIGSEGV", Where::kOnlyIsolated},
    {"hang", "call 1: time limit exceeded", Where::kOnlyIsolated},
    {"compile-segfault", "compile: signal SIGSEGV", Where::kOnlyIsolated},
    {"compile-hang", "compile: time limit exceeded", Where::kOnlyIsolated},
    {"memory", "call 1: memory limit exceeded", Where::kOnlyIsolated},
    {"exit0", "call 1: exit with code 0", Where::kOnlyIsolated},
    {"exit7", "call 1: exit with code 7", Where::kOnlyIsolated},
    {"late", "compare: wrong values in outputs[0] (call 2)"},
    {"flaky:1", "compare: wrong values in outputs[0] (call 1)"},
    {"above:63", "compare: wrong values in outputs[0] (call 1)"},
    {"above:64", kPasses},
};

/// What has no gradients cannot have wrong ones.
inline std::string_view ExpectedWithoutGradients(const FaultRow& row) {
  return row.fault == "gradient" ? kPasses : row.signature;
}

inline std::string WithoutFrames(const check::Finding& finding) {
  if (!finding.invalid.empty()) return "invalid: " + finding.invalid;
  if (!finding.failure) return std::string(kPasses);
  backend::FailureSignature signature = *finding.failure;
  signature.frames.clear();
  return signature.ToString();
}

}  // namespace culprit::tests
