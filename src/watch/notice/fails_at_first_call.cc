// SPDX-License-Identifier: Apache-2.0
#include "watch/notice/fails_at_first_call.h"

#include <atomic>
#include <utility>

namespace culprit::watch {
namespace {

class FailingOnce : public backend::Compiled {
 public:
  FailingOnce(std::unique_ptr<backend::Compiled> compiled, ThrownAtFirstCall thrown)
      : compiled_(std::move(compiled)), thrown_(std::move(thrown)) {}

  backend::Values Call(backend::Values& inputs) override {
    std::optional<graph::Interruption> nobody_asks;
    return CallReporting(inputs, nobody_asks);
  }

  backend::Values CallReporting(backend::Values& inputs,
                                std::optional<graph::Interruption>& interruption) override {
    if (was_called_.exchange(true)) return compiled_->CallReporting(inputs, interruption);
    try {
      std::rethrow_exception(thrown_.exception);
    } catch (...) {
      if (thrown_.report) RethrowWith(*thrown_.report);
      throw;
    }
  }

  bool is_thread_safe() const override { return compiled_->is_thread_safe(); }

 private:
  const std::unique_ptr<backend::Compiled> compiled_;
  const ThrownAtFirstCall thrown_;
  std::atomic<bool> was_called_ = false;
};

}  // namespace

std::unique_ptr<backend::Compiled> FailsAtFirstCall(std::unique_ptr<backend::Compiled> compiled,
                                                    ThrownAtFirstCall thrown) {
  return std::make_unique<FailingOnce>(std::move(compiled), std::move(thrown));
}

}  // namespace culprit::watch
