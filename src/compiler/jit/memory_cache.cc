// SPDX-License-Identifier: Apache-2.0
#include "compiler/jit/memory_cache.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace culprit::compiler::jit {

// Unloading takes another mutex: so a kernel's last pointer must not be dropped while this one is held.

MemoryCache::Kernel MemoryCache::FindKernel(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = kernels_.find(key);
  return found == kernels_.end() ? nullptr : found->second.lock();
}

MemoryCache::Object MemoryCache::FindObject(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = object_by_key_.find(key);
  if (found == object_by_key_.end()) return nullptr;
  objects_.splice(objects_.begin(), objects_, found->second);
  return found->second->object;
}

MemoryCache::Kernel MemoryCache::AddKernel(const std::string& key, Kernel kernel) {
  const std::lock_guard lock(mutex_);
  std::weak_ptr<const LoadedKernel>& known = kernels_[key];
  if (Kernel faster = known.lock()) return faster;
  known = kernel;
  ForgetUnloaded();
  return kernel;
}

void MemoryCache::ReplaceKernel(const std::string& key, const Kernel& kernel) {
  const std::lock_guard lock(mutex_);
  kernels_[key] = kernel;
  ForgetUnloaded();
}

void MemoryCache::ForgetUnloaded() {
  if (kernels_.size() < most_kernels_) return;
  std::erase_if(kernels_, [](const auto& entry) { return entry.second.expired(); });
  // Not again before as many were added as there are: each addition pays for looking at two.
  most_kernels_ = std::max<size_t>(most_kernels_, 2 * kernels_.size());
}

size_t MemoryCache::CountKernels() {
  const std::lock_guard lock(mutex_);
  return kernels_.size();
}

void MemoryCache::KeepObject(const std::string& key, Object object) {
  const std::lock_guard lock(mutex_);
  if (const auto found = object_by_key_.find(key); found != object_by_key_.end()) {
    object_bytes_ -= found->second->object->size();
    objects_.erase(found->second);
    object_by_key_.erase(found);
  }
  object_bytes_ += object->size();
  objects_.push_front({key, std::move(object)});
  object_by_key_[key] = objects_.begin();
  while (object_bytes_ > most_object_bytes_) {
    object_bytes_ -= objects_.back().object->size();
    object_by_key_.erase(objects_.back().key);
    objects_.pop_back();
  }
}

}  // namespace culprit::compiler::jit
