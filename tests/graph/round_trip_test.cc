// SPDX-License-Identifier: Apache-2.0
//
// parse(print(g)) == g, on random graphs and on the joint graphs of models.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "graph/analysis/structural_hash.h"
#include "graph/ir/verify.h"
#include "graph/text/script/script.h"
#include "tests/lib/fixtures.h"
#include "tests/lib/random_graph.h"
#include "tests/lib/volume.h"

namespace culprit::tests {
namespace {

using graph::text::PrintScript;
using graph::text::ReadScript;
using graph::text::Script;

void ExpectRoundTrip(const Script& script, const std::string& name) {
  const base::Result<std::string> text = PrintScript(script);
  ASSERT_TRUE(text.ok()) << name << ": " << text.error().message;
  const base::Result<Script> again = ReadScript(name, *text);
  ASSERT_TRUE(again.ok()) << again.error().Render();
  EXPECT_TRUE(again->graph == script.graph) << name;
  EXPECT_EQ(again->inputs, script.inputs) << name;
  EXPECT_EQ(StructuralHash(again->graph), StructuralHash(script.graph)) << name;
  EXPECT_EQ(*PrintScript(*again), *text) << name;
}

TEST(RoundTrip, RandomGraphs) {
  std::set<std::string> operators;
  const int count = Volume(/*sample=*/500, /*full=*/5000);
  for (int seed = 0; seed < count; ++seed) {
    const RandomGraph random = MakeRandomGraph(seed);
    for (const graph::Node& node : random.graph.nodes()) operators.insert(node.op->qualified_name());
    ExpectRoundTrip({random.graph, std::nullopt}, fmt::format("seed {}", seed));
  }
  fmt::print("{} graphs, {} different operators\n", count, operators.size());
  EXPECT_GE(operators.size(), 200u);
}

TEST(RoundTrip, JointGraphsOfModels) {
  for (const std::string& path : FixturesIn("joint")) ExpectRoundTrip(ReadFixtureScript(path), path);
}

TEST(RoundTrip, ScriptsWithHazards) {
  for (const std::string& path : FixturesIn("scripts")) ExpectRoundTrip(ReadFixtureScript(path), path);
}

// Small, since the fuzzer tries many variations of each.
TEST(RoundTrip, SeedsOfTheFuzzer) {
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/fuzz/seeds/script")) {
    const std::string path = entry.path().string();
    const std::string text = ReadFixture(path);
    EXPECT_LE(text.size(), 400u) << path;
    const base::Result<Script> script = ReadScript(path, text, {.which = 1});
    const bool is_broken = entry.path().filename().string().starts_with("broken_");
    EXPECT_EQ(script.ok(), !is_broken) << (script.ok() ? path : script.error().Render());
    if (script.ok()) ExpectRoundTrip(*script, path);
    ++count;
  }
  EXPECT_GE(count, 15u);
}

TEST(Fixtures, EveryScriptGivesAValidGraph) {
  for (const char* folder : {"joint", "scripts"}) {
    for (const std::string& path : FixturesIn(folder)) {
      const base::Status status = Verify(ReadFixtureScript(path).graph);
      EXPECT_TRUE(status.ok()) << path << ": " << status.error().message;
    }
  }
}

}  // namespace
}  // namespace culprit::tests
