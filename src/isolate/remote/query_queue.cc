// SPDX-License-Identifier: Apache-2.0
#include "isolate/remote/query_queue.h"

#include <algorithm>

namespace culprit::isolate {
namespace {

constexpr std::chrono::milliseconds kLook(100);

}  // namespace

base::Result<Outcome> QueryQueue::Ask(RemoteQuery query, const std::function<bool()>& stop) {
  const auto asked = std::make_shared<RemoteQuery>(std::move(query));
  std::unique_lock lock(mutex_);
  waiting_.push_back(asked);
  asked_.notify_one();
  while (!asked->answer && !closed_) {
    answered_.wait_for(lock, kLook);
    if (!asked->answer && stop && stop()) {
      std::erase(waiting_, asked);
      return base::Diagnostic{{"culprit"}, "interrupted"};
    }
  }
  if (asked->answer) return *std::move(asked->answer);
  return *closed_;
}

std::shared_ptr<RemoteQuery> QueryQueue::Take(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  if (!asked_.wait_for(lock, patience, [&] { return !waiting_.empty(); })) return nullptr;
  auto query = std::move(waiting_.front());
  waiting_.pop_front();
  return query;
}

void QueryQueue::Answer(RemoteQuery& query, base::Result<Outcome> answer) {
  const std::lock_guard lock(mutex_);
  query.answer = std::move(answer);
  answered_.notify_all();
}

void QueryQueue::PutBack(std::shared_ptr<RemoteQuery> query) {
  const std::lock_guard lock(mutex_);
  waiting_.push_front(std::move(query));
  asked_.notify_one();
}

void QueryQueue::Close(base::Diagnostic why) {
  const std::lock_guard lock(mutex_);
  closed_ = std::move(why);
  answered_.notify_all();
}

}  // namespace culprit::isolate
