// SPDX-License-Identifier: Apache-2.0
//
// Kernels whose code is told apart by what it does: each stores one number of its own. And a generator that
// counts, and makes something else when it is told to.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "compiler/codegen/generate.h"
#include "compiler/jit/kernel_loader.h"
#include "compiler/loops/kernel.h"

namespace culprit::tests {

inline compiler::loops::Kernel ConstantKernel(int64_t number) {
  using compiler::loops::Type;
  compiler::loops::Kernel kernel;
  kernel.buffers = {{.dtype = at::kLong, .is_written = true}};
  kernel.extents = {kernel.body.Constant(1, Type::Long)};
  kernel.outer = 1;
  const compiler::loops::BufferStore store{
      .buffer = 0, .index = kernel.body.IndexOf(0), .value = kernel.body.Constant(number, Type::Long)};
  kernel.stages = {{.stores = {store}}};
  return kernel;
}

/// What the kernel stores.
inline int64_t Call(const compiler::jit::LoadedKernel& kernel) {
  int64_t stored = 0;
  void* const buffers[] = {&stored};
  kernel.entry()(buffers, /*numbers=*/nullptr, 0, 1);
  return stored;
}

class CountingGenerator {
 public:
  compiler::jit::Generator Get() {
    return {
        .generate = [this](const compiler::loops::Kernel& kernel,
                           const compiler::codegen::Options& options) { return Generate(kernel, options); },
        .target_text =
            [this](const compiler::codegen::Options& options) {
              return target + (options.math == compiler::codegen::Math::kExact ? " exact" : " fast");
            }};
  }

  int count() const { return count_; }

  /// What the kernels depend on beside their text.
  std::string target = "this processor";
  /// Instead of an object, if there is one.
  std::function<std::string(const compiler::loops::Kernel&)> instead;

 private:
  std::string Generate(const compiler::loops::Kernel& kernel, const compiler::codegen::Options& options) {
    ++count_;
    return instead ? instead(kernel) : compiler::codegen::Generate(kernel, options);
  }

  std::atomic<int> count_ = 0;
};

}  // namespace culprit::tests
