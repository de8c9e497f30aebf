// SPDX-License-Identifier: Apache-2.0
#include "isolate/remote/remote_worker.h"

#include <fmt/format.h>
#include <xxhash.h>

#include "base/printable_lines.h"
#include "base/text.h"
#include "isolate/remote/outcome_json.h"

namespace culprit::isolate {
namespace {

using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

/// How late it is noticed that this process does not need the worker any more.
constexpr milliseconds kLook(100);
/// A worker says every few seconds that it is there, but not while it gets ready.
constexpr std::chrono::seconds kLongestSilence(60);
constexpr std::chrono::minutes kLongestStart(10);
/// So many queries later an attachment that was not needed again is forgotten.
constexpr size_t kRemembered = 16;

std::string HashOf(const SharedMemory& memory) {
  const XXH128_hash_t hash = XXH3_128bits(memory.data(), memory.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string TextAt(const ParcelHead& head, const char* key) {
  const auto found = head.find(key);
  return found != head.end() && found->is_string() ? base::Shortened(found->get<std::string>()) : "";
}

}  // namespace

std::string RemoteWorker::name() const {
  return host_.empty() ? "a worker" : "the worker on " + host_;
}

Lost RemoteWorker::Ended() {
  const bool never_came = host_.empty();
  const std::string how = program_.End(Launched::Nicely::kYes);
  std::string why = never_came ? fmt::format("the launcher ended with {} before a worker came", how)
                               : fmt::format("{} has gone: its launcher ended with {}", name(), how);
  const std::string said = reader_.before_greeting() + program_.errors();
  if (!said.empty()) why += ", and had printed:" + base::LinesBelow(said);
  return {never_came ? Lost::How::kNeverCame : Lost::How::kDied, std::move(why)};
}

Lost RemoteWorker::Unfit(const std::string& what) const {
  return {Lost::How::kUnfit, fmt::format("{} {}", name(), what)};
}

std::variant<Parcel, Lost> RemoteWorker::WaitForParcel(std::chrono::nanoseconds longest_silence) {
  const SteadyClock::time_point start = SteadyClock::now();
  while (true) {
    base::Result<std::optional<Parcel>> parcel = reader_.Next();
    if (!parcel.ok()) return Unfit(parcel.error().message);
    if (*parcel) return **std::move(parcel);
    if (stopped_()) return Lost{Lost::How::kStopped};
    std::string bytes;
    const bool goes_on = program_.Read(kLook, bytes);
    reader_.Append(bytes);
    if (!goes_on) return Ended();
    // One that waits for a machine may wait for days.
    if (!host_.empty() && SteadyClock::now() - start > longest_silence)
      return Lost{Lost::How::kDied,
                  fmt::format("{} has been silent for {}", name(), base::DurationText(longest_silence))};
  }
}

std::optional<Lost> RemoteWorker::CheckHello(const Parcel& hello, const MadeOf& made_of) {
  host_ = base::Printable(TextAt(hello.head, "host"));
  if (host_.empty()) host_ = "an unknown machine";
  const auto theirs = hello.head.find("made_of");
  if (hello.kind() != "hello" || theirs == hello.head.end()) return Unfit("does not say what it is");
  for (const auto& [what, version] : made_of) {
    const std::string its = base::Printable(TextAt(*theirs, what.c_str()));
    if (its != version) return Unfit(fmt::format("has {} {}, and this is {} {}", what, its, what, version));
  }
  return std::nullopt;
}

std::optional<Lost> RemoteWorker::Meet(const MadeOf& made_of, const ParcelHead& setup) {
  std::variant<Parcel, Lost> hello = WaitForParcel(kLongestStart);
  if (auto* lost = std::get_if<Lost>(&hello)) return std::move(*lost);
  if (auto unfit = CheckHello(std::get<Parcel>(hello), made_of)) return unfit;
  ParcelHead head = setup;
  head["kind"] = "setup";
  if (auto lost = Send(head)) return lost;
  std::variant<Parcel, Lost> ready = WaitForParcel(kLongestStart);
  if (auto* lost = std::get_if<Lost>(&ready)) return std::move(*lost);
  const Parcel& answer = std::get<Parcel>(ready);
  if (answer.kind() == "ready") return std::nullopt;
  return Unfit("cannot work: " + TextAt(answer.head, "message"));
}

std::optional<Lost> RemoteWorker::Renew(const MadeOf& made_of, const ParcelHead& setup) {
  if (auto lost = Send({{"kind", "renew"}})) return lost;
  reader_ = ParcelReader();
  has_.clear();
  queries_ = 0;
  return Meet(made_of, setup);
}

std::optional<Lost> RemoteWorker::Send(const ParcelHead& head, std::span<const std::byte> body) {
  const std::string beginning = ParcelBeginning(head, body.size());
  for (std::span<const std::byte> bytes : {std::as_bytes(std::span(beginning)), body}) {
    SteadyClock::time_point last = SteadyClock::now();
    while (!bytes.empty()) {
      const size_t before = bytes.size();
      if (stopped_()) return Lost{Lost::How::kStopped};
      if (!program_.Write(kLook, bytes)) return Ended();
      if (bytes.size() < before) last = SteadyClock::now();
      if (SteadyClock::now() - last > kLongestSilence)
        return Lost{Lost::How::kDied, name() + " takes nothing any more"};
    }
  }
  return std::nullopt;
}

std::optional<Lost> RemoteWorker::SendMemory(const Message& request, ParcelHead& hashes) {
  for (const auto& attachment : request.attachments) {
    const std::string hash = HashOf(*attachment);
    hashes.push_back(hash);
    if (!has_.contains(hash)) {
      const ParcelHead head{{"kind", "memory"}, {"hash", hash}};
      if (auto lost = Send(head, {attachment->data(), attachment->size()})) return lost;
    }
    has_[hash] = queries_;
  }
  return std::nullopt;
}

ParcelHead RemoteWorker::ForgetOld() {
  ParcelHead forgotten = ParcelHead::array();
  std::erase_if(has_, [&](const auto& entry) {
    const bool is_old = entry.second + kRemembered < queries_;
    if (is_old) forgotten.push_back(entry.first);
    return is_old;
  });
  return forgotten;
}

std::variant<Outcome, Lost> RemoteWorker::Run(std::string_view task, const Message& request,
                                              const Limits& limits) {
  ++queries_;
  ParcelHead head{{"kind", "query"}, {"task", task}, {"limits", LimitsToJson(limits)}};
  head["memory"] = ParcelHead::array();
  if (auto lost = SendMemory(request, head["memory"])) return *std::move(lost);
  head["forget"] = ForgetOld();
  if (auto lost = Send(head, std::as_bytes(std::span(request.bytes)))) return *std::move(lost);
  std::string phase;
  while (true) {
    std::variant<Parcel, Lost> received = WaitForParcel(kLongestSilence);
    if (auto* lost = std::get_if<Lost>(&received)) return Lost{lost->how, std::move(lost->why), phase};
    Parcel& parcel = std::get<Parcel>(received);
    if (parcel.kind() == "alive") continue;
    if (parcel.kind() == "phase") {
      phase = TextAt(parcel.head, "phase");
      continue;
    }
    if (parcel.kind() == "error") return Unfit("cannot ask: " + TextAt(parcel.head, "message"));
    base::Result<Outcome> outcome = OutcomeFromParcel(std::move(parcel));
    if (!outcome.ok()) return Unfit(outcome.error().message);
    return *std::move(outcome);
  }
}

std::optional<Lost> RemoteWorker::Look() {
  std::string bytes;
  const bool goes_on = program_.Read(milliseconds(0), bytes);
  if (!bytes.empty()) return Unfit("speaks without being asked");
  if (!goes_on) return Ended();
  return std::nullopt;
}

}  // namespace culprit::isolate
