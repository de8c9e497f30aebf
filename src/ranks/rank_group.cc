// SPDX-License-Identifier: Apache-2.0
#include "ranks/rank_group.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "base/text.h"
#include "graph/tensors/torch_error.h"
#include "ranks/courier.h"
#include "ranks/meeting.h"
#include "ranks/store_session.h"
#include "ranks/words.h"

namespace culprit::ranks {
namespace {

using base::Diagnostic;
using base::Printable;
using base::Result;
using base::Status;
using std::chrono::milliseconds;
using Clock = StoreSession::Clock;
using Json = nlohmann::json;

constexpr milliseconds kFarewell = std::chrono::seconds(1);
constexpr milliseconds kLongestPause = milliseconds(20);

std::string KeyOf(uint64_t round, std::string_view what) {
  return fmt::format("round/{}/{}", round, what);
}

std::string KeyOf(uint64_t round, std::string_view kind, int rank) {
  return fmt::format("round/{}/{}/{}", round, kind, rank);
}

/// Pauses between looks at the store, longer and longer, but not beyond the deadline.
class Pauses {
 public:
  explicit Pauses(Clock::time_point deadline) : deadline_(deadline) {}

  bool IsOver() const { return Clock::now() >= deadline_; }
  void Take() {
    std::this_thread::sleep_until(std::min(Clock::now() + pause_, deadline_));
    pause_ = std::min(pause_ * 2, kLongestPause);
  }

 private:
  Clock::time_point deadline_;
  milliseconds pause_{1};
};

/// Unlike that of any other process.
std::string NameOfProcess() {
  std::random_device random;
  return fmt::format("{}-{:08x}{:08x}", getpid(), random(), random());
}

std::vector<std::string> WhatLibtorchSays(const std::exception& error) {
  if (dynamic_cast<const NoAnswer*>(&error) != nullptr) return {};
  return {"libtorch says: " + Printable(graph::TorchMessage(error))};
}

std::optional<Told> ToldBy(const std::string& entry) {
  const Json json = Json::parse(entry, nullptr, false);
  if (!json.is_object() || !json.contains("rank") || !json.contains("text")) return std::nullopt;
  const Json& rank = json["rank"];
  const Json& text = json["text"];
  if (!rank.is_number_integer() || !text.is_string()) return std::nullopt;
  return Told{rank.get<int>(), text.get<std::string>()};
}

}  // namespace

RankGroup::RankGroup(Meeting meeting) : meeting_(std::make_unique<const Meeting>(std::move(meeting))) {}

int RankGroup::rank() const {
  return meeting_->rank;
}

int RankGroup::size() const {
  return meeting_->size;
}

Result<std::shared_ptr<RankGroup>> RankGroup::Join(Meeting meeting, milliseconds limit) {
  std::shared_ptr<RankGroup> group(new RankGroup(std::move(meeting)));
  CULPRIT_TRY(group->SignIn(limit));
  return group;
}

Status RankGroup::SignIn(milliseconds limit) {
  const std::string process = NameOfProcess();
  try {
    // libtorch makes pauses between its attempts, and gives up before one that might end after its limit.
    const milliseconds patience = limit + std::chrono::seconds(1);
    courier_ =
        std::make_unique<Courier>([connect = meeting_->connect, patience] { return connect(patience); });
    StoreSession session(*courier_, Clock::now() + limit);
    const std::string own_size = std::to_string(size());
    const std::string size_of_others = session.Claim("size", own_size);
    if (size_of_others != own_size) {
      return Diagnostic{.place = {},
                        .message = fmt::format("this is rank {} of {}, but others at {} are of {}", rank(),
                                               size(), meeting_->where, Printable(size_of_others)),
                        .help = "tell all ranks the same number of ranks"};
    }
    if (session.Claim(fmt::format("rank/{}", rank()), process) == process) return base::Done();
    return Diagnostic{
        .place = {},
        .message = fmt::format("there is a {} at {} already", NameRanks({rank()}, size()), meeting_->where),
        .help = "give each process a rank of its own, and each job a port of its own"};
  } catch (const std::exception& error) {
    if (!meeting_->is_kept_by_rank_0) return Lost({}, error).why;
    return Diagnostic{.place = {},
                      .message = fmt::format("{}, where the ranks meet, did not answer at {} within {}",
                                             NameRanks({0}, size()), meeting_->where, NameLimit(limit)),
                      .notes = WhatLibtorchSays(error),
                      .help = "see whether rank 0 has started; to wait longer, set CULPRIT_RANKS_TIMEOUT"};
  }
}

RankFailure RankGroup::Lost(const std::string& place, const std::exception& error) const {
  const bool is_rank_0 = meeting_->is_kept_by_rank_0;
  return {.kind = RankFailureKind::kLost,
          .ranks = is_rank_0 ? std::vector{0} : std::vector<int>(),
          .why = {.place = {Printable(place)},
                  .message = is_rank_0 ? fmt::format("{}, where the ranks meet, is gone, or hangs: {} does "
                                                     "not answer any more",
                                                     NameRanks({0}, size()), meeting_->where)
                                       : fmt::format("the ranks cannot meet in {}", meeting_->where),
                  .notes = WhatLibtorchSays(error)}};
}

RankOutcome<std::vector<std::string>> RankGroup::Gather(const std::string& place, std::string_view bytes,
                                                        milliseconds limit) {
  const std::lock_guard lock(round_mutex_);
  ++round_;
  if (lost_) {
    lost_->why.place = {Printable(place)};
    return *lost_;
  }
  try {
    const auto deadline = Clock::now() + limit;
    StoreSession session(*courier_, deadline);
    const std::string verdict = PlayRound(session, bytes, deadline, limit);
    RankOutcome<std::vector<int>> read = ReadVerdict(verdict, place);
    const bool is_complete = read.index() == 0;
    std::vector<std::string> all;
    if (is_complete) all = ReadAll(session);
    Leave(session, is_complete, place);
    if (!is_complete) return std::get<RankFailure>(std::move(read));
    return all;
  } catch (const std::exception& error) {
    lost_ = Lost(place, error);
    return *lost_;
  }
}

void RankGroup::Leave(StoreSession& session, bool is_complete, const std::string& place) {
  try {
    if (is_complete) Forget(session);
    // Once all have, rank 0 may be gone.
    session.Set(KeyOf(round_, "read", rank()), "1");
  } catch (const std::exception& error) {
    // The others have heard how this round ended, so it ends in the same way here.
    lost_ = Lost(place, error);
  }
}

std::vector<std::string> RankGroup::KeysOfAll(uint64_t round, std::string_view kind) const {
  std::vector<std::string> keys;
  keys.reserve(static_cast<size_t>(size()));
  for (int rank = 0; rank < size(); ++rank) keys.push_back(KeyOf(round, kind, rank));
  return keys;
}

std::string RankGroup::PlayRound(StoreSession& session, std::string_view bytes, Clock::time_point deadline,
                                 milliseconds limit) {
  const std::vector<std::string> views = KeysOfAll(round_, "view");
  const std::string verdict = KeyOf(round_, "verdict");
  session.Set(views[rank()], bytes);
  Pauses pauses(deadline);
  while (!session.HasAll(views) && !session.Has(verdict) && !pauses.IsOver()) pauses.Take();
  std::vector<int> missing;
  for (int rank = 0; rank < size(); ++rank) {
    if (!session.Has(views[rank])) missing.push_back(rank);
  }
  return session.Claim(verdict, Json({{"missing", missing}, {"limit", NameLimit(limit)}}).dump());
}

RankOutcome<std::vector<int>> RankGroup::ReadVerdict(const std::string& verdict,
                                                     const std::string& place) const {
  const Json json = Json::parse(verdict);
  const auto missing = json.at("missing").get<std::vector<int>>();
  if (missing.empty()) return missing;
  RankFailure failure = {
      .kind = RankFailureKind::kMissing,
      .ranks = missing,
      .why = {.place = {Printable(place)},
              .message = fmt::format("{} did not come within {}", NameRanks(missing, size()),
                                     Printable(json.at("limit").get<std::string>())),
              .help = fmt::format("see what {} doing; to wait longer, set CULPRIT_RANKS_TIMEOUT",
                                  missing.size() == 1 ? "that rank is" : "those ranks are")}};
  if (std::ranges::find(missing, rank()) != missing.end()) {
    failure.why.notes = {fmt::format("this is rank {}: it came when the others had gone on", rank())};
  }
  return failure;
}

std::vector<std::string> RankGroup::ReadAll(StoreSession& session) {
  std::vector<std::string> all;
  for (const std::string& key : KeysOfAll(round_, "view")) all.push_back(session.Get(key));
  return all;
}

void RankGroup::Forget(StoreSession& session) {
  // All ranks have come to this round, so none is in an earlier one.
  for (; first_kept_ < round_; ++first_kept_) {
    session.Delete(KeyOf(first_kept_, "view", rank()));
    session.Delete(KeyOf(first_kept_, "read", rank()));
    if (rank() == 0) session.Delete(KeyOf(first_kept_, "verdict"));
  }
}

RankGroup::~RankGroup() {
  try {
    WaitForReaders();
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): whoever waits finds out itself.
  }
}

