// SPDX-License-Identifier: Apache-2.0
#include "isolate/wire/envelope.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>

#include "isolate/wire/socket.h"

namespace culprit::isolate {
namespace {

class EnvelopeTest : public testing::Test {
 protected:
  /// A packet that is right but for what `change` does to it, as it arrives.
  std::string ErrorAfter(void (*change)(Packet& packet)) {
    EXPECT_TRUE(SendEnvelope(sockets_.first, {EnvelopeKind::kResult, 1, 2, {"bytes"}}).ok());
    Packet packet = *ReceivePacket(sockets_.second, 1000);
    change(packet);
    std::vector<int> numbers;
    for (const Descriptor& descriptor : packet.descriptors) numbers.push_back(descriptor.number());
    EXPECT_TRUE(SendPacket(sockets_.first, packet.bytes, {}, numbers).ok());
    const auto received = ReceiveEnvelope(sockets_.second);
    return received.ok() ? "" : received.error().message;
  }

  std::pair<Descriptor, Descriptor> sockets_ = *MakeSocketPair();
};

TEST_F(EnvelopeTest, ArrivesAsItWasSent) {
  const auto memory = *SharedMemory::Make(8);
  std::memset(memory->data(), 5, 8);
  ASSERT_TRUE(SendEnvelope(sockets_.first, {EnvelopeKind::kException, 3, 4, {"bytes", {memory}}}).ok());
  const auto received = ReceiveEnvelope(sockets_.second);
  ASSERT_TRUE(received.ok() && received->has_value());
  EXPECT_EQ((*received)->kind, EnvelopeKind::kException);
  EXPECT_EQ((*received)->task, 3u);
  EXPECT_EQ((*received)->number, 4u);
  EXPECT_EQ((*received)->message.bytes, "bytes");
  ASSERT_EQ((*received)->message.attachments.size(), 1u);
  EXPECT_EQ((*received)->message.attachments[0]->data()[7], std::byte{5});
}

TEST_F(EnvelopeTest, TellsTheEnd) {
  sockets_.first.Close();
  EXPECT_FALSE(ReceiveEnvelope(sockets_.second)->has_value());
}

TEST_F(EnvelopeTest, RefusesDamage) {
  EXPECT_EQ(ErrorAfter([](Packet&) {}), "");
  EXPECT_EQ(ErrorAfter([](Packet& packet) { packet.bytes[0] ^= 1; }), "received 29 bytes that are no answer");
  EXPECT_EQ(ErrorAfter([](Packet& packet) { packet.bytes[8] = 100; }),
            "received 29 bytes that are no answer");
  EXPECT_EQ(ErrorAfter([](Packet& packet) { packet.bytes.resize(5); }),
            "received 5 bytes where an answer was due");
  EXPECT_EQ(ErrorAfter([](Packet& packet) { packet.bytes[20] = 1; }), "received an answer without its bytes");
  EXPECT_EQ(ErrorAfter([](Packet& packet) { packet.bytes.resize(100'000); }),
            "received a packet of more than 49176 bytes");
}

TEST_F(EnvelopeTest, RefusesDescriptorsThatCouldHarm) {
  constexpr const char* kError = "received a descriptor that is no sealed memory";
  EXPECT_EQ(ErrorAfter([](Packet& packet) {
              packet.descriptors.emplace_back(open("/dev/zero", O_RDWR | O_CLOEXEC));
            }),
            kError);
  EXPECT_EQ(ErrorAfter([](Packet& packet) {
              packet.descriptors.emplace_back(memfd_create("can shrink", MFD_CLOEXEC | MFD_ALLOW_SEALING));
            }),
            kError);
}

}  // namespace
}  // namespace culprit::isolate
