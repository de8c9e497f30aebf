// SPDX-License-Identifier: Apache-2.0
//
// What this process knows of kernels, by key: those that somebody holds, and the objects of those that were
// used last, from which a kernel that nobody holds any more is loaded again.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>

#include "compiler/jit/fork_safe_mutex.h"
#include "compiler/jit/kernels.h"

namespace culprit::compiler::jit {

/// Thread-safe.
class MemoryCache {
 public:
  using Kernel = std::shared_ptr<const LoadedKernel>;
  using Object = std::shared_ptr<const std::string>;

  /// Objects have at most so many bytes together.
  explicit MemoryCache(size_t most_object_bytes) : most_object_bytes_(most_object_bytes) {}

  /// Null if nobody holds one.
  Kernel FindKernel(const std::string& key);
  /// Null if it is not among the last.
  Object FindObject(const std::string& key);

  /// The kernel that all are to use: this one, or that of a thread that was faster.
  Kernel AddKernel(const std::string& key, Kernel kernel);
  /// This one, whatever was there. Who holds another keeps it.
  void ReplaceKernel(const std::string& key, const Kernel& kernel);
  void KeepObject(const std::string& key, Object object);

  /// With those that nobody holds and that are not forgotten yet.
  size_t CountKernels();

 private:
  struct KeptObject {
    std::string key;
    Object object;
  };
  void ForgetUnloaded();

  ForkSafeMutex mutex_;
  std::unordered_map<std::string, std::weak_ptr<const LoadedKernel>> kernels_;
  /// When there are so many, those that are gone are forgotten.
  size_t most_kernels_ = 64;

  const size_t most_object_bytes_;
  size_t object_bytes_ = 0;
  /// Used last, first.
  std::list<KeptObject> objects_;
  std::unordered_map<std::string, std::list<KeptObject>::iterator> object_by_key_;
};

}  // namespace culprit::compiler::jit
