// SPDX-License-Identifier: Apache-2.0
#include "watch/notice/thrown_now.h"

#include <culprit/errors.h>
#include <cxxabi.h>

#include "backend/foreign_error.h"
#include "base/internal_error.h"
#include "check/model/thrown.h"
#include "check/verdict/sign.h"

namespace culprit::watch {
namespace {

check::RunFailure FailureOf(const std::exception_ptr& exception, check::Phase phase) {
  const std::optional<check::Thrown> thrown = check::CatchThrown([&] { std::rethrow_exception(exception); });
  return {phase, thrown->message, 0, thrown->type, exception};
}

}  // namespace

ThrownNow DescribeThrown(check::Phase phase) {
  ThrownNow now;
  try {
    throw;
  } catch (const abi::__forced_unwind&) {
    // A thread that is cancelled.
    throw;
  } catch (const base::InternalError&) {
    now.is_internal = true;
  } catch (const backend::ForeignRequest&) {
    now.is_internal = true;
  } catch (const BackendCompilerFailed& failed) {
    now.is_failure = true;
    now.failure = FailureOf(failed.cause(), check::Phase::kCompile);
  } catch (const Failure&) {
    now.is_failure = true;
  } catch (...) {
    now.failure = FailureOf(std::current_exception(), phase);
  }
  return now;
}

MetFailure DescribeMet(const check::RunFailure& met) {
  try {
    std::rethrow_exception(met.exception);
  } catch (...) {
    const ThrownNow now = DescribeThrown(met.phase);
    check::RunFailure unwatched = now.failure;
    unwatched.phase = met.phase;
    unwatched.call = met.call;
    return {now, SignatureOf(unwatched)};
  }
}

backend::FailureSignature SignatureOf(const check::RunFailure& failure) {
  return *check::SignCheck({.status = check::CheckStatus::kCandidateFailed, .failure = failure}).failure;
}

}  // namespace culprit::watch
