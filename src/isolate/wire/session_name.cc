// SPDX-License-Identifier: Apache-2.0
#include "isolate/wire/session_name.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/random.h>

#include <array>
#include <cstdint>

#include "base/internal_error.h"

namespace culprit::isolate {

const std::string& SessionName() {
  static const std::string name = [] {
    std::array<uint64_t, 2> numbers = {};
    CULPRIT_CHECK(getrandom(numbers.data(), sizeof(numbers), 0) == sizeof(numbers), "no random numbers");
    return fmt::format("culprit-{:016x}{:016x}", numbers[0], numbers[1]);
  }();
  return name;
}

}  // namespace culprit::isolate
