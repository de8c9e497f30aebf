// SPDX-License-Identifier: Apache-2.0
//
// All about two tensors but their numbers: layout, device, dtype, shape, strides, quantiser, requires_grad.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "compare/verdict/options.h"
#include "compare/verdict/verdict.h"

namespace culprit::compare {

struct StructureReport {
  std::vector<Mismatch> mismatches;
  /// The numbers can still be compared one by one.
  bool numbers_correspond = true;
};

/// For defined tensors.
StructureReport CompareStructure(const std::string& path, const at::Tensor& reference,
                                 const at::Tensor& result, const Options& options);

/// Why a tensor has no numbers that can be read, or an empty text.
std::string WhyUnreadable(const at::Tensor& tensor);

/// The same numbers as a strided tensor of a readable dtype in main memory: sparse and blocked layouts made
/// dense, quantised values dequantised, tensors of accelerators copied, and any other tensor as it is.
at::Tensor Dense(const at::Tensor& tensor);

/// "[2, 3]".
std::string Shown(c10::IntArrayRef numbers);

}  // namespace culprit::compare
