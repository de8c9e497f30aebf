// SPDX-License-Identifier: Apache-2.0
//
// What goes to a child and comes back: bytes, and memory for whatever is too large to be copied.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "isolate/wire/shared_memory.h"

namespace culprit::isolate {

/// The kernel passes some 250 descriptors at a time: many tensors go into few attachments.
constexpr size_t kMaxAttachments = 200;

struct Message {
  std::string bytes;
  std::vector<std::shared_ptr<SharedMemory>> attachments = {};
};

}  // namespace culprit::isolate
