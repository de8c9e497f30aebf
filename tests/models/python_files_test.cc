// SPDX-License-Identifier: Apache-2.0
//
// Files that Python wrote (tests/python/save_files.py), as models and as inputs.
#include <ATen/ops/arange.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/inputs/input_text.h"
#include "model/load_model.h"
#include "tests/lib/run_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

using testing::HasSubstr;

class PythonFilesTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    const ProgramRun run = RunProgram({CULPRIT_PYTHON, "tests/python/save_files.py", folder_->path()});
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }
  static void TearDownTestSuite() { delete folder_; }

  static base::Result<model::Input> Read(const std::string& name) {
    return model::InputReader({.folder = folder_->path()}).Read("file:" + name + ".pt");
  }
  static c10::IValue Value(const std::string& name) {
    base::Result<model::Input> input = Read(name);
    EXPECT_TRUE(input.ok()) << input.error().Render();
    return input.ok() ? input->value : c10::IValue();
  }
  static std::string LoadError(const std::string& name) {
    const auto model = model::LoadModel(*folder_ / (name + ".pt"));
    return model.ok() ? "no error" : model.error().message;
  }

  static inline TemporaryFolder* folder_ = nullptr;
  const at::Tensor x_ = at::arange(6.0, at::kFloat).reshape({2, 3}).t();
};

TEST_F(PythonFilesTest, TensorsComeBackWithTheirGeometry) {
  EXPECT_TRUE(Value("tensor").toTensor().equal(x_));
  EXPECT_EQ(Value("tensor").toTensor().strides(), x_.strides());
  EXPECT_EQ(Value("bfloat16").toTensor().scalar_type(), at::kBFloat16);
  EXPECT_TRUE(Value("view").toTensor().equal(x_.slice(0, 1)));
  EXPECT_TRUE(Value("parameter").toTensor().requires_grad());
}

TEST_F(PythonFilesTest, ContainersComeBack) {
  const c10::IValue list = Value("list");
  EXPECT_TRUE(list.toListRef()[0].toTensor().is_alias_of(list.toListRef()[1].toTensor()));
  EXPECT_EQ(Value("tuple").toTupleRef().elements()[3].toStringRef(), "text");
  EXPECT_TRUE(Value("one_element").toGenericDict().at("a").toTensor().equal(x_));
  EXPECT_EQ(Value("ordered").toGenericDict().at("b").toInt(), int64_t{1} << 40);
  EXPECT_EQ(Value("state_dict").toGenericDict().at("weight").toTensor().numel(), 6);
}

TEST_F(PythonFilesTest, ObjectsAreNoInputs) {
  EXPECT_THAT(Read("module").error().message, HasSubstr("an object of 'torch.nn.modules.linear.Linear'"));
  EXPECT_THAT(Read("old_format").error().message,
              HasSubstr("is neither a file of torch.save() nor one of a store"));
}

TEST_F(PythonFilesTest, ProgramsAreModelsAndNothingElseIs) {
  EXPECT_EQ(LoadError("scripted"), "no error");
  EXPECT_EQ(LoadError("traced"), "no error");
  EXPECT_EQ(LoadError("state_dict"), "holds tensors, but no program");
  EXPECT_EQ(LoadError("module"), "holds tensors, but no program");
  EXPECT_EQ(LoadError("old_format"),
            "is a file of tensors in PyTorch's old format, where a TorchScript model is expected");
}

}  // namespace
}  // namespace culprit::tests
