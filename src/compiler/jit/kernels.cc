// SPDX-License-Identifier: Apache-2.0
#include "compiler/jit/kernels.h"

#include "compiler/jit/kernel_loader.h"

namespace culprit::compiler::jit {

std::vector<std::shared_ptr<const LoadedKernel>> Load(std::span<const loops::Kernel> kernels,
                                                      const codegen::Options& options,
                                                      const CacheOptions& cache, CacheCounts* counts) {
  const auto generate = [](const loops::Kernel& kernel, const codegen::Options& options) {
    return codegen::Generate(kernel, options);
  };
  // Never destroyed: threads may load until the very end.
  static KernelLoader& loader =
      *new KernelLoader({.generate = generate, .target_text = &codegen::TargetText});
  return loader.Load(kernels, options, cache, counts);
}

}  // namespace culprit::compiler::jit
