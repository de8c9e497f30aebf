// SPDX-License-Identifier: Apache-2.0
//
// Kernels that can be called. Their code comes from memory, from the disk, or from the generator:
//
//   key = hash(text of the kernel, codegen::TargetText)  =>  loaded in this process  =>  file  =>  Generate
//
// A kernel that nobody holds any more is unloaded.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compiler/codegen/generate.h"
#include "compiler/loops/kernel.h"

namespace culprit::compiler::jit {

class LoadedKernel {
 public:
  virtual ~LoadedKernel() = default;
  loops::KernelEntry entry() const { return entry_; }

 protected:
  explicit LoadedKernel(loops::KernelEntry entry) : entry_(entry) {}

 private:
  loops::KernelEntry entry_;
};

enum class CacheUse : uint8_t {
  kOn,
  /// What is there is not believed, but replaced.
  kFresh,
  kOff,
};

struct CacheOptions {
  CacheUse use = CacheUse::kOn;
  /// Empty: in memory only.
  std::string folder = {};
  /// Of all files together; the oldest go first.
  uint64_t most_bytes = uint64_t{256} << 20U;
};

enum class CodeSource : uint8_t { kGenerator, kDisk, kMemory };

/// What became of the kernels that were asked for. Of equal ones in one call all but the first are from
/// memory.
struct CacheCounts {
  uint64_t generated = 0;
  uint64_t from_disk = 0;
  uint64_t from_memory = 0;
  /// Files that were not what they should be, and were written again.
  uint64_t damaged = 0;
  /// Of those generated: how many are not on disk now, although there is a folder. It cannot be written, for
  /// example; no kernel fails because of that.
  uint64_t not_kept = 0;
  /// Of each kernel, in their order.
  std::vector<CodeSource> sources = {};
};

/// One per kernel; those that have to be generated are so in parallel. `counts` are added to. Throws
/// std::runtime_error with LLVM's words, and whatever the generator throws. Thread-safe, and a process that
/// is forked meanwhile can load, too.
std::vector<std::shared_ptr<const LoadedKernel>> Load(std::span<const loops::Kernel> kernels,
                                                      const codegen::Options& options,
                                                      const CacheOptions& cache,
                                                      CacheCounts* counts = nullptr);

}  // namespace culprit::compiler::jit
