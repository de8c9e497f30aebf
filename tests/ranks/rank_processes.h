// SPDX-License-Identifier: Apache-2.0
//
// Ranks as processes of their own, forked from the test, which makes no groups itself: libtorch's threads for
// them are started in the ranks. They end with the test that has started them, whatever they do.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "capture/segment/place_view.h"
#include "ranks/launch.h"
#include "ranks/rank_failure.h"
#include "ranks/rank_group.h"

namespace culprit::tests {

/// What each rank's function returned, in the order of ranks; "killed by signal 9" if it did not come to
/// that.
std::vector<std::string> RunRanks(int size, const std::function<std::string(int rank)>& function);

/// Holds ranks until so many have come, so that a test with a short time limit measures nothing but that. A
/// rank that looks for rank 0 too early comes a second late.
class Gate {
 public:
  Gate();
  ~Gate();
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  void Pass(int ranks) const;

 private:
  std::atomic<int>* come_;
};

/// Nobody listens there.
uint16_t FreePort();

/// As a launcher would tell it to a rank on this machine.
ranks::Launch LaunchOf(int rank, int size, uint16_t port);

/// Ranks that meet at the port. A rank that cannot ends with the error.
std::shared_ptr<ranks::RankGroup> JoinAt(uint16_t port, int rank, int size);

/// "agreed: [2, 3] [4, 3]", the sizes or numbers of all ranks' inputs; or the failure as users see it.
std::string TextOf(const ranks::RankOutcome<std::vector<capture::PlaceView>>& outcome);

/// A view of forward: from net.py:12 with an x of these sizes.
capture::PlaceView ViewWith(const std::vector<int64_t>& sizes);

}  // namespace culprit::tests
