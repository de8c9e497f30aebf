// SPDX-License-Identifier: Apache-2.0
#include "minify/asker.h"

#include <chrono>

namespace culprit::minify {

bool Asker::has_room() const {
  const std::lock_guard lock(mutex_);
  return in_flight_ < at_a_time_;
}

bool Asker::WasAsked(const graph::Hash128& hash) const {
  const std::lock_guard lock(mutex_);
  return replies_.contains(hash);
}

std::optional<Reply> Asker::AnswerTo(const graph::Hash128& hash) const {
  const std::lock_guard lock(mutex_);
  const auto found = replies_.find(hash);
  return found == replies_.end() ? std::nullopt : found->second;
}

void Asker::Ask(const Candidate& candidate) {
  {
    const std::lock_guard lock(mutex_);
    if (!replies_.try_emplace(candidate.hash).second) return;
    ++in_flight_;
    ++asked_;
  }
  std::erase_if(threads_, [](const std::future<void>& thread) {
    return thread.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  });
  const auto ask = [this, program = candidate.program, hash = candidate.hash] {
    Reply reply = check_.Ask(*program);
    const std::lock_guard lock(mutex_);
    replies_[hash] = std::move(reply);
    --in_flight_;
    has_news_ = true;
    answered_.notify_one();
  };
  // One at a time needs no thread.
  if (at_a_time_ == 1) return ask();
  threads_.push_back(std::async(std::launch::async, ask));
}

void Asker::WaitForAnAnswer() {
  std::unique_lock lock(mutex_);
  answered_.wait(lock, [this] { return has_news_ || in_flight_ == 0; });
  has_news_ = false;
}

}  // namespace culprit::minify
