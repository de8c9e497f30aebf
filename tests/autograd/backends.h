// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace culprit::tests {

/// Those that have to leave behind what libtorch's own interpreter does, gradients included, to the last bit.
/// What the ones that split forward from backward may do otherwise stands in tests/capture/forgiven.h.
inline constexpr std::array<const char*, 3> kExactBackends = {"eager", "aot-eager",
                                                              "aot-eager:partition=min-cut"};

}  // namespace culprit::tests
