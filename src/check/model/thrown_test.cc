// SPDX-License-Identifier: Apache-2.0
#include "check/model/thrown.h"

#include <c10/util/Exception.h>
#include <gtest/gtest.h>

#include "backend/foreign_error.h"
#include "base/internal_error.h"

namespace culprit::check {
namespace {

TEST(ThrownTest, GivesTheMessageOfAnyException) {
  EXPECT_EQ(MessageOfThrown([] {}), std::nullopt);
  EXPECT_EQ(MessageOfThrown([] { throw std::runtime_error("no memory"); }), "no memory");
  EXPECT_EQ(MessageOfThrown([] { TORCH_CHECK(false, "sizes differ"); }), "sizes differ");
  EXPECT_EQ(MessageOfThrown([] { throw 3; }), "something that is no std::exception was thrown");
}

TEST(ThrownTest, ErrorsOfOurOwnPassThrough) {
  EXPECT_THROW(MessageOfThrown([] { CULPRIT_CHECK(false, "a bug"); }), base::InternalError);
}

TEST(ThrownTest, ARequestToAProgramInAnotherLanguagePassesThrough) {
  EXPECT_THROW(CatchThrown([] { throw backend::ForeignRequest(); }), backend::ForeignRequest);
}

}  // namespace
}  // namespace culprit::check
