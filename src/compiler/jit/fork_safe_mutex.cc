// SPDX-License-Identifier: Apache-2.0
#include "compiler/jit/fork_safe_mutex.h"

#include <pthread.h>

#include <set>

#include "base/internal_error.h"

namespace culprit::compiler::jit {
namespace {

class Registry {
 public:
  Registry() {
    const int error =
        pthread_atfork([] { Get().LockAll(); }, [] { Get().UnlockAll(); }, [] { Get().UnlockAll(); });
    CULPRIT_CHECK(error == 0, "pthread_atfork: error {}", error);
  }

  /// Never destroyed: threads may fork until the very end.
  static Registry& Get() {
    static Registry& registry = *new Registry;
    return registry;
  }

  void Add(ForkSafeMutex* added) {
    const std::lock_guard lock(mutex_);
    all_.insert(added);
  }

  void Remove(ForkSafeMutex* removed) {
    const std::lock_guard lock(mutex_);
    all_.erase(removed);
  }

 private:
  void LockAll() {
    mutex_.lock();
    for (ForkSafeMutex* one : all_) one->lock();
  }

  void UnlockAll() {
    for (ForkSafeMutex* one : all_) one->unlock();
    mutex_.unlock();
  }

  std::mutex mutex_;
  std::set<ForkSafeMutex*> all_;
};

}  // namespace

ForkSafeMutex::ForkSafeMutex() {
  Registry::Get().Add(this);
}

ForkSafeMutex::~ForkSafeMutex() {
  Registry::Get().Remove(this);
}

}  // namespace culprit::compiler::jit
