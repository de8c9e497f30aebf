// SPDX-License-Identifier: Apache-2.0
//
// Meta kernels that libtorch lacks in C++ (it has many in Python only), or that lay out results unlike the
// CPU, by family. Each gives what the CPU kernel gives: sizes, strides, dtype, and undefined tensors where
// that gives them. Most are said in terms of operators that have a Meta kernel and the same geometry (relu is
// a clamp_min), so that the rules for strides are libtorch's own.
//
// They are libtorch's from then on, for all meta tensors of the process.
#pragma once

#include <torch/library.h>

namespace culprit::graph::fake {

/// All of them; they stay as long as the result lives.
torch::Library RegisterKernels();

void AddActivations(torch::Library& library);
void AddAttentions(torch::Library& library);
void AddConvolutions(torch::Library& library);
void AddElementwise(torch::Library& library);
void AddImages(torch::Library& library);
void AddIndexings(torch::Library& library);
void AddLosses(torch::Library& library);
void AddNorms(torch::Library& library);
void AddOutputs(torch::Library& library);
void AddPoolings(torch::Library& library);
void AddRandoms(torch::Library& library);
void AddReductions(torch::Library& library);
void AddRearrangements(torch::Library& library);
void AddRecurrents(torch::Library& library);

}  // namespace culprit::graph::fake
