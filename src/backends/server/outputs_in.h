// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ivalue.h>

#include <vector>

#include "backends/server/packet.h"
#include "base/result.h"

namespace culprit::backends::server {

/// What a server returned. Its storages count on from those of the inputs, on which outputs may lie as well.
/// A server may be damaged: a tensor that reaches beyond its storage is an error.
base::Result<std::vector<c10::IValue>> ReadOutputs(const ServerMessage& answer,
                                                   const std::vector<c10::Storage>& inputs);

}  // namespace culprit::backends::server
