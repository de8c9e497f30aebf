// SPDX-License-Identifier: Apache-2.0
//
// What rank 0 tells the others in the one broadcast over the program's own group: where the ranks meet, or
// why they cannot, so that nobody waits for it. A broadcast has a fixed size; the rest of the bytes is zeros.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace culprit::ranks {

struct Invitation {
  std::string host;
  uint16_t port = 0;
  /// On which machine the host is (ThisMachine).
  std::string machine;
  /// If rank 0 cannot have a store: why, and none of the above.
  std::string refusal = {};
};

inline constexpr size_t kInvitationBytes = 1024;

std::string BytesOf(const Invitation& invitation);
base::Result<Invitation> InvitationOf(std::string_view bytes);

/// The same for processes that reach each other at 127.0.0.1, and for no others.
std::string ThisMachine();

}  // namespace culprit::ranks
