// SPDX-License-Identifier: Apache-2.0
#include "isolate/socket.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>

#include "isolate/system_error.h"

namespace culprit::isolate {
namespace {

constexpr size_t kMaxDescriptors = 253;  // SCM_MAX_FD of the kernel

using ControlBuffer = std::array<char, CMSG_SPACE(kMaxDescriptors * sizeof(int))>;

std::vector<Descriptor> TakeDescriptors(msghdr& message) {
  std::vector<Descriptor> descriptors;
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    const size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) {
      int number = -1;
      std::memcpy(&number, CMSG_DATA(part) + i * sizeof(int), sizeof(int));
      descriptors.emplace_back(number);
    }
  }
  return descriptors;
}

}  // namespace

base::Result<std::pair<Descriptor, Descriptor>> MakeSocketPair() {
  int numbers[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, numbers) != 0)
    return SystemError("make a pair of sockets");
  return std::pair(Descriptor(numbers[0]), Descriptor(numbers[1]));
}

bool IsReadable(const Descriptor& socket) {
  pollfd event = {socket.number(), POLLIN, 0};
  return poll(&event, 1, 0) == 1;
}

base::Status SendPacket(const Descriptor& socket, std::string_view head, std::string_view body,
                        std::span<const int> descriptors) {
  CULPRIT_CHECK(descriptors.size() <= kMaxDescriptors, "{} descriptors in one packet", descriptors.size());
  // The kernel's interface is not const; it does not write here.
  iovec parts[] = {{const_cast<char*>(head.data()), head.size()},
                   {const_cast<char*>(body.data()), body.size()}};
  msghdr message = {};
  message.msg_iov = parts;
  message.msg_iovlen = std::size(parts);
  alignas(cmsghdr) ControlBuffer control;
  if (!descriptors.empty()) {
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* part = CMSG_FIRSTHDR(&message);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(part), descriptors.data(), descriptors.size_bytes());
  }
  if (sendmsg(socket.number(), &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
    return SystemError("send to another process");
  return base::Done();
}

base::Result<Packet> ReceivePacket(const Descriptor& socket, size_t max_bytes) {
  Packet packet;
  packet.bytes.resize(max_bytes);
  iovec part = {packet.bytes.data(), packet.bytes.size()};
  alignas(cmsghdr) ControlBuffer control;
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t size = -1;
  do {
    size = recvmsg(socket.number(), &message, MSG_CMSG_CLOEXEC);
  } while (size < 0 && errno == EINTR);
  // Killed with a packet of ours unread, the other side leaves this instead of an end.
  if (size < 0 && errno == ECONNRESET) size = 0;
  if (size < 0) return SystemError("receive from another process");
  packet.descriptors = TakeDescriptors(message);
  if ((message.msg_flags & MSG_TRUNC) != 0)
    return base::Diagnostic{{}, fmt::format("received a packet of more than {} bytes", max_bytes)};
  if ((message.msg_flags & MSG_CTRUNC) != 0)
    return base::Diagnostic{{}, "received a packet whose descriptors were lost"};
  packet.bytes.resize(static_cast<size_t>(size));
  return packet;
}

}  // namespace culprit::isolate
