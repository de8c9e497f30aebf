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
  return asked_about_.contains(hash);
}

std::optional<Reply> Asker::AnswerTo(const graph::Hash128& hash) const {
  const std::lock_guard lock(mutex_);
  const auto found = asked_about_.find(hash);
  return found == asked_about_.end() ? std::nullopt : found->second.reply;
}

void Asker::Ask(const Candidate& candidate) {
  {
    const std::lock_guard lock(mutex_);
    if (!asked_about_.try_emplace(candidate.hash).second) return;
    ++in_flight_;
    ++asked_;
  }
  std::erase_if(threads_, [](const std::future<void>& thread) {
    return thread.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  });
  const auto ask = [this, program = candidate.program, hash = candidate.hash] {
    Reply reply = check_.Ask(*program);
    const std::lock_guard lock(mutex_);
    Asked& asked = asked_about_.at(hash);
    asked.reply = std::move(reply);
    usual_time_ = Clock::now() - asked.since;
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

void Asker::WaitIfDue(const graph::Hash128& hash) {
  // Who has many at a time has room for a wrong guess.
  constexpr size_t kFew = 4;
  if (at_a_time_ > kFew) return;
  std::unique_lock lock(mutex_);
  const Asked& asked = asked_about_.at(hash);
  if (Clock::now() - asked.since < usual_time_ / 2) return;
  answered_.wait_until(lock, asked.since + usual_time_ + usual_time_ / 4,
                       [&] { return asked.reply.has_value(); });
}

}  // namespace culprit::minify
