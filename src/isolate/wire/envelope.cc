// SPDX-License-Identifier: Apache-2.0
#include "isolate/wire/envelope.h"

#include <cstring>

#include "isolate/wire/socket.h"

namespace culprit::isolate {
namespace {

constexpr uint64_t kMagic = 0x54'49'52'50'4c'55'43'01;
/// Well below what a socket buffers, and cheaper to copy twice than to map.
constexpr size_t kShortBytes = 48 << 10;

struct Header {
  uint64_t magic = kMagic;
  EnvelopeKind kind = EnvelopeKind::kRequest;
  uint32_t task = 0;
  uint32_t number = 0;
  uint32_t bytes_are_in_memory = 0;
};

base::Diagnostic NotAnAnswer(std::string what) {
  return {{}, std::move(what)};
}

base::Result<Envelope> Open(Packet packet) {
  Header header;
  if (packet.bytes.size() < sizeof(header))
    return NotAnAnswer(fmt::format("received {} bytes where an answer was due", packet.bytes.size()));
  std::memcpy(&header, packet.bytes.data(), sizeof(header));
  if (header.magic != kMagic || header.kind > EnvelopeKind::kNonstandardThrow)
    return NotAnAnswer(fmt::format("received {} bytes that are no answer", packet.bytes.size()));
  Envelope envelope{header.kind, header.task, header.number, {}};
  for (Descriptor& descriptor : packet.descriptors) {
    envelope.message.attachments.push_back(CULPRIT_TRY(SharedMemory::Receive(std::move(descriptor))));
  }
  if (header.bytes_are_in_memory == 0) {
    envelope.message.bytes = packet.bytes.substr(sizeof(header));
    return envelope;
  }
  if (envelope.message.attachments.empty()) return NotAnAnswer("received an answer without its bytes");
  const SharedMemory& bytes = *envelope.message.attachments.front();
  envelope.message.bytes.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  envelope.message.attachments.erase(envelope.message.attachments.begin());
  return envelope;
}

}  // namespace

base::Status SendEnvelope(const Descriptor& socket, const Envelope& envelope) {
  const Message& message = envelope.message;
  CULPRIT_CHECK(message.attachments.size() <= kMaxAttachments, "{} attachments", message.attachments.size());
  Header header{kMagic, envelope.kind, envelope.task, envelope.number, 0};
  const std::string_view head(reinterpret_cast<const char*>(&header), sizeof(header));
  std::vector<int> descriptors;
  std::shared_ptr<SharedMemory> bytes;
  if (message.bytes.size() > kShortBytes) {
    bytes = CULPRIT_TRY(SharedMemory::Make(message.bytes.size()));
    std::memcpy(bytes->data(), message.bytes.data(), message.bytes.size());
    header.bytes_are_in_memory = 1;
    descriptors.push_back(bytes->descriptor().number());
  }
  for (const auto& attachment : message.attachments) descriptors.push_back(attachment->descriptor().number());
  return SendPacket(socket, head, bytes ? std::string_view() : message.bytes, descriptors);
}

base::Result<std::optional<Envelope>> ReceiveEnvelope(const Descriptor& socket) {
  Packet packet = CULPRIT_TRY(ReceivePacket(socket, sizeof(Header) + kShortBytes));
  if (packet.bytes.empty()) return std::optional<Envelope>();
  return std::optional<Envelope>(CULPRIT_TRY(Open(std::move(packet))));
}

}  // namespace culprit::isolate
