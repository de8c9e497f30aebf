// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace culprit::tests {

/// Those that have to leave behind what libtorch's own interpreter does, gradients included, to the last bit.
inline constexpr std::array<const char*, 1> kExactBackends = {"aot-eager"};

}  // namespace culprit::tests
