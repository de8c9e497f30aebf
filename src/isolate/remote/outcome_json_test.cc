// SPDX-License-Identifier: Apache-2.0
#include "isolate/remote/outcome_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::isolate {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;

const Outcome kOutcomes[] = {
    {.ending = Returned{{"an answer\0with a zero"s}}, .phase = "compare", .wall_time = 5ms},
    {.ending = Exception{"std::runtime_error", "no"}, .phase = "compile"},
    {.ending = NonstandardThrow{"int"}, .phase = "call 1"},
    {.ending = Signal{.number = 11,
                      .address_class = AddressClass::kNullPage,
                      .address = 8,
                      .frames = {{"/lib/libmine.so", 0x1234, "mine::Fold(int)"}, {"", 5, ""}},
                      .last_words = "std::bad_alloc: std::bad_alloc"},
     .output = "before",
     .output_bytes = 6},
    {.ending = Timeout{Clock::kCpu, 3s}},
    {.ending = MemoryLimit{100, 200}},
    {.ending = Exit{7}},
    {.ending = Garbage{"received 3 bytes"}},
};

TEST(OutcomeJsonTest, EveryEndingArrivesAsItIs) {
  for (const Outcome& outcome : kOutcomes) {
    const Outcome arrived = *OutcomeFromParcel(OutcomeToParcel(outcome));
    EXPECT_EQ(arrived.ToString(), outcome.ToString());
    EXPECT_EQ(arrived.ending.index(), outcome.ending.index());
    EXPECT_EQ(arrived.phase, outcome.phase);
    EXPECT_EQ(arrived.output, outcome.output);
    EXPECT_EQ(arrived.wall_time, outcome.wall_time);
    // Nothing of it is left out.
    EXPECT_EQ(OutcomeToParcel(arrived).head, OutcomeToParcel(outcome).head);
    EXPECT_EQ(OutcomeToParcel(arrived).body, OutcomeToParcel(outcome).body);
  }
}

TEST(OutcomeJsonTest, OutputThatIsNoTextArrivesAsText) {
  Parcel parcel = OutcomeToParcel({.ending = Exit{0}, .output = "\xff\xfe"});
  const std::string bytes = ParcelBeginning(parcel.head, 0) + "\n";
  ParcelReader reader;
  reader.Append(kGreeting);
  reader.Append(bytes);
  EXPECT_EQ(OutcomeFromParcel(**reader.Next())->output, "\uFFFD\uFFFD");
}

TEST(OutcomeJsonTest, WhatIsNoneIsAnError) {
  const Parcel whole = OutcomeToParcel(kOutcomes[3]);
  for (const auto& [key, value] : whole.head.items()) {
    if (key == "kind") continue;
    Parcel without = whole;
    without.head.erase(key);
    EXPECT_FALSE(OutcomeFromParcel(without).ok()) << key;
    Parcel of_another_type = whole;
    of_another_type.head[key] = ParcelHead::object();
    EXPECT_FALSE(OutcomeFromParcel(of_another_type).ok()) << key;
  }
}

TEST(OutcomeJsonTest, NumbersThatAreNoneOfOursAreHarmless) {
  Parcel parcel = OutcomeToParcel(kOutcomes[3]);
  parcel.head["address_class"] = 1000000;
  for (int i = 0; i < 1000; ++i) parcel.head["frames"].push_back({"m", 1, "f"});
  const Outcome outcome = *OutcomeFromParcel(parcel);
  EXPECT_EQ(std::get<Signal>(outcome.ending).address_class, AddressClass::kNone);
  EXPECT_LE(std::get<Signal>(outcome.ending).frames.size(), 64);
}

TEST(OutcomeJsonTest, LimitsArriveAsTheyAre) {
  const Limits limits{.wall_time = 3s,
                      .cpu_time = 4s,
                      .memory_bytes = 5,
                      .output_bytes = 6,
                      .growth = {.time = 7, .memory = 8, .most_memory_bytes = 9}};
  EXPECT_EQ(LimitsToJson(LimitsFromJson(LimitsToJson(limits))), LimitsToJson(limits));
  EXPECT_EQ(LimitsToJson(LimitsFromJson(LimitsToJson({}))), LimitsToJson({}));
  EXPECT_EQ(LimitsFromJson(LimitsToJson(limits)).wall_time, 3s);
}

}  // namespace
}  // namespace culprit::isolate
