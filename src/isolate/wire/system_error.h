// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cerrno>
#include <string_view>

#include "base/diagnostic.h"

namespace culprit::isolate {

/// "cannot WHAT: Too many open files", from errno.
inline base::Diagnostic SystemError(std::string_view what, int error = errno) {
  return base::SystemError({}, fmt::format("cannot {}", what), error);
}

}  // namespace culprit::isolate
