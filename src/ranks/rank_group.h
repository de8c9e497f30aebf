// SPDX-License-Identifier: Apache-2.0
//
// The ranks of a program, for what Culprit has to say between them. They meet in a store of their own
// (ranks/meeting.h), so the program's collectives and ours cannot get into each other's way. Nothing happens
// between the calls of these functions, except in the store itself in rank 0.
//
// A gathering is a numbered round: each rank lays down its bytes, and waits for those of all others. The
// first rank that sees all of them, or has waited long enough, lays down the verdict, and that holds for all
// ranks, also for those that come later. So a round succeeds everywhere or nowhere, and the next one begins
// on all ranks with the same number.
//
//   round/7/view/2      bytes of rank 2
//   round/7/verdict     {"missing": [3], "limit": "30 s"}
//   round/7/read/2      rank 2 knows how it ended
//   told/0, told/1 ...  {"rank": 1, "text": "..."}
//
// What no rank can ask for any more is removed. A rank that is dead is waited for in the next round again.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ranks/rank_failure.h"

namespace culprit::ranks {

class Courier;
struct Meeting;
class StoreSession;

struct Told {
  int rank = 0;
  std::string text;
};

/// May be used by several threads, which take turns.
class RankGroup {
 public:
  /// Waits for no other rank than the one that keeps the store.
  static base::Result<std::shared_ptr<RankGroup>> Join(Meeting meeting, std::chrono::milliseconds limit);

  /// Rank 0 stays up to a second for those that have not read yet what was gathered last.
  ~RankGroup();
  RankGroup(const RankGroup&) = delete;
  RankGroup& operator=(const RankGroup&) = delete;

  int rank() const;
  int size() const;

  /// The bytes of all ranks in their order. Takes a second longer than the limit at most, and only if the
  /// store hangs. Messages say that it was about `place`. Once the store is lost, it stays lost.
  RankOutcome<std::vector<std::string>> Gather(const std::string& place, std::string_view bytes,
                                               std::chrono::milliseconds limit);

  /// To all other ranks, whenever they listen. At most kLongestText bytes.
  base::Status Tell(std::string_view text);
  /// What others have told since the last call. Waits for no other rank.
  base::Result<std::vector<Told>> Listen();

  static constexpr size_t kLongestText = 8192;

 private:
  explicit RankGroup(Meeting meeting);

  base::Status SignIn(std::chrono::milliseconds limit);
  std::string PlayRound(StoreSession& session, std::string_view bytes,
                        std::chrono::steady_clock::time_point deadline, std::chrono::milliseconds limit);
  std::vector<std::string> ReadAll(StoreSession& session);
  void Leave(StoreSession& session, bool is_complete, const std::string& place);
  void Forget(StoreSession& session);
  std::vector<std::string> KeysOfAll(uint64_t round, std::string_view kind) const;
  RankOutcome<std::vector<int>> ReadVerdict(const std::string& verdict, const std::string& place) const;
  RankFailure Lost(const std::string& place, const std::exception& error) const;
  void WaitForReaders();

  const std::unique_ptr<const Meeting> meeting_;
  std::unique_ptr<Courier> courier_;
  std::mutex round_mutex_;
  uint64_t round_ = 0;
  /// The rounds before it have left nothing of this rank's in the store.
  uint64_t first_kept_ = 1;
  std::optional<RankFailure> lost_;
  std::mutex told_mutex_;
  uint64_t heard_ = 0;
  /// Texts before it are taken, as far as this rank knows.
  uint64_t first_free_ = 0;
};

}  // namespace culprit::ranks
