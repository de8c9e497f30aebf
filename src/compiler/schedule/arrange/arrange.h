// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "compiler/loops/kernel.h"
#include "compiler/schedule/index/affine.h"

namespace culprit::compiler::schedule {

/// A kernel as it is to be compiled, of one as it was built: which variables are outer (`outer`; all, if
/// nothing is said), in the order in which memory lies, neighbours that are one loop made one, lanes where
/// most memory is one behind the other, tiles where it is read across (compiler/schedule/arrange/tiles.h),
/// and sizes in Kernel::numbers. `applies` is asked for each two loops that could be one or go by tiles.
loops::Kernel Arrange(const loops::Kernel& kernel, const std::optional<std::vector<uint32_t>>& outer,
                      NumberWriter numbers, const std::function<bool()>& applies);

}  // namespace culprit::compiler::schedule
