// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "compiler/loops/body.h"
#include "compiler/schedule/index/affine.h"

namespace culprit::compiler::schedule {

/// How many elements behind the first one lies the one with these indices. Where reshapes have cut a number
/// into digits and memory puts them together again, the number itself is taken:
///
///   [L // 64, L % 64] in a tensor whose rows are 64 apart  =>  L
loops::ExprId FlatIndex(loops::Body& body, std::vector<loops::ExprId> indices, std::vector<int64_t> sizes,
                        std::vector<int64_t> strides, NumberWriter numbers);

}  // namespace culprit::compiler::schedule