void RankGroup::WaitForReaders() {
  const bool is_needed = meeting_->is_kept_by_rank_0 && rank() == 0 && round_ > 0 && !lost_;
  if (!is_needed) return;
  const auto deadline = Clock::now() + kFarewell;
  StoreSession session(*courier_, deadline);
  const std::vector<std::string> keys = KeysOfAll(round_, "read");
  for (Pauses pauses(deadline); !session.HasAll(keys) && !pauses.IsOver();) pauses.Take();
}

Status RankGroup::Tell(std::string_view text) {
  const std::lock_guard lock(told_mutex_);
  const Json json = {{"rank", rank()}, {"text", text}};
  const std::string entry = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > kLongestText) {
    return Diagnostic{{},
                      fmt::format("a text for the other ranks has {} bytes, and at most {} are told",
                                  text.size(), kLongestText)};
  }
  try {
    StoreSession session(*courier_, Clock::now() + kFarewell);
    first_free_ = std::max(first_free_, heard_);
    while (session.Claim(fmt::format("told/{}", first_free_++), entry) != entry) {
    }
    return base::Done();
  } catch (const std::exception& error) {
    return Lost({}, error).why;
  }
}

Result<std::vector<Told>> RankGroup::Listen() {
  const std::lock_guard lock(told_mutex_);
  std::vector<Told> told;
  try {
    StoreSession session(*courier_, Clock::now() + kFarewell);
    for (std::string key; session.Has(key = fmt::format("told/{}", heard_)); ++heard_) {
      std::optional<Told> entry = ToldBy(session.Get(key));
      if (entry && entry->rank != rank()) told.push_back(*std::move(entry));
    }
  } catch (const std::exception& error) {
    return Lost({}, error).why;
  }
  return told;
}

}  // namespace culprit::ranks
