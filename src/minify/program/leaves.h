// SPDX-License-Identifier: Apache-2.0
//
// The tensors that a program begins with, whoever holds them: inputs, parameters and buffers, constants of
// the graph.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "minify/program/program.h"

namespace culprit::minify {

struct Leaf {
  graph::ValueId value;
  /// That of its value in the graph.
  std::string name;
  at::Tensor tensor;
  /// A compiler may compute with its numbers: a parameter, a buffer or a constant.
  bool is_frozen = false;
  /// Plain and alone on its memory, so another tensor can take its place.
  bool is_replaceable = false;
};

/// Placeholders first, then constants; what is no tensor is left out.
std::vector<Leaf> LeavesOf(const Program& program);

/// A copy without gaps that lies in memory in the order of the other tensor: contiguous, channels-last ...
at::Tensor DenseCopy(const at::Tensor& tensor, const at::Tensor& other);

/// A fresh tensor in the place of another one.
at::Tensor WithGradnessOf(const at::Tensor& tensor, const at::Tensor& other);

}  // namespace culprit::minify
