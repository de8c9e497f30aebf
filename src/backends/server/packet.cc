// SPDX-License-Identifier: Apache-2.0
#include "backends/server/packet.h"

#include <cstring>

#include "isolate/wire/socket.h"

namespace culprit::backends::server {
namespace {

using isolate::SharedMemory;
using nlohmann::json;

constexpr size_t kShortBytes = 48 << 10;
constexpr std::string_view kHere = "j";
constexpr std::string_view kInMemory = "m";

std::shared_ptr<SharedMemory> TakeFirst(std::vector<std::shared_ptr<SharedMemory>>& memory) {
  std::shared_ptr<SharedMemory> first = std::move(memory.front());
  memory.erase(memory.begin());
  return first;
}

}  // namespace

base::Status SendMessage(const isolate::Descriptor& socket, const ServerMessage& message) {
  const std::string text = message.content.dump(-1, ' ', false, json::error_handler_t::replace);
  std::vector<int> descriptors;
  std::shared_ptr<SharedMemory> long_text;
  if (text.size() > kShortBytes) {
    long_text = CULPRIT_TRY(SharedMemory::Make(text.size()));
    std::memcpy(long_text->data(), text.data(), text.size());
    descriptors.push_back(long_text->descriptor().number());
  }
  for (const auto& memory : message.memory) descriptors.push_back(memory->descriptor().number());
  if (long_text) return isolate::SendPacket(socket, kInMemory, {}, descriptors);
  return isolate::SendPacket(socket, kHere, text, descriptors);
}

base::Result<std::optional<ServerMessage>> ReceiveMessage(const isolate::Descriptor& socket) {
  isolate::Packet packet = CULPRIT_TRY(isolate::ReceivePacket(socket, kShortBytes + 1));
  if (packet.bytes.empty()) return std::optional<ServerMessage>();
  ServerMessage message;
  for (isolate::Descriptor& descriptor : packet.descriptors)
    message.memory.push_back(CULPRIT_TRY(SharedMemory::Receive(std::move(descriptor))));
  std::string_view text = std::string_view(packet.bytes).substr(1);
  std::shared_ptr<SharedMemory> long_text;
  if (packet.bytes.starts_with(kInMemory) && !message.memory.empty()) {
    long_text = TakeFirst(message.memory);
    text = {reinterpret_cast<const char*>(long_text->data()), long_text->size()};
  }
  message.content = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (message.content.is_object()) return std::optional<ServerMessage>(std::move(message));
  return base::Diagnostic{{}, fmt::format("the server sent {} bytes that are no message", text.size())};
}

}  // namespace culprit::backends::server
