// SPDX-License-Identifier: Apache-2.0
#include "backend/one_at_a_time.h"

#include <mutex>
#include <optional>

namespace culprit::backend {
namespace {

class Serialized : public Compiled {
 public:
  explicit Serialized(std::unique_ptr<Compiled> compiled) : compiled_(std::move(compiled)) {}

  Values Call(Values& inputs) override {
    const std::lock_guard lock(mutex_);
    return compiled_->Call(inputs);
  }
  Values CallReporting(Values& inputs, std::optional<graph::Interruption>& interruption) override {
    const std::lock_guard lock(mutex_);
    return compiled_->CallReporting(inputs, interruption);
  }
  bool is_thread_safe() const override { return true; }

 private:
  const std::unique_ptr<Compiled> compiled_;
  std::mutex mutex_;
};

}  // namespace

std::unique_ptr<Compiled> OneAtATime(std::unique_ptr<Compiled> compiled) {
  if (compiled->is_thread_safe()) return compiled;
  return std::make_unique<Serialized>(std::move(compiled));
}

}  // namespace culprit::backend
