// SPDX-License-Identifier: Apache-2.0
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <fmt/format.h>
#include <unistd.h>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include <algorithm>
#include <climits>

#include "base/text.h"
#include "graph/tensors/torch_error.h"
#include "ranks/invitation.h"
#include "ranks/join.h"
#include "ranks/meeting.h"
#include "ranks/words.h"

namespace culprit::ranks {
namespace {

using base::Diagnostic;
using base::Result;
using std::chrono::milliseconds;

std::string HostName() {
  char name[HOST_NAME_MAX + 1] = {};
  return gethostname(name, sizeof(name) - 1) == 0 ? name : "localhost";
}

/// Gives every rank the bytes of rank 0.
Result<std::string> Broadcast(c10d::ProcessGroup& program, std::string bytes, milliseconds limit) {
  try {
    bytes.resize(kInvitationBytes);
    std::vector<at::Tensor> tensors = {at::empty({kInvitationBytes}, at::kByte)};
    auto* const data = reinterpret_cast<char*>(tensors[0].data_ptr<uint8_t>());
    std::ranges::copy(bytes, data);
    program.broadcast(tensors)->wait(limit);
    return std::string(data, kInvitationBytes);
  } catch (const std::exception& error) {
    return Diagnostic{
        .place = {},
        .message = fmt::format("the program's process group did not broadcast within {}", NameLimit(limit)),
        .notes = {"libtorch says: " + base::Printable(graph::TorchMessage(error))},
        .help = "let all ranks of the group call culprit::Compile"};
  }
}

Result<Meeting> Invite(c10d::ProcessGroup& program, milliseconds limit) {
  uint16_t port = 0;
  Result<Meeting> meeting = KeepMeeting(program.getSize(), port, limit);
  const Invitation invitation = meeting.ok()
                                    ? Invitation{.host = HostName(), .port = port, .machine = ThisMachine()}
                                    : Invitation{.refusal = meeting.error().message};
  CULPRIT_TRY(Broadcast(program, BytesOf(invitation), limit));
  return meeting;
}

Result<Meeting> AcceptInvitation(c10d::ProcessGroup& program, milliseconds limit) {
  const std::string bytes = CULPRIT_TRY(Broadcast(program, {}, limit));
  const Invitation invitation = CULPRIT_TRY(InvitationOf(bytes));
  if (!invitation.refusal.empty()) return Diagnostic{{}, base::Printable(invitation.refusal)};
  const bool is_near = invitation.machine == ThisMachine();
  return VisitMeeting(program.getRank(), program.getSize(), is_near ? "127.0.0.1" : invitation.host,
                      invitation.port);
}

}  // namespace

Position PositionIn(const c10d::ProcessGroup& program) {
  return {program.getRank(), program.getSize()};
}

Result<std::shared_ptr<RankGroup>> JoinByProcessGroup(c10d::ProcessGroup& program, milliseconds limit) {
  const bool is_first = program.getRank() == 0;
  return RankGroup::Join(CULPRIT_TRY(is_first ? Invite(program, limit) : AcceptInvitation(program, limit)),
                         limit);
}

}  // namespace culprit::ranks
