// SPDX-License-Identifier: Apache-2.0
#include "ranks/invitation.h"

#include <gtest/gtest.h>

namespace culprit::ranks {
namespace {

TEST(InvitationTest, ComesBackAsItWas) {
  const std::string bytes = BytesOf({.host = "node7", .port = 41233, .machine = "abc/4026531840"});
  EXPECT_EQ(bytes.size(), kInvitationBytes);
  const auto read = InvitationOf(bytes);
  EXPECT_EQ(read->host, "node7");
  EXPECT_EQ(read->port, 41233);
  EXPECT_EQ(read->machine, "abc/4026531840");
  EXPECT_EQ(read->refusal, "");
}

TEST(InvitationTest, ALongRefusalIsCut) {
  EXPECT_EQ(InvitationOf(BytesOf({.refusal = std::string(5000, 'x')}))->refusal, std::string(250, 'x'));
}

TEST(InvitationTest, SomethingElseThatWasBroadcastIsAnError) {
  const std::string error =
      "error: rank 0 has broadcast something else than where the ranks meet\n"
      "  help: let all ranks make the same collective calls, culprit::Compile with ranks among them";
  for (const std::string bytes : {"", "\x01\x02", "[1]", "{}", R"({"host": 1, "port": "x"})"}) {
    EXPECT_EQ(InvitationOf(bytes).error().Render(), error) << bytes;
  }
}

TEST(InvitationTest, AProcessKnowsItsMachineAgain) {
  EXPECT_EQ(ThisMachine(), ThisMachine());
  EXPECT_NE(ThisMachine(), "");
}

}  // namespace
}  // namespace culprit::ranks
