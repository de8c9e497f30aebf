// SPDX-License-Identifier: Apache-2.0
//
// What a check has met when it called what was compiled, the program meets where it would have met it without
// the check: in its first call, under the lines of the program that lead there. Later calls have other
// numbers.
#pragma once

#include <exception>
#include <memory>
#include <optional>

#include "backend/backend.h"
#include "watch/notice/notice.h"

namespace culprit::watch {

struct ThrownAtFirstCall {
  std::exception_ptr exception;
  /// Nothing if nobody watches.
  std::optional<Notice> report;
};

std::unique_ptr<backend::Compiled> FailsAtFirstCall(std::unique_ptr<backend::Compiled> compiled,
                                                    ThrownAtFirstCall thrown);

}  // namespace culprit::watch
