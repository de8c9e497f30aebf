// SPDX-License-Identifier: Apache-2.0
//
// The form of a request and of its answer between the caller and a child. One packet:
//
//   header                 see envelope.cc
//   bytes                  if they are short; otherwise the first descriptor is memory that holds them
//   descriptors            one for each attachment
//
// A child may be damaged in any way, so a received packet is checked before any of it is believed.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "isolate/wire/descriptor.h"
#include "isolate/wire/message.h"

namespace culprit::isolate {

enum class EnvelopeKind : uint32_t { kRequest, kResult, kException, kNonstandardThrow };

struct Envelope {
  EnvelopeKind kind = EnvelopeKind::kRequest;
  /// Which task of the table; answers repeat it.
  uint32_t task = 0;
  /// Which request of this child; answers repeat it.
  uint32_t number = 0;
  /// For kException the type's name, a zero byte and the message; for kNonstandardThrow the type's name.
  Message message;
};

base::Status SendEnvelope(const Descriptor& socket, const Envelope& envelope);

/// Waits. Nothing if the other side is gone; an error if it sent garbage.
base::Result<std::optional<Envelope>> ReceiveEnvelope(const Descriptor& socket);

}  // namespace culprit::isolate
