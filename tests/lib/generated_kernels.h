// SPDX-License-Identifier: Apache-2.0
//
// Kernels of tests: how they are made, loaded and run.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

#include "compiler/codegen/generate_for.h"
#include "compiler/codegen/target/machine.h"

namespace culprit::compiler::codegen {

/// Loads the kernel's code into this process and runs all its pieces, in two calls. The buffers are the
/// tensors' memory.
void RunKernel(const loops::Kernel& kernel, const std::vector<at::Tensor>& tensors,
               const Options& options = {}, const Processor& processor = Host());

/// Code that stays in the process.
loops::KernelEntry Loaded(const loops::Kernel& kernel, const Options& options = {},
                          const Processor& processor = Host());

/// Computes a value from values.
using Formula = std::function<loops::ExprId(loops::Body& body, const std::vector<loops::ExprId>& operands)>;

/// out[i] = formula(a[i], b[i] ...): the buffers are the operands and then the result.
loops::Kernel Pointwise(const std::vector<at::ScalarType>& operands, at::ScalarType result, int64_t extent,
                        const Formula& formula);

/// out[i] = combined over j of formula(x[i, j]), x contiguous, rows x columns. With lanes over outer
/// variables i is the one, which has x's second dimension: out[j] = combined over i.
loops::Kernel Reduction(at::ScalarType operand, at::ScalarType result, int64_t rows, int64_t columns,
                        loops::Combine combine, loops::Lanes lanes, const Formula& formula);

/// What Pointwise gives for these.
at::Tensor Computed(const std::vector<at::Tensor>& operands, at::ScalarType result, const Formula& formula,
                    const Options& options = {}, const Processor& processor = Host());

/// Both routes with both kinds of mathematics.
std::vector<Options> AllOptions();
std::string TextOf(const Options& options);

}  // namespace culprit::compiler::codegen
