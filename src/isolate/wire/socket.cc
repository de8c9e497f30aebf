// SPDX-License-Identifier: Apache-2.0
#include "isolate/wire/socket.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>

#include "isolate/wire/system_error.h"

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

struct Address {
  sockaddr_un bytes = {};
  socklen_t size = 0;
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&bytes); }
};

/// A zero byte in front makes it a name that is no file.
Address AddressOf(std::string_view name) {
  Address address;
  CULPRIT_CHECK(name.size() + 1 < sizeof(address.bytes.sun_path), "a socket's name of {} bytes", name.size());
  address.bytes.sun_family = AF_UNIX;
  name.copy(address.bytes.sun_path + 1, name.size());
  address.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return address;
}

base::Result<Descriptor> MakeSocket() {
  Descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (!socket.is_open()) return SystemError("make a socket");
  return socket;
}

}  // namespace

base::Result<std::pair<Descriptor, Descriptor>> MakeSocketPair() {
  int numbers[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, numbers) != 0)
    return SystemError("make a pair of sockets");
  return std::pair(Descriptor(numbers[0]), Descriptor(numbers[1]));
}

base::Result<Descriptor> ListenAt(std::string_view name) {
  Descriptor socket = CULPRIT_TRY(MakeSocket());
  const Address address = AddressOf(name);
  if (bind(socket.number(), address.get(), address.size) != 0)
    return SystemError(fmt::format("listen at '{}'", name));
  if (listen(socket.number(), SOMAXCONN) != 0) return SystemError("listen at a socket");
  return socket;
}

base::Result<std::optional<Descriptor>> ConnectTo(std::string_view name) {
  Descriptor socket = CULPRIT_TRY(MakeSocket());
  const Address address = AddressOf(name);
  if (connect(socket.number(), address.get(), address.size) == 0)
    return std::optional<Descriptor>(std::move(socket));
  if (errno == ECONNREFUSED) return std::optional<Descriptor>();
  return SystemError(fmt::format("connect to '{}'", name));
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
