// SPDX-License-Identifier: Apache-2.0
#include "watch/thrown_now.h"

#include <culprit/errors.h>

#include "base/internal_error.h"
#include "check/sign.h"
#include "check/thrown.h"

namespace culprit::watch {
namespace {

check::Failure FailureOf(const std::exception_ptr& exception, check::Phase phase) {
  const std::optional<check::Thrown> thrown = check::CatchThrown([&] { std::rethrow_exception(exception); });
  return {phase, thrown->message, 0, thrown->type, exception};
}

}  // namespace

ThrownNow DescribeThrown(check::Phase phase) {
  ThrownNow now;
  try {
    throw;
  } catch (const base::InternalError&) {
    now.is_internal = true;
  } catch (const BackendCompilerFailed& failed) {
    now.is_counted = true;
    now.failure = FailureOf(failed.cause(), check::Phase::kCompile);
  } catch (const Failure&) {
    now.is_reported = true;
  } catch (...) {
    now.failure = FailureOf(std::current_exception(), phase);
  }
  return now;
}

bool IsDone(const ThrownNow& now, const Session& session, bool is_active) {
  if (now.is_internal || now.is_reported) return true;
  return now.is_counted && (!is_active || session.watches(Point::kAot));
}

backend::FailureSignature SignatureOf(const check::Failure& failure) {
  return *check::SignCheck({.status = check::CheckStatus::kCandidateFailed, .failure = failure}).failure;
}

}  // namespace culprit::watch
