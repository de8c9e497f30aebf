// SPDX-License-Identifier: Apache-2.0
#include "graph/fake/kernels/kernels.h"

namespace culprit::graph::fake {

torch::Library RegisterKernels() {
  torch::Library library(torch::Library::IMPL, "aten", c10::DispatchKey::Meta, __FILE_NAME__, __LINE__);
  AddActivations(library);
  AddAttentions(library);
  AddConvolutions(library);
  AddElementwise(library);
  AddImages(library);
  AddIndexings(library);
  AddLosses(library);
  AddNorms(library);
  AddOutputs(library);
  AddPoolings(library);
  AddRandoms(library);
  AddReductions(library);
  AddRearrangements(library);
  AddRecurrents(library);
  return library;
}

}  // namespace culprit::graph::fake
