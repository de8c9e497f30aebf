// SPDX-License-Identifier: Apache-2.0
#include "backends/table.h"

#include <ATen/ops/ones.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/graph_builder.h"

namespace culprit::backends {
namespace {

TEST(TableTest, EveryBackendIsFoundByItsName) {
  for (const backend::Kind* kind : AllKinds()) {
    EXPECT_EQ(Describe(kind->description().name)->name, kind->description().name);
    EXPECT_TRUE(Open({kind->description().name}).ok());
  }
}

TEST(TableTest, AnUnknownNameIsAnErrorWithTheNearest) {
  EXPECT_EQ(Open({"eagr"}).error().message, "unknown backend 'eagr', did you mean 'eager'?");
  EXPECT_EQ(Describe("eagr").error().message, "unknown backend 'eagr', did you mean 'eager'?");
}

TEST(TableTest, EagerComputesWhatTheGraphSays) {
  tests::TestGraph g;
  g.Return({g.Call("aten::neg", {g.Placeholder("x")})});
  backend::Values inputs = {at::ones({2})};
  auto backend = Open({"eager"});
  EXPECT_TRUE((*backend)->Compile(g.graph(), inputs)->Call(inputs).at(0).toTensor().equal(-at::ones({2})));
}

TEST(TableTest, ListsTheBuiltInOnesFirst) {
  const std::vector<Listed> listed = List("");
  ASSERT_EQ(listed.size(), AllKinds().size() + 1);
  EXPECT_EQ(listed[0].name, "eager");
  EXPECT_EQ(listed.back().name, "inductor");
}

}  // namespace
}  // namespace culprit::backends
