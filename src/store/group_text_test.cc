// SPDX-License-Identifier: Apache-2.0
#include "store/group_text.h"

#include <ATen/core/Tensor.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "store/content_hash.h"

namespace culprit::store {
namespace {

using graph::TensorSpec;

// With the first line and the last one.
std::string Signed(const std::string& lines) {
  const std::string text = "culprit tensors 1\n" + lines;
  return text + fmt::format("end {}\n", ContentHash::Of(std::as_bytes(std::span(text))).ToString());
}

std::string ErrorOf(const std::string& lines) {
  const auto group = ParseGroup("t", Signed(lines));
  return group.ok() ? "none" : group.error().Render();
}

const std::string kHash = "0123456789abcdef0123456789abcdef";
const std::string kStorage = "storage " + kHash + " 48 cpu Float\n";

// One record of every kind.
const std::string kAll =
    "storage " + kHash +
    " 48 cpu Float\n"
    "storage - 64 meta -\n"
    "storage " +
    kHash +
    " 32 cuda:1 QInt8\n"
    "plain Float storage=0 offset=1 sizes=2,3 strides=3,1 flags=requires_grad,leaf\n"
    "plain ComplexFloat storage=1 offset=0 sizes= strides= flags=leaf,conjugated,negated\n"
    "per_tensor scale=0.1 zero_point=-3\n"
    "part QInt8 storage=2 offset=0 sizes=8 strides=1 flags=leaf\n"
    "per_channel axis=0\n"
    "part QInt8 storage=2 offset=0 sizes=2,4 strides=4,1 flags=leaf\n"
    "part Double storage=0 offset=0 sizes=2 strides=1 flags=leaf\n"
    "part Long storage=0 offset=0 sizes=2 strides=1 flags=\n"
    "sparse sizes=4,5 flags=coalesced,requires_grad,leaf\n"
    "part Long storage=0 offset=0 sizes=2,1 strides=1,1 flags=leaf\n"
    "part Float storage=0 offset=0 sizes=1 strides=1 flags=leaf\n";

TEST(GroupTextTest, EveryKindIsReadAndPrintedAsItWas) {
  const auto group = ParseGroup("t", Signed(kAll));
  ASSERT_TRUE(group.ok()) << group.error().Render();
  ASSERT_EQ(group->tensors.size(), 5U);
  EXPECT_EQ(group->storages[2].device, at::Device("cuda:1"));
  EXPECT_EQ(std::get<TensorSpec>(group->tensors[0]).sizes, (std::vector<int64_t>{2, 3}));
  EXPECT_TRUE(std::get<TensorSpec>(group->tensors[1]).is_negated);
  EXPECT_EQ(std::get<graph::QuantisedPerTensor>(group->tensors[2]).scale, 0.1);
  EXPECT_EQ(std::get<graph::QuantisedPerChannel>(group->tensors[3]).zero_points.dtype, at::kLong);
  EXPECT_TRUE(std::get<graph::SparseCoo>(group->tensors[4]).is_coalesced);
  EXPECT_EQ(PrintGroup(*group), Signed(kAll));
}

TEST(GroupTextTest, ADoubleKeepsItsBits) {
  for (const double scale : {1.0 / 3, 5e-324, 1.7976931348623157e308, -0.0, 1e22}) {
    graph::TensorGroup group;
    group.storages.push_back({.hash = kHash, .bytes = 1, .dtype_hint = at::kQInt8});
    group.tensors.emplace_back(graph::QuantisedPerTensor{.tensor = {.dtype = at::kQInt8}, .scale = scale});
    const auto read = ParseGroup("t", PrintGroup(group));
    ASSERT_TRUE(read.ok()) << read.error().Render();
    EXPECT_EQ(std::signbit(std::get<graph::QuantisedPerTensor>(read->tensors[0]).scale), std::signbit(scale));
    EXPECT_EQ(std::get<graph::QuantisedPerTensor>(read->tensors[0]).scale, scale);
  }
}

TEST(GroupTextTest, AnotherVersion) {
  const std::string text = "culprit tensors 2\n";
  const std::string hash = ContentHash::Of(std::as_bytes(std::span(text))).ToString();
  EXPECT_EQ(ParseGroup("t", text + "end " + hash + "\n").error().Render(),
            "t:1: error: the first line is not 'culprit tensors 1'");
}

TEST(GroupTextTest, WrongLines) {
  EXPECT_EQ(ErrorOf("tensor\n"), "t:2: error: unknown word 'tensor' in 'tensor'");
  EXPECT_EQ(ErrorOf("storage 12 48 cpu Float\n"),
            "t:2: error: a hash has 32 digits in 'storage 12 48 cpu Float'");
  EXPECT_EQ(ErrorOf("storage - x cpu Float\n"), "t:2: error: 'x' is no number in 'storage - x cpu Float'");
  EXPECT_EQ(ErrorOf("storage - -1 cpu Float\n"),
            "t:2: error: a storage of less than no bytes in 'storage - -1 cpu Float'");
  EXPECT_EQ(ErrorOf("storage - 1 gpu Float\n"),
            "t:2: error: unknown device 'gpu' in 'storage - 1 gpu Float'");
  EXPECT_EQ(ErrorOf("storage - 1 cpu float\n"),
            "t:2: error: unknown dtype 'float' in 'storage - 1 cpu float'");
  EXPECT_EQ(ErrorOf("plain Float offset=0\n"), "t:2: error: expected storage= in 'plain Float offset=0'");
  EXPECT_EQ(ErrorOf("sparse sizes=1,,2 flags=\n"),
            "t:2: error: '' is no number in 'sparse sizes=1,,2 flags='");
  EXPECT_EQ(ErrorOf("sparse sizes=1 flags=lief\n"),
            "t:2: error: unknown flag 'lief' in 'sparse sizes=1 flags=lief'");
  EXPECT_EQ(ErrorOf("per_channel axis=0\nplain\n"), "t:3: error: expected a part in 'plain'");
  EXPECT_EQ(ErrorOf("per_tensor scale=99999999999999999999999999999e999 zero_point=0\n"),
            "t:2: error: '99999999999999999999999999999e999' is no number in 'per_tensor "
            "scale=99999999999999999999999999999e999 zero_point=0'");
}

TEST(GroupTextTest, AGroupHasOneText) {
  const std::string tensor = "plain Float storage=0 offset=0 sizes=2 strides=1 flags=";
  EXPECT_EQ(ErrorOf(kStorage + tensor + "\n"), "none");
  for (const std::string& lines :
       {kStorage + tensor + " \n", kStorage + tensor + "leaf,requires_grad\n", tensor + "\n" + kStorage,
        kStorage + "plain Float storage=00 offset=0 sizes=2 strides=1 flags=\n", kStorage + tensor}) {
    EXPECT_EQ(ErrorOf(lines), "t: error: is not written as Culprit writes it") << lines;
  }
}

TEST(GroupTextTest, TensorsThatDoNotFit) {
  const auto error = [](const std::string& sizes_and_strides) {
    return ErrorOf(kStorage + "plain Float " + sizes_and_strides + " flags=\n");
  };
  EXPECT_EQ(
      error("storage=0 offset=1 sizes=3,4 strides=4,1"),
      "t: error: a tensor of sizes (3, 4), strides (4, 1) and offset 1 does not fit its storage of 48 bytes");
  EXPECT_EQ(
      error("storage=0 offset=0 sizes=2 strides=4611686018427387904"),
      "t: error: a tensor of sizes (2), strides (4611686018427387904) and offset 0 does not fit its storage "
      "of 48 bytes");
  EXPECT_EQ(error("storage=0 offset=0 sizes=4294967296,4294967296 strides=0,0"),
            "t: error: no tensor has the sizes (4294967296, 4294967296)");
  EXPECT_EQ(error("storage=0 offset=0 sizes=-1 strides=1"), "t: error: no tensor has the sizes (-1)");
  EXPECT_EQ(error("storage=0 offset=-1 sizes=1 strides=1"),
            "t: error: a tensor with a negative offset or stride");
  EXPECT_EQ(error("storage=0 offset=0 sizes=1 strides="), "t: error: a tensor with 1 sizes and 0 strides");
  EXPECT_EQ(error("storage=1 offset=0 sizes=1 strides=1"), "t: error: a tensor on storage 1 of 1");
  std::string ones = "1";
  for (int i = 0; i < 64; ++i) ones += ",1";
  EXPECT_EQ(error("storage=0 offset=0 sizes=" + ones + " strides=" + ones),
            "t: error: a tensor of 65 dimensions, more than 64");
}

TEST(GroupTextTest, QuantisersThatDoNotFit) {
  const std::string part = " storage=0 offset=0 sizes=2 strides=1 flags=\n";
  EXPECT_EQ(ErrorOf(kStorage + "plain QInt8" + part), "t: error: a plain tensor of dtype QInt8");
  EXPECT_EQ(ErrorOf(kStorage + "per_tensor scale=1 zero_point=0\npart Float" + part),
            "t: error: a quantised tensor of dtype Float");
  const std::string parts = "part QInt8" + part + "part Double" + part;
  EXPECT_EQ(ErrorOf(kStorage + "per_channel axis=1\n" + parts + "part Long" + part),
            "t: error: channels along axis 1 of a tensor of 1 dimensions");
  EXPECT_EQ(ErrorOf(kStorage + "per_channel axis=0\n" + parts +
                    "part Long storage=0 offset=0 sizes=1 strides=1 flags=\n"),
            "t: error: scales or zero points of sizes (1) for 2 channels");
}

}  // namespace
}  // namespace culprit::store
