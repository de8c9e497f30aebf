// SPDX-License-Identifier: Apache-2.0
#include "check/question/ask_patiently.h"

#include <fmt/format.h>

#include <memory>
#include <mutex>

namespace culprit::check {
namespace {

/// What the second query has shown; several threads may ask.
class Known {
 public:
  std::optional<Finding> Get() const {
    const std::lock_guard lock(mutex_);
    return finding_;
  }
  void Set(Finding finding) {
    const std::lock_guard lock(mutex_);
    finding_ = std::move(finding);
  }

 private:
  mutable std::mutex mutex_;
  std::optional<Finding> finding_;
};

bool IsTimeout(const Finding& finding) {
  return finding.failure && finding.failure->kind == backend::FailureKind::kTimeout;
}

/// What both queries together have shown.
Finding Together(Finding first, Finding longer, const isolate::Limits& limits) {
  if (IsTimeout(longer)) return first;
  const auto usual = std::chrono::ceil<std::chrono::seconds>(limits.wall_time).count();
  const std::string more = fmt::format("--timeout {}", kPatience * usual);
  if (longer.failure) {
    Finding invalid;
    invalid.invalid = fmt::format(
        "reached a limit of Culprit's own: the compiler takes more than the usual {} s, and fails after "
        "that: {}",
        usual, longer.failure->ToString());
    invalid.help = fmt::format("to give it more, add: {}", more);
    return invalid;
  }
  longer.warnings.push_back(
      fmt::format("took more than the usual {} s and was asked again with {} s", usual, kPatience * usual));
  return longer;
}

}  // namespace

std::optional<isolate::Limits> WithPatience(const isolate::Limits& limits) {
  if (limits.growth.time == 0) return std::nullopt;
  isolate::Limits patient = limits;
  patient.wall_time *= kPatience;
  patient.growth.time *= kPatience;
  return patient;
}

AskOnce AskPatiently(AskOnce ask, AskOnce ask_longer, const isolate::Limits& limits) {
  return [ask = std::move(ask), ask_longer = std::move(ask_longer), limits,
          known = std::make_shared<Known>()](const repro::Repro& repro) -> base::Result<Finding> {
    if (const std::optional<Finding> finding = known->Get()) return *finding;
    Finding first = CULPRIT_TRY(ask(repro));
    if (!IsTimeout(first)) return first;
    Finding both = Together(std::move(first), CULPRIT_TRY(ask_longer(repro)), limits);
    known->Set(both);
    return both;
  };
}

}  // namespace culprit::check
