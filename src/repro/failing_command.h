// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace culprit::repro {

/// What shows the failure of a file. One run of what fails only sometimes would often pass; each process of
/// `verify` runs it as often as it takes.
inline std::string FailingCommand(std::string_view file, bool fails_sometimes) {
  return fmt::format("culprit {} {}", fails_sometimes ? "verify --times 3" : "run", file);
}

}  // namespace culprit::repro
