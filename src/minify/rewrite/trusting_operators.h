// SPDX-License-Identifier: Apache-2.0
//
// Operators that believe what they are given. libtorch's backward kernels take sizes, indices and switches
// from their forward pass and read or write wherever those say: a running mean that is not there, an index
// beyond the end. A program with one of them must not be tried with other shapes or indices in a process that
// has more to do.
#pragma once

#include "graph/ir/graph.h"

namespace culprit::minify {

bool HasTrustingOperator(const graph::Graph& graph);

}  // namespace culprit::minify
