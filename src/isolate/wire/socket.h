// SPDX-License-Identifier: Apache-2.0
//
// Pairs of sockets that keep packets apart, carry descriptors, and tell when the other side is gone.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "isolate/wire/descriptor.h"

namespace culprit::isolate {

base::Result<std::pair<Descriptor, Descriptor>> MakeSocketPair();

/// A socket at a name that exists nowhere in the file system and goes with the socket. The names of other
/// users cannot be listened at, but connected to: who listens asks who it is.
base::Result<Descriptor> ListenAt(std::string_view name);
/// Nothing if nobody listens there.
base::Result<std::optional<Descriptor>> ConnectTo(std::string_view name);

/// There is a packet, or the other side is gone.
bool IsReadable(const Descriptor& socket);

struct Packet {
  /// Nothing at all if the other side is gone.
  std::string bytes;
  std::vector<Descriptor> descriptors;
};

/// Never waits: what is sent before the other side has answered fits the buffers of the kernel.
base::Status SendPacket(const Descriptor& socket, std::string_view head, std::string_view body = {},
                        std::span<const int> descriptors = {});

/// Waits for a packet of at most `max_bytes`. An error is a longer one, or descriptors that got lost.
base::Result<Packet> ReceivePacket(const Descriptor& socket, size_t max_bytes);

}  // namespace culprit::isolate
