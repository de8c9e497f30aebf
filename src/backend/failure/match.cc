// SPDX-License-Identifier: Apache-2.0
#include "backend/failure/match.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "base/internal_error.h"
#include "base/text.h"

namespace culprit::backend {
namespace {

std::string Shown(std::string_view text) {
  return text.empty() ? "none" : fmt::format("'{}'", base::Printable(text));
}
std::string Shown(int number) {
  return fmt::to_string(number);
}
std::string Shown(const std::optional<int>& number) {
  return number ? Shown(*number) : "none";
}
std::string Shown(const std::vector<std::string>& list) {
  return Shown(fmt::format("{}", fmt::join(list, ", ")));
}
std::string Shown(FailurePhase phase) {
  return Shown(NameOf(phase));
}
std::string Shown(FailureKind kind) {
  return Shown(NameOf(kind));
}

/// Compares part by part and keeps the first difference.
class Comparison {
 public:
  explicit Comparison(unsigned compared) : compared_(compared) {}

  template <typename T>
  void Compare(SignaturePart part, std::string_view name, const T& expected, const T& met) {
    if ((compared_ & part) == 0 || difference_ || expected == met) return;
    difference_ = fmt::format("the {} is {}, not {}", name, Shown(met), Shown(expected));
  }

  std::optional<std::string> Take() && { return std::move(difference_); }

 private:
  unsigned compared_;
  std::optional<std::string> difference_;
};

unsigned ComparedBy(MatchMode mode) {
  const auto* found = std::ranges::find(kMatchModes, mode, &MatchModeDescription::mode);
  CULPRIT_CHECK(found != std::end(kMatchModes), "match mode {} is in no table", static_cast<int>(mode));
  return found->compared;
}

}  // namespace

base::Result<MatchMode> ParseMatchMode(std::string_view name) {
  std::vector<std::string_view> names;
  for (const MatchModeDescription& mode : kMatchModes) {
    if (mode.name == name) return mode.mode;
    names.push_back(mode.name);
  }
  base::Diagnostic error{
      {}, fmt::format("unknown match '{}'{}", base::Printable(name), base::DidYouMean(name, names))};
  error.help = fmt::format("it is one of {}", fmt::join(names, ", "));
  return error;
}

std::optional<std::string> FirstDifference(const FailureSignature& expected, const FailureSignature& met,
                                           MatchMode mode) {
  Comparison comparison(ComparedBy(mode));
  comparison.Compare(kPartPhase, "phase", expected.phase, met.phase);
  comparison.Compare(kPartKind, "kind", expected.kind, met.kind);
  comparison.Compare(kPartEnd, "signal", expected.signal, met.signal);
  comparison.Compare(kPartEnd, "exit code", expected.exit_code, met.exit_code);
  comparison.Compare(kPartMessage, "message", expected.message, met.message);
  if (!expected.frames.empty() && !met.frames.empty())
    comparison.Compare(kPartTopFrame, "top frame", expected.frames.front(), met.frames.front());
  comparison.Compare(kPartRest, "call", expected.call, met.call);
  comparison.Compare(kPartRest, "exception", expected.exception_type, met.exception_type);
  comparison.Compare(kPartRest, "stack", expected.frames, met.frames);
  comparison.Compare(kPartRest, "guilty output", expected.guilty_output, met.guilty_output);
  return std::move(comparison).Take();
}

bool SameFailure(const FailureSignature& expected, const FailureSignature& met, MatchMode mode) {
  return !FirstDifference(expected, met, mode);
}

}  // namespace culprit::backend
