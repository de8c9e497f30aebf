// SPDX-License-Identifier: Apache-2.0
#include "model/inputs/tensor_file.h"

#include <ATen/core/Dict.h>
#include <ATen/ops/arange.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include "model/inputs/input_text.h"
#include "store/store.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::model {
namespace {

using testing::HasSubstr;

std::string Saved(const c10::IValue& value) {
  const std::vector<char> bytes = torch::jit::pickle_save(value);
  return {bytes.begin(), bytes.end()};
}

class TensorFileTest : public testing::Test {
 protected:
  base::Result<Input> Read(const std::string& text) {
    return InputReader({.name = "--inputs", .folder = folder_.path()}).Read(text);
  }
  std::string Error(const std::string& text) {
    const auto input = Read(text);
    return input.ok() ? "no error" : input.error().Render();
  }

  tests::TemporaryFolder folder_;
};

TEST_F(TensorFileTest, WhatTorchSaveWroteIsRead) {
  const at::Tensor tensor = at::arange(6).view({2, 3}).t();
  tests::WriteWholeFile(folder_ / "x.pt", Saved(tensor));
  const auto input = Read("[file:x.pt, file:'x.pt']");
  ASSERT_TRUE(input.ok()) << input.error().Render();
  EXPECT_TRUE(input->value.toListRef()[1].toTensor().equal(tensor));
  EXPECT_EQ(input->value.toListRef()[0].toTensor().strides(), tensor.strides());
}

TEST_F(TensorFileTest, TensorsOfAStoreAreRead) {
  const auto store = store::Store::Create(folder_ / "store");
  ASSERT_TRUE(store.ok());
  ASSERT_TRUE(store->WriteTensor("one", at::arange(3)).ok());
  ASSERT_TRUE(store->WriteTensors("two", {at::arange(3), at::arange(4)}).ok());
  EXPECT_TRUE(Read("file:store/tensors/one")->value.toTensor().equal(at::arange(3)));
  EXPECT_EQ(Read("file:store/tensors/two")->value.toTensorVector().size(), 2);
}

TEST_F(TensorFileTest, ContainersOfTensorsAreRead) {
  const at::Tensor tensor = at::arange(4);
  c10::Dict<std::string, at::Tensor> dict;
  dict.insert("a", tensor);
  dict.insert("b", tensor.slice(0, 1, 3));
  tests::WriteWholeFile(folder_ / "x.pt",
                        Saved(c10::ivalue::Tuple::create({dict, 7, -2.5, "text", true, c10::IValue()})));
  const auto input = Read("file:x.pt");
  ASSERT_TRUE(input.ok()) << input.error().Render();
  const auto& elements = input->value.toTupleRef().elements();
  const c10::impl::GenericDict read = elements[0].toGenericDict();
  EXPECT_TRUE(read.at("b").toTensor().equal(tensor.slice(0, 1, 3)));
  EXPECT_EQ(elements[1].toInt(), 7);
  EXPECT_EQ(elements[2].toDouble(), -2.5);
  EXPECT_EQ(elements[3].toStringRef(), "text");
  EXPECT_TRUE(elements[4].toBool());
  EXPECT_TRUE(elements[5].isNone());
}

TEST_F(TensorFileTest, ErrorsNameTheFile) {
  EXPECT_THAT(Error("file:none.pt"), HasSubstr("none.pt: cannot open it: no such file or directory"));
  EXPECT_THAT(Error("file:"), HasSubstr("expected a path"));
  tests::WriteWholeFile(folder_ / "text.pt", "hello");
  EXPECT_THAT(Error("file:text.pt"), HasSubstr("is neither a file of torch.save() nor one of a store"));
}

TEST_F(TensorFileTest, EveryTruncationIsAnError) {
  const std::string saved = Saved(at::arange(6));
  for (size_t length = 1; length < saved.size(); length += 97) {
    tests::WriteWholeFile(folder_ / "x.pt", saved.substr(0, length));
    EXPECT_THAT(Error("file:x.pt"), HasSubstr("error: ")) << length;
  }
}

}  // namespace
}  // namespace culprit::model
