// SPDX-License-Identifier: Apache-2.0
//
// What goes to a server and comes back: JSON, and memory for tensors. One packet of a socket:
//
//   'j' and the JSON                                   if it is short
//   'm', the first descriptor is memory that holds it  if not
//   one descriptor for each piece of memory
//
// docs/servers.md has the messages.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "base/result.h"
#include "isolate/wire/descriptor.h"
#include "isolate/wire/shared_memory.h"

namespace culprit::backends::server {

// To move JSON throws nothing, and the linter does not believe it.
struct ServerMessage {  // NOLINT(bugprone-exception-escape)
  nlohmann::json content;
  std::vector<std::shared_ptr<isolate::SharedMemory>> memory = {};
};

base::Status SendMessage(const isolate::Descriptor& socket, const ServerMessage& message);

/// Waits. Nothing if the server is gone; an error if it sent something else.
base::Result<std::optional<ServerMessage>> ReceiveMessage(const isolate::Descriptor& socket);

}  // namespace culprit::backends::server
