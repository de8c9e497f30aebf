// SPDX-License-Identifier: Apache-2.0
//
// Shows whoever looks (backend/insight.h) what each pass has left:
//
//   00_before.txt, 01_fold_constants.txt ...    the graph, the loops, the groups, the kernels, the memory
//   10_codegen.txt                              of each kernel where its code is from, or that it has none
//   kernel_0.ll, kernel_0.s                     LLVM's language and assembly of those that have code; which
//                                               lines of the model the kernel came from stands at the top
#pragma once

#include "compiler/pipeline/pipeline.h"

namespace culprit::backends::native {

class ShowPasses : public compiler::pipeline::PassObserver {
 public:
  void Before(const compiler::pipeline::Compilation& compilation);
  void After(const compiler::pipeline::Pass& pass, const compiler::pipeline::Compilation& compilation,
             double seconds) override;

 private:
  static void ShowKernels(const compiler::pipeline::Compilation& compilation);

  int number_ = 0;
};

}  // namespace culprit::backends::native
