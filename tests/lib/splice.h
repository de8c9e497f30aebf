// SPDX-License-Identifier: Apache-2.0
//
// A small program in the middle of a model: it depends on what comes before, and what comes behind depends on
// it. Its data is its own, with a little of the model's added, so that what it needs to fail stays true.
//
//   model:  a = conv(x); b = relu(a); c = linear(b)       small:  d = cos(y); return (d,)
//
//   a = conv(x)
//   piece = narrow(reshape(a, [-1]), 0, 0, numel(y)); y' = y + 0.001 * reshape(piece, sizes of y)
//   d = cos(y')
//   a' = a + 0.001 * mean(d)
//   b = relu(a'); c = linear(b)
//   return (d, c)
#pragma once

#include "minify/program/program.h"

namespace culprit::tests {

/// Behind the first node from `share` of the model on whose result is float32 and large enough. The inputs of
/// both programs become those of the result, the model's first, with their kinds; its outputs are those of
/// both, those of the small program first, so that what is wrong there is what is seen first.
minify::Program Splice(const minify::Program& model, const minify::Program& small, double share = 0.5);

/// The first node from `from` on whose first result is a float32 tensor of so many elements that something
/// uses. There must be one.
size_t NodeWithRoom(const minify::Program& program, size_t from, int64_t numel);

}  // namespace culprit::tests
