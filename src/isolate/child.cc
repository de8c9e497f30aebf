// SPDX-License-Identifier: Apache-2.0
#include "isolate/child.h"

#include <fcntl.h>
#include <signal.h>

#include <cstring>

#include "isolate/wire/socket.h"
#include "isolate/wire/system_error.h"
#include "isolate/zygote_loop.h"

namespace culprit::isolate {
namespace {

base::Diagnostic ZygoteHasDied() {
  base::Diagnostic error{{}, "the process that starts queries has died"};
  error.cause = base::Cause::kEnvironment;
  return error;
}

base::Result<LeashMessage> ReceiveFromZygote(const Descriptor& leash) {
  const Packet packet = CULPRIT_TRY(ReceivePacket(leash, sizeof(LeashMessage)));
  if (packet.bytes.empty()) return ZygoteHasDied();
  LeashMessage message;
  CULPRIT_CHECK(packet.bytes.size() == sizeof(message), "a message of {} bytes", packet.bytes.size());
  std::memcpy(&message, packet.bytes.data(), sizeof(message));
  return message;
}

/// Gives the writing end.
base::Result<Descriptor> MakeOutputPipe(Descriptor& reading) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return SystemError("make a pipe");
  reading = Descriptor(ends[0]);
  // The reading end alone: a child that writes much has to wait, as it would at a terminal.
  fcntl(reading.number(), F_SETFL, O_NONBLOCK);
  return Descriptor(ends[1]);
}

}  // namespace

base::Result<Child> Child::Spawn(const Descriptor& control, std::optional<int> output) {
  Child child;
  auto sockets = CULPRIT_TRY(MakeSocketPair());
  auto leashes = CULPRIT_TRY(MakeSocketPair());
  Descriptor pipe;
  if (!output) {
    pipe = CULPRIT_TRY(MakeOutputPipe(child.output_));
    output = pipe.number();
  }
  child.black_box_ = CULPRIT_TRY(SharedMemory::Make(sizeof(BlackBox), SharedMemory::Others::kMayWrite));
  const int descriptors[kSpawnDescriptors] = {
      sockets.second.number(), child.black_box_->descriptor().number(), *output, leashes.second.number()};
  const base::Status sent = SendPacket(control, "s", {}, descriptors);
  // Nothing is ever sent this way but the end.
  if (IsReadable(control)) return ZygoteHasDied();
  if (!sent.ok()) return sent.error();
  leashes.second.Close();
  const LeashMessage message = CULPRIT_TRY(ReceiveFromZygote(leashes.first));
  if (message.kind == LeashMessage::Kind::kCannotFork) return SystemError("fork", message.value);
  child.pid_ = message.value;
  child.socket_ = std::move(sockets.first);
  child.leash_ = std::move(leashes.first);
  return child;
}

Child::~Child() {  // NOLINT(bugprone-exception-escape)
  if (!leash_.is_open()) return;
  bool is_released = false;
  for (bool waits = SendPacket(leash_, "r").ok(); waits;) {
    const auto message = ReceiveFromZygote(leash_);
    is_released = message.ok() && message->kind == LeashMessage::Kind::kReleased;
    waits = message.ok() && !is_released;
  }
  // The zygote has died, and the kernel has killed the child, but not what the child had started.
  if (!is_released) kill(-pid_, SIGKILL);
}

base::Result<int> Child::TakeStatus() const {
  const LeashMessage message = CULPRIT_TRY(ReceiveFromZygote(leash_));
  CULPRIT_CHECK(message.kind == LeashMessage::Kind::kEnded, "not the end of a child");
  return message.value;
}

}  // namespace culprit::isolate
