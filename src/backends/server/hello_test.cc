// SPDX-License-Identifier: Apache-2.0
#include "backends/server/hello.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::backends::server {
namespace {

nlohmann::json Answer(int protocol) {
  return {{"protocol", protocol},
          {"line", "a compiler"},
          {"versions", nlohmann::json::object()},
          {"graphs", {"aot"}},
          {"parameters", "lifted"},
          {"symbols", false},
          {"calls", 1},
          {"options", nlohmann::json::array()},
          {"switches", nlohmann::json::array()}};
}

TEST(HelloTest, AServerOfTheFirstProtocolGivesNoGradients) {
  const auto hello = ReadHello("mine", Answer(1));
  ASSERT_TRUE(hello.ok()) << hello.error().Render();
  EXPECT_FALSE(hello->gives_gradients);
  nlohmann::json answer = Answer(1);
  answer["gradients"] = true;
  EXPECT_FALSE(ReadHello("mine", answer)->gives_gradients) << "it knows no question about them";
}

TEST(HelloTest, AServerOfTheSecondOneMay) {
  nlohmann::json answer = Answer(2);
  EXPECT_FALSE(ReadHello("mine", answer)->gives_gradients);
  answer["gradients"] = true;
  answer["graphs"] = {"captured", "below"};
  const auto hello = ReadHello("mine", answer);
  EXPECT_TRUE(hello->gives_gradients);
  EXPECT_THAT(hello->description.graphs,
              testing::ElementsAre(backend::Graphs::kCaptured, backend::Graphs::kBelow));
}

TEST(HelloTest, AServerOfANewerOneIsRefusedWithBothNumbers) {
  EXPECT_EQ(
      ReadHello("mine", Answer(3)).error().Render(),
      "backend 'mine': error: its server speaks version 3 of the protocol, and Culprit versions 1 to 2");
}

TEST(HelloTest, WhatFreezesHasToBeAnOption) {
  nlohmann::json answer = Answer(2);
  answer["freezes_with"] = "freezing";
  EXPECT_EQ(ReadHello("mine", answer).error().message,
            "its server freezes with 'freezing', which is no option");
  answer["options"] = {{{"name", "freezing"}, {"default", "0"}, {"line", "constants"}}};
  EXPECT_EQ(ReadHello("mine", answer)->freezes_with, "freezing");
}

}  // namespace
}  // namespace culprit::backends::server
