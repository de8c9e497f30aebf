// SPDX-License-Identifier: Apache-2.0
//
// Cheap operators that give a tensor the shape and dtype of another one, so that it can take its place:
//
//   float32 [2, 8] for bool [2, 8]      _to_copy(x, dtype=bool)
//   [2, 8] for [4, 4]                   reshape(x, [4, 4])
//   [1, 8] for [2, 8]                   expand(x, [2, 8])
//   [2, 8] for [2, 5]                   narrow(x, 1, 0, 5)
#pragma once

#include <optional>

#include "graph/ir/fresh_names.h"
#include "graph/ir/rebuild.h"
#include "graph/tensors/tensor_copy.h"
#include "minify/program/subject.h"

namespace culprit::minify {

/// How the value lay in memory when it was made; nothing if it is no plain tensor.
std::optional<graph::Geometry> GeometryOf(const Subject& subject, graph::ValueId value);

/// The operand as something that looks like `to`; nothing if that would take more than a cast and one change
/// of the shape.
std::optional<graph::Argument> Adapt(graph::Rebuild& rebuild, graph::FreshNames& names,
                                     graph::ValueId operand, const graph::Geometry& from,
                                     const graph::Geometry& to);

}  // namespace culprit::minify
