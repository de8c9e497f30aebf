// SPDX-License-Identifier: Apache-2.0
//
// The kinds of graph breaks: why a graph had to end before the program did. The numbers are for good: they
// stand in logs, in the documentation and in people's notes.
#pragma once

#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <string_view>

namespace culprit::capture {

enum class BreakKind : uint8_t {
  kTensorToNumber,
  kTensorToBool,
  kDataDependentShape,
  kPrint,
  kWarning,
  kRaise,
  kFailingOperator,
  kUncapturedOperator,
  kUncapturedArguments,
  kModeChange,
  kEffect,
  kNativeCall,
  kDisabled,
  kFork,
  kUnusualTensor,
  kTooLong,
};

struct BreakDescription {
  BreakKind kind;
  /// "B01"
  std::string_view code;
  /// One line, in lower case: what happens in the program.
  std::string_view name;
  std::string_view explanation;
  /// What the author of the program can do about it.
  std::string_view hint;
};

/// In the order of their numbers.
std::span<const BreakDescription> AllBreaks();
const BreakDescription& DescriptionOf(BreakKind kind);

/// Asks the walk to stop in front of the instruction.
class BreakRequest : public std::exception {
 public:
  BreakRequest(BreakKind kind, std::string reason) : kind_(kind), reason_(std::move(reason)) {}
  BreakKind kind() const { return kind_; }
  /// "aten::item on x": what was met, in lower case.
  const std::string& reason() const { return reason_; }
  const char* what() const noexcept override { return reason_.c_str(); }

 private:
  BreakKind kind_;
  std::string reason_;
};

}  // namespace culprit::capture
