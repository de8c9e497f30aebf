// SPDX-License-Identifier: Apache-2.0
//
// Where ranks meet: a store of libtorch's that all of them reach, and that nobody else uses. Rank 0 keeps it,
// and the others visit it over TCP.
#pragma once

#include <torch/csrc/distributed/c10d/Store.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "base/result.h"

namespace culprit::ranks {

struct Meeting {
  int rank = 0;
  int size = 1;
  /// "127.0.0.1:41233".
  std::string where;
  /// The store is gone when rank 0 is.
  bool is_kept_by_rank_0 = false;
  /// Throws what libtorch throws. It tries for that long, and then waits for an answer without a limit.
  std::function<c10::intrusive_ptr<c10d::Store>(std::chrono::milliseconds limit)> connect;
};

/// For rank 0. Port 0 is any that is free; `port` is the one taken.
base::Result<Meeting> KeepMeeting(int size, uint16_t& port, std::chrono::milliseconds limit);
/// For the others.
Meeting VisitMeeting(int rank, int size, const std::string& host, uint16_t port);

}  // namespace culprit::ranks
