// SPDX-License-Identifier: Apache-2.0
#include "repro/pack.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/ir/graph.h"
#include "tests/lib/graph_builder.h"

namespace culprit::repro {
namespace {

using graph::ValueId;
using testing::HasSubstr;

/// relu(x) with one input.
Repro ReproOf(c10::IValue input) {
  tests::TestGraph g;
  g.Return({g.Call("aten::relu", {g.Placeholder("x")})});
  return {g.graph(), {std::move(input)}};
}

/// x + constant.
Repro WithConstant(const at::Tensor& constant) {
  tests::TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::add.Tensor", {x, g.Constant("c", constant)})});
  return {g.graph(), {at::ones({2})}};
}

base::Result<Repro> UnpackAll(const PackedRepro& packed) {
  return Unpack(packed.text, packed.storages.size(), [&](size_t i) { return packed.storages[i].bytes; });
}

Repro Travel(const Repro& repro) {
  const base::Result<PackedRepro> packed = Pack(repro);
  EXPECT_TRUE(packed.ok()) << packed.error().message;
  base::Result<Repro> unpacked = UnpackAll(*packed);
  EXPECT_TRUE(unpacked.ok()) << unpacked.error().Render();
  return *std::move(unpacked);
}

at::Tensor TensorThatTravelled(const at::Tensor& tensor) {
  return Travel(ReproOf(tensor)).inputs.at(0).toTensor();
}

TEST(PackTest, TensorsComeBackAsTheyWere) {
  const at::Tensor base = at::randn({6, 4});
  for (const at::Tensor& tensor :
       {base, base.t(), base.slice(0, 1, 6, 2), base.select(1, 3), at::zeros({0, 3}), at::ones({}),
        base.to(at::kBFloat16), base.to(at::kComplexDouble)})
    EXPECT_TRUE(graph::SameTensor(TensorThatTravelled(tensor), tensor)) << tensor.toString();
}

TEST(PackTest, TensorsWithoutMemoryCannotBeUnpacked) {
  const base::Result<PackedRepro> packed = Pack(ReproOf(at::empty({2, 3}, at::TensorOptions(at::kMeta))));
  ASSERT_TRUE(packed.ok());
  EXPECT_EQ(UnpackAll(*packed).error().message, "an input is on meta, which this machine lacks");
}

TEST(PackTest, GradientsAreWantedAsBefore) {
  EXPECT_TRUE(TensorThatTravelled(at::ones({2}).requires_grad_(true)).requires_grad());
  EXPECT_FALSE(TensorThatTravelled(at::ones({2})).requires_grad());
}

TEST(PackTest, LargeStoragesAreNotCopied) {
  const at::Tensor large = at::randn({1 << 20});
  const PackedRepro packed = *Pack(ReproOf(large));
  ASSERT_EQ(packed.storages.size(), 1u);
  EXPECT_EQ(static_cast<const void*>(packed.storages[0].bytes.data()), large.data_ptr());
  EXPECT_EQ(packed.storages[0].bytes.size(), size_t{4} << 20);
  EXPECT_LT(packed.text.size(), 2000u);
  EXPECT_TRUE(TensorThatTravelled(large).equal(large));
}

TEST(PackTest, TheMemoryIsKeptThoughTheReproIsGone) {
  std::optional<Repro> repro = ReproOf(at::arange(1000));
  const PackedRepro packed = *Pack(*repro);
  repro.reset();
  EXPECT_TRUE(UnpackAll(packed)->inputs.at(0).toTensor().equal(at::arange(1000)));
}

TEST(PackTest, InputsThatShareMemoryShareItAgain) {
  tests::TestGraph g;
  g.Return({g.Call("aten::add.Tensor", {g.Placeholder("x"), g.Placeholder("y")})});
  const at::Tensor base = at::randn({8});
  const Repro travelled = Travel({g.graph(), {base.slice(0, 0, 4), base.slice(0, 2, 6)}});
  const at::Tensor x = travelled.inputs[0].toTensor(), y = travelled.inputs[1].toTensor();
  x.fill_(7);
  EXPECT_EQ(y[1].item<float>(), 7);
}

TEST(PackTest, InputsAreCopiesAndConstantsAreNot) {
  const Repro repro = WithConstant(at::ones({2}));
  const PackedRepro packed = *Pack(repro);
  const Repro travelled = *UnpackAll(packed);
  EXPECT_NE(travelled.inputs[0].toTensor().data_ptr(), repro.inputs[0].toTensor().data_ptr());
  EXPECT_EQ(travelled.graph.constants()[0].tensor.data_ptr(), repro.graph.constants()[0].tensor.data_ptr());
}

TEST(PackTest, ConstantsComeBack) {
  const at::Tensor base = at::randn({300, 3});
  for (const at::Tensor& constant : {base, base.t(), base.slice(0, 5, 200, 3), at::arange(3), at::ones({})}) {
    const Repro travelled = Travel(WithConstant(constant));
    ASSERT_EQ(travelled.graph.constants().size(), 1u);
    EXPECT_TRUE(graph::SameTensor(travelled.graph.constants()[0].tensor, constant)) << constant.toString();
  }
}

TEST(PackTest, ValuesThatAreNoTensorsComeBack) {
  tests::TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId n = g.Placeholder("n", graph::PlaceholderKind::kInput, graph::ValueKind::kInt);
  g.Return({g.Call("aten::add.Scalar", {x, n})});
  EXPECT_EQ(Travel({g.graph(), {at::ones({2}), -7}}).inputs.at(1).toInt(), -7);
}

TEST(PackTest, TheHeaderTravelsToo) {
  Repro repro = ReproOf(at::ones({2}));
  repro.header = {.backend = "torchscript:stage=ofi", .faults = {"relu:nan"}, .calls = 3};
  repro.header.run = {.grad = false, .autocast = Autocast{}, .seed = UINT64_MAX};
  repro.header.accuracy = Accuracy::kStrict;
  repro.header.compare.tolerance = 0.1 + 0.2;
  repro.header.expected = R"({"phase": "compile", "kind": "exception"})";
  const Header header = Travel(repro).header;
  EXPECT_EQ(HeaderToJson(header), HeaderToJson(repro.header));
  EXPECT_EQ(header.run, repro.header.run);
  EXPECT_EQ(header.compare.tolerance, 0.1 + 0.2);
}

TEST(PackTest, MissingAndShortStoragesAreRefused) {
  const PackedRepro packed = *Pack(ReproOf(at::ones({4})));
  const auto none = [](size_t) { return std::span<const std::byte>(); };
  EXPECT_THAT(Unpack(packed.text, 0, none).error().message,
              HasSubstr("there is no storage '00000000000000000000000000000000'"));
  EXPECT_THAT(Unpack(packed.text, 1, none).error().message,
              HasSubstr("storage '00000000000000000000000000000000' has 0 bytes, not 16"));
}

TEST(PackTest, JunkIsRefused) {
  const auto none = [](size_t) { return std::span<const std::byte>(); };
  for (const char* junk : {"", "class", "\xff\xfe", "def load_args(reader):\n    pass\n"})
    EXPECT_FALSE(Unpack(junk, 0, none).ok()) << junk;
}

TEST(PackTest, AScriptWithoutInputsIsRefused) {
  const auto none = [](size_t) { return std::span<const std::byte>(); };
  const char* script =
      "class Repro(torch.nn.Module):\n"
      "    def forward(self, x):\n"
      "        return (x,)\n";
  EXPECT_EQ(Unpack(script, 0, none).error().message, "the request does not say what its inputs are");
}

}  // namespace
}  // namespace culprit::repro
