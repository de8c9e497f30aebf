// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/splice.h"

#include <gtest/gtest.h>

#include "backend/failure/match.h"
#include "check/query/query.h"
#include "check/verdict/sign.h"
#include "graph/ir/verify.h"
#include "graph/run/interpreter.h"
#include "graph/tensors/tensor_copy.h"
#include "tests/lib/graph_builder.h"
#include "tests/minify/hunting.h"

namespace culprit::tests {
namespace {

using minify::Program;

std::optional<backend::FailureSignature> FailureOf(const Program& program, const std::string& backend) {
  repro::Repro repro{program.graph, program.inputs};
  repro.header.backend = backend;
  repro.header.accuracy = repro::Accuracy::kStrict;
  const check::Finding finding = check::SignCheck(check::RunQuery(repro, **check::OpenBackend(repro.header)));
  EXPECT_EQ(finding.invalid, "");
  return finding.failure;
}

TEST(SpliceTest, TheModelFeedsTheSmallProgramAndTheOtherWayRound) {
  const Program model = ReadProgram("models/resnet18");
  const Program small = ReadProgram("real_bugs/conv_avg_pool");
  const Program spliced = Splice(model, small);
  EXPECT_TRUE(graph::Verify(spliced.graph).ok());
  EXPECT_EQ(spliced.graph.outputs().size(), 2u);
  EXPECT_EQ(spliced.graph.placeholders().back().kind, graph::PlaceholderKind::kParameter);
  const auto run = [&](size_t zeroed) {
    std::vector<c10::IValue> inputs = graph::CopyAll(spliced.inputs);
    if (zeroed < inputs.size()) inputs[zeroed].toTensor().zero_();
    return graph::Interpreter(spliced.graph).Run(std::move(inputs));
  };
  const size_t nothing = spliced.inputs.size();
  const auto changes = [&](size_t input, size_t output) {
    return !run(input)[output].toTensor().equal(run(nothing)[output].toTensor());
  };
  EXPECT_TRUE(changes(0, 0)) << "the image of the model, the result of the small program";
  EXPECT_TRUE(changes(nothing - 1, 1)) << "the bias of the small program, the result of the model";
}

TEST(SpliceTest, ASplicedBugFailsAsItDoesAlone) {
  const std::pair<const char*, const char*> bugs[] = {{"conv_avg_pool", "torchscript:stage=ofi"},
                                                      {"pytorch_92563", "torchscript:stage=ofi"},
                                                      {"pytorch_92740", "torchscript:stage=ofi"},
                                                      {"bool_times_one", "torchscript:stage=plain"}};
  const Program model = ReadProgram("models/resnet18");
  for (const auto& [name, compiler] : bugs) {
    const Program bug = ReadProgram(std::string("real_bugs/") + name);
    const auto alone = FailureOf(bug, compiler);
    const auto inside = FailureOf(Splice(model, bug), compiler);
    ASSERT_TRUE(alone && inside) << name;
    // The message of an exception may name values, which are called otherwise in the model.
    EXPECT_TRUE(SameFailure(*alone, *inside, backend::MatchMode::kKind))
        << alone->ToString() << " / " << inside->ToString();
  }
}

TEST(SpliceTest, ModelsPassAlone) {
  for (const char* name : {"resnet18", "mobilenet_v2", "transformer12"})
    EXPECT_FALSE(FailureOf(ReadProgram(std::string("models/") + name), "torchscript:stage=ofi")) << name;
}

}  // namespace
}  // namespace culprit::tests
