// SPDX-License-Identifier: Apache-2.0
#include "isolate/worker.h"

#include "isolate/wire/socket.h"
#include "isolate/zygote.h"

namespace culprit::isolate {
namespace {

uint64_t AttachedBytes(const Message& message) {
  uint64_t bytes = 0;
  for (const auto& attachment : message.attachments) bytes += attachment->size();
  return bytes;
}

}  // namespace

Worker::Worker(std::shared_ptr<const Zygote> zygote) : zygote_(std::move(zygote)) {}

base::Result<Outcome> Worker::Run(std::string_view task, const Message& request, const Limits& limits,
                                  const OnLook& on_look) {
  const Envelope envelope{EnvelopeKind::kRequest, zygote_->TaskIndex(task), ++requests_, request};
  const bool is_warm = child_.has_value();
  Attempt attempt = CULPRIT_TRY(TryOnce(envelope, limits, on_look));
  // A warm child may have been killed since its last query, which is not the fault of this one.
  if (is_warm && !attempt.was_taken) attempt = CULPRIT_TRY(TryOnce(envelope, limits, on_look));
  return std::move(attempt.outcome);
}

base::Result<Worker::Attempt> Worker::TryOnce(const Envelope& request, const Limits& limits,
                                              const OnLook& on_look) {
  if (!child_) child_.emplace(CULPRIT_TRY(zygote_->SpawnChild()));
  auto watched = RunInChild(request, limits, on_look);
  const bool was_taken = child_->black_box().last_request.load() == request.number;
  if (!watched.ok() || !watched->child_is_fit) Discard();
  if (!watched.ok()) return std::move(watched).error();
  return Attempt{std::move(watched->outcome), was_taken};
}

base::Result<ChildOutcome> Worker::RunInChild(const Envelope& request, const Limits& limits,
                                              const OnLook& on_look) {
  BlackBox& box = child_->black_box();
  box.phase.Set("");
  box.last_words.Set("");
  box.yardstick.store(0);
  const base::Status sent = SendEnvelope(child_->socket(), request);
  // One that has just died is the watch's to report.
  if (!sent.ok() && !IsReadable(child_->socket())) return sent.error();
  const uint64_t memory_at_start = zygote_->memory_at_start() + AttachedBytes(request.message);
  return WatchQuery(*child_, {request.number, memory_at_start, limits, on_look});
}

}  // namespace culprit::isolate
