// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace culprit::compiler::jit {

/// Calls `work` for 0 up to `count`, in this thread and in as many others as there are processors beside it.
/// They end before this returns, so that a forked process misses none; and they are not libgomp's, which
/// belong to computations. The first exception is passed on, and nothing begins after it.
void EachInParallel(size_t count, const std::function<void(size_t)>& work);

}  // namespace culprit::compiler::jit
