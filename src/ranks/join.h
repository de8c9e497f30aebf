// SPDX-License-Identifier: Apache-2.0
//
// The ways in which ranks find each other.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "ranks/launch.h"
#include "ranks/rank_group.h"

namespace c10d {
class ProcessGroup;
}

namespace culprit::ranks {

struct Position {
  int rank;
  /// How many ranks there are.
  int size;
};

/// Of this process.
Position PositionIn(const c10d::ProcessGroup& program);

/// All ranks of the program's group have to call it. Rank 0 opens a port and says which in one broadcast;
/// that is all the program's group is used for. Ranks on other machines have to know rank 0's by its host
/// name.
base::Result<std::shared_ptr<RankGroup>> JoinByProcessGroup(c10d::ProcessGroup& program,
                                                            std::chrono::milliseconds limit);

/// By what the launcher has told. The program may open MASTER_PORT itself, so ranks meet at `port`; if that
/// is 0, at OwnPort(MASTER_PORT). A process can join once at a time.
base::Result<std::shared_ptr<RankGroup>> JoinByLaunch(const Launch& launch, uint16_t port,
                                                      std::chrono::milliseconds limit);

/// 1000 above, or below where there is none above: jobs on one machine often have neighbouring ports.
uint16_t OwnPort(uint16_t master_port);
}  // namespace culprit::ranks
