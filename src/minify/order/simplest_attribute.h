// SPDX-License-Identifier: Apache-2.0
//
// What the simplest value of an attribute is, and how complex others are. Attributes are the arguments that
// are no tensors: strides, scalars, switches.
//
//   simplest       what the schema takes when nothing is written; for some names a value of our own
//                  (stride 1, padding 0); False; None
//   0 < 1 < 2      numbers, then those with fewer digits
//   [1, 1]         lists are as complex as their elements together
//
// Sizes, dimensions and indices have no simplest value, but smaller numbers are less complex. Dtypes, devices
// and layouts are not judged here (dtype_rank.h).
#pragma once

#include <optional>

#include "graph/ir/graph.h"

namespace culprit::minify {

/// Nothing if there is none, or if the argument holds values of the graph.
std::optional<graph::Argument> SimplestAttribute(const graph::Node& node, size_t argument);

/// 0 for the simplest.
size_t AttributeComplexity(const graph::Node& node, size_t argument);

/// Values of the same type to try, simplest first, each less complex than the one that is there.
std::vector<graph::Argument> SimplerAttributes(const graph::Node& node, size_t argument);

}  // namespace culprit::minify
