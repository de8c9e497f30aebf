// SPDX-License-Identifier: Apache-2.0
//
// What kernels.h promises, as an object: with memory of its own, and with a generator that tests choose.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compiler/jit/kernels.h"
#include "compiler/jit/memory_cache.h"

namespace culprit::compiler::jit {

struct Generator {
  /// As codegen::Generate, also in that several threads call it.
  std::function<std::string(const loops::Kernel&, const codegen::Options&)> generate;
  /// As codegen::TargetText.
  std::function<std::string(const codegen::Options&)> target_text;
};

class KernelLoader {
 public:
  /// Objects take a few kilobytes: thousands of them are remembered.
  static constexpr size_t kMostObjectBytes = size_t{16} << 20U;

  explicit KernelLoader(Generator generator, size_t most_object_bytes = kMostObjectBytes)
      : generator_(std::move(generator)), memory_(most_object_bytes) {}

  std::vector<std::shared_ptr<const LoadedKernel>> Load(std::span<const loops::Kernel> kernels,
                                                        const codegen::Options& options,
                                                        const CacheOptions& cache, CacheCounts* counts);

 private:
  Generator generator_;
  MemoryCache memory_;
};

}  // namespace culprit::compiler::jit
