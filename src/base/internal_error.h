// SPDX-License-Identifier: Apache-2.0
//
// InternalError is for Culprit's own bugs; what input can cause is a Result (base/result.h).
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace culprit::base {

class InternalError : public std::logic_error {
 public:
  InternalError(const char* file, int line, const std::string& message)
      : std::logic_error(fmt::format("{}:{}: {}", file, line, message)) {}
};

}  // namespace culprit::base

/// Throws InternalError with a formatted message unless `condition` holds. On in every build.
#define CULPRIT_CHECK(condition, ...)                                                          \
  do {                                                                                         \
    if (!(condition))                                                                          \
      throw ::culprit::base::InternalError(__FILE_NAME__, __LINE__, fmt::format(__VA_ARGS__)); \
  } while (false)
