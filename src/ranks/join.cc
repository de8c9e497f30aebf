// SPDX-License-Identifier: Apache-2.0
#include "ranks/join.h"

#include "ranks/meeting.h"

namespace culprit::ranks {

using base::Result;
using std::chrono::milliseconds;

uint16_t OwnPort(uint16_t master_port) {
  constexpr uint16_t kAway = 1000;
  constexpr uint16_t kLast = 65535;
  return master_port <= kLast - kAway ? master_port + kAway : master_port - kAway;
}

Result<std::shared_ptr<RankGroup>> JoinByLaunch(const Launch& launch, uint16_t port, milliseconds limit) {
  if (port == 0) port = OwnPort(launch.port);
  Meeting meeting = launch.rank == 0 ? CULPRIT_TRY(KeepMeeting(launch.size, port, limit))
                                     : VisitMeeting(launch.rank, launch.size, launch.host, port);
  return RankGroup::Join(std::move(meeting), limit);
}

}  // namespace culprit::ranks
