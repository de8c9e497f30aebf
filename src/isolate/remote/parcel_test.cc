// SPDX-License-Identifier: Apache-2.0
#include "isolate/remote/parcel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace culprit::isolate {
namespace {

using testing::HasSubstr;

std::string Greeted(const std::string& bytes) {
  return std::string(kGreeting) + bytes;
}

std::string Sizes(uint32_t head, uint64_t body) {
  std::string bytes = ParcelBeginning(ParcelHead::object(), 0).substr(0, ParcelSizes::kBytes);
  std::memcpy(bytes.data() + 4, &head, sizeof(head));
  std::memcpy(bytes.data() + 8, &body, sizeof(body));
  return bytes;
}

std::string ErrorOf(const std::string& bytes) {
  ParcelReader reader;
  reader.Append(bytes);
  const auto parcel = reader.Next();
  return parcel.ok() ? "" : parcel.error().message;
}

TEST(ParcelTest, ArrivesFromPiecesOfAnySize) {
  const std::string bytes = Greeted(ParcelBeginning({{"kind", "outcome"}, {"phase", "call 1"}}, 5) +
                                    "12345\n" + ParcelBeginning({{"kind", "alive"}}, 0) + "\n");
  for (size_t piece = 1; piece < bytes.size(); ++piece) {
    ParcelReader reader;
    std::vector<Parcel> parcels;
    for (size_t i = 0; i < bytes.size(); i += piece) {
      reader.Append(std::string_view(bytes).substr(i, piece));
      while (auto parcel = *reader.Next()) parcels.push_back(*std::move(parcel));
    }
    ASSERT_EQ(parcels.size(), 2);
    EXPECT_EQ(parcels[0].kind(), "outcome");
    EXPECT_EQ(parcels[0].body, "12345");
    EXPECT_EQ(parcels[1].kind(), "alive");
  }
}

TEST(ParcelTest, WhatALauncherPrintsBeforeTheGreetingIsSkipped) {
  ParcelReader reader;
  reader.Append("Welcome to n1!\n");
  EXPECT_FALSE(*reader.Next());
  EXPECT_EQ(reader.before_greeting(), "Welcome to n1!\n");
  reader.Append(Greeted(ParcelBeginning({{"kind", "hello"}}, 0) + "\n"));
  EXPECT_EQ((*reader.Next())->kind(), "hello");
  EXPECT_EQ(reader.before_greeting(), "");
}

TEST(ParcelTest, WhatIsNoneIsAnError) {
  EXPECT_EQ(ErrorOf(Greeted(std::string(16, 'x'))), "sent what is no parcel");
  EXPECT_EQ(ErrorOf(Greeted(Sizes(2, 0) + "[]\n")), "the head of a parcel is no object");
  EXPECT_THAT(ErrorOf(Greeted(Sizes(3, 0) + "{{{\n")), HasSubstr("is not valid JSON"));
  EXPECT_THAT(ErrorOf(Greeted(Sizes(1000, 0) + std::string(1000, '[') + "\n")),
              HasSubstr("nested more than 32"));
}

TEST(ParcelTest, EndsWithALineBreak) {
  EXPECT_EQ(ErrorOf(Greeted(ParcelBeginning({{"kind", "hello"}}, 0) + "x")),
            "sent a parcel that does not end where it should");
}

TEST(ParcelTest, SizesAreBounded) {
  EXPECT_EQ(ErrorOf(Greeted(Sizes(UINT32_MAX, 0))), "sent a parcel of 4294967295 and 0 bytes");
  EXPECT_EQ(ErrorOf(Greeted(Sizes(2, uint64_t{1} << 62))),
            "sent a parcel of 2 and 4611686018427387904 bytes");
  EXPECT_EQ(ErrorOf(std::string(70000, 'x')), "sent 70000 bytes and no greeting");
}

TEST(ParcelTest, DamagedBytesAreErrorsOrOtherParcels) {
  std::mt19937 random(1);
  const std::string bytes =
      Greeted(ParcelBeginning({{"kind", "outcome"}, {"ending", "exit"}}, 5) + "12345\n");
  for (int i = 0; i < 5000; ++i) {
    std::string damaged = bytes;
    damaged[random() % damaged.size()] = static_cast<char>(random());
    ParcelReader reader;
    reader.Append(damaged);
    const auto parcel = reader.Next();
    if (parcel.ok() && *parcel) EXPECT_LE((*parcel)->body.size(), damaged.size());
  }
}

}  // namespace
}  // namespace culprit::isolate
