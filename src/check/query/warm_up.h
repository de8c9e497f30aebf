// SPDX-License-Identifier: Apache-2.0
//
// What libtorch and its compilers make at their first use (tables of operators, passes, executors) takes some
// 50 ms, a good part of a small query. A process that forks many of them does it once, before it forks the
// zygote.
#pragma once

namespace culprit::check {

/// Runs a query with eager and with torchscript in this process, on so few numbers that nothing runs in
/// parallel: what is forked from here can still use OpenMP.
void WarmUp();

}  // namespace culprit::check
