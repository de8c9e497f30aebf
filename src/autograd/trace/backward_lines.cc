// SPDX-License-Identifier: Apache-2.0
#include "autograd/trace/backward_lines.h"

#include <ATen/SequenceNumber.h>

#include <algorithm>

namespace culprit::autograd {

thread_local BackwardLines::Scope* BackwardLines::Scope::current_ = nullptr;

void BackwardLines::Begin(graph::ModelLine line) {
  firsts_.emplace_back(at::sequence_number::peek(), std::move(line));
}

graph::ModelLine BackwardLines::LineOf(uint64_t number) const {
  const auto next =
      std::ranges::upper_bound(firsts_, number, {}, &std::pair<uint64_t, graph::ModelLine>::first);
  return next == firsts_.begin() ? nullptr : std::prev(next)->second;
}

BackwardLines::Scope::Scope(const BackwardLines& lines, Listener listener)
    : lines_(lines),
      listener_(std::move(listener)),
      outer_(std::exchange(current_, this)),
      handle_(at::addThreadLocalCallback(
          at::RecordFunctionCallback(&Begin, &End).scopes({at::RecordScope::BACKWARD_FUNCTION}))) {}

BackwardLines::Scope::~Scope() {
  at::removeCallback(handle_);
  current_ = outer_;
}

std::unique_ptr<at::ObserverContext> BackwardLines::Scope::Begin(const at::RecordFunction& function) {
  if (current_ == nullptr) return nullptr;
  const int64_t number = function.seqNr();
  current_->listener_(number < 0 ? nullptr : current_->lines_.LineOf(static_cast<uint64_t>(number)));
  return nullptr;
}

void BackwardLines::Scope::End(const at::RecordFunction& /*function*/, at::ObserverContext* /*context*/) {
  if (current_ != nullptr) current_->listener_(std::nullopt);
}

}  // namespace culprit::autograd
