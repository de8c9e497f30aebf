// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hunt/request/listener.h"
#include "hunt/result/report.h"
#include "minify/failure_check.h"

namespace culprit::hunt {

/// A failure that depends on what is in memory by chance may come back once: asks nine times more.
/// `jobs` of them at a time.
void VerifyMoreTimes(minify::FailureCheck& check, const std::string& path, size_t jobs,
                     const Listener& listener, Verification& verification);

}  // namespace culprit::hunt
