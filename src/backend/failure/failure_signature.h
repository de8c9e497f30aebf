// SPDX-License-Identifier: Apache-2.0
//
// What makes a failure this failure and no other: how the first one is remembered, printed, stored in a repro
// and found again (backend/failure/match.h).
//
//   compile: exception std::runtime_error: cannot lower aten::tanh
//   call 2: exception c10::Error: Expected size N but got N
//   call 1: signal SIGSEGV in mine::Emit
//   call 1: exit with code 7
//   compare: wrong values in outputs[0] (call 1)
//   backward: exception: element N of tensors does not require grad (call 1)
//
// As JSON an object, in which what is unknown is left out:
//
//   {"phase": "call", "call": 2, "kind": "exception", "message": "...", "exception": "c10::Error",
//    "signal": "SIGSEGV", "exit_code": 7, "frames": ["mine::Emit"], "output": "outputs[0]"}
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace culprit::backend {

/// What was being done.
enum class FailurePhase : uint8_t { kCompile, kCall, kCompare, kBackward };
std::string_view NameOf(FailurePhase phase);

enum class FailureKind : uint8_t {
  kException,
  kSignal,
  kTimeout,
  kMemory,
  kExit,
  kWrongValues,
  kNan,
  kShape,
  kDtype,
  kAliasing,
  kMutatedInput,
  kGradient,
  /// A result wants a gradient in one run only.
  kRequiresGrad,
  kNonDeterministic,
};
std::string_view NameOf(FailureKind kind);
/// Whether numbers are wrong, and nothing else about a result.
bool IsAboutNumbers(FailureKind kind);

struct FailureSignature {
  FailurePhase phase = FailurePhase::kCall;
  FailureKind kind = FailureKind::kException;
  /// Counted from 1; 0 if no call is meant.
  int call = 0;
  /// Of an exception, normalised (backend/failure/normalize_message.h).
  std::string message = {};
  /// The type of an exception as C++ names it, if it is known.
  std::string exception_type = {};
  /// "SIGSEGV".
  std::string signal = {};
  std::optional<int> exit_code = std::nullopt;
  /// Of a crash, innermost first (backend/failure/top_frames.h).
  std::vector<std::string> frames = {};
  /// "outputs[0]", "gradients.inputs[2]", the first that is wrong.
  std::string guilty_output = {};

  bool operator==(const FailureSignature&) const = default;

  /// One line.
  std::string ToString() const;
  /// One line, too.
  std::string ToJson() const;
  /// The error names the key and what it should be.
  static base::Result<FailureSignature> FromJson(std::string_view json);
};

}  // namespace culprit::backend
