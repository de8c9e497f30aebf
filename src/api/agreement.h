// SPDX-License-Identifier: Apache-2.0
//
// This process among the ranks of a program: what they show each other before they compile, and what becomes
// of the program if they cannot.
//
//   they differ                         culprit::RanksDiffer on every rank
//   one is missing, or cannot capture   a warning, and the place runs as written
//   nobody is there any more            one warning, and every new place runs as written
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/settings.h"
#include "capture/segment/place_view.h"
#include "ranks/rank_group.h"

namespace c10d {
class ProcessGroup;
}

namespace culprit::api {

class Agreement {
 public:
  using Warn = std::function<void(const std::string&)>;
  using Joined = base::Result<std::shared_ptr<ranks::RankGroup>>;

  /// Without a group it says why there is none, when ranks are to agree.
  Agreement(int rank, int size, Joined group, std::chrono::milliseconds limit, Warn warn);

  /// By the program's group if there is one, otherwise as the settings say; null if these say that ranks do
  /// not agree. Waits for rank 0. Throws std::invalid_argument if the environment is wrong.
  static std::shared_ptr<Agreement> Open(c10d::ProcessGroup* program, const base::Settings& settings,
                                         Warn warn);

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// For capture::Options.
  std::vector<capture::PlaceView> Share(const capture::PlaceView& view);

  /// Other ranks say it as a warning, sooner or later.
  void Tell(const std::string& text) noexcept;
  /// Says what others have told. Looks once a second at most.
  void Listen() noexcept;  // NOLINT(bugprone-exception-escape)

 private:
  using Clock = std::chrono::steady_clock;

  const int rank_;
  const int size_;
  const Joined group_;
  const std::chrono::milliseconds limit_;
  const Warn warn_;
  /// That there is nobody to agree with.
  std::atomic<bool> is_loss_told_ = false;
  std::atomic<bool> is_deaf_ = false;
  std::atomic<Clock::time_point> next_look_;
};

}  // namespace culprit::api
