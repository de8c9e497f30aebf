// SPDX-License-Identifier: Apache-2.0
#include "model/load_model.h"

#include <ATen/ops/ones.h>
#include <caffe2/serialize/inline_container.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/runtime/jit_exception.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include "model/inputs/convert_to.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::model {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kFunctions = R"(
def helper(x: Tensor) -> Tensor:
    return torch.relu(x)

def run(x: Tensor, n: int = 2) -> Tensor:
    return helper(x) * n
)";

constexpr const char* kClasses = R"(
def twice(x: Tensor) -> Tensor:
  return x + x
class Layer(Module):
  __parameters__ = ["weight", ]
  __buffers__ = ["calls", ]
  training : bool
  weight : Tensor  # = f32[2,2]=[1,2,3,4]:grad
  calls : Tensor  # = i64[]=0
  factors : List[float]  # = [1, 2]
  bias : Optional[Tensor]
  def forward(self: __torch__.Layer, x: Tensor) -> Tensor:
    torch.add_(self.calls, 1)
    return torch.mul(torch.linear(x, self.weight, self.bias), (self.factors)[1])
class Net(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool  # = True
  layer : __torch__.Layer
  def forward(self: __torch__.Net, x: Tensor) -> Tensor:
    return __torch__.twice((self.layer).forward(x, ))
  def other(self: __torch__.Net) -> int:
    return 3
)";

class LoadModelTest : public testing::Test {
 protected:
  base::Result<LoadedModel> Load(const std::string& name, const std::string& contents,
                                 LoadOptions options = {}) {
    tests::WriteWholeFile(folder_ / name, contents);
    return LoadModel(folder_ / name, options);
  }
  std::string Error(const std::string& name, const std::string& contents) {
    const auto model = Load(name, contents);
    if (model.ok()) return "no error";
    const std::string text = model.error().Render();
    return text.substr(std::min(text.size(), text.find(name)));
  }
  std::string Archive(const std::string& source) {
    const auto model = Load("source.py", source, {.allow_file_operators = true});
    EXPECT_TRUE(model.ok()) << model.error().Render();
    model->module()->save(folder_ / "saved.pt");
    return tests::ReadWholeFile(folder_ / "saved.pt");
  }

  tests::TemporaryFolder folder_;
};

at::Tensor Call(const LoadedModel& model, const std::vector<std::string>& texts) {
  const Entry entry = *model.FindEntry();
  const auto values = BindInputs(*ReadInputs(texts), entry.function->getSchema(), entry.self);
  EXPECT_TRUE(values.ok()) << values.error().Render();
  return (*entry.function)(*values).toTensor();
}

TEST_F(LoadModelTest, FunctionsAreCompiled) {
  const auto model = Load("f.py", kFunctions);
  ASSERT_TRUE(model.ok()) << model.error().Render();
  EXPECT_THAT(model->EntryNames(), ElementsAre("helper", "run"));
  EXPECT_FALSE(model->module());
  EXPECT_EQ(Call(*model, {"f32[2]=[-1,3]"}).sum().item<double>(), 6);
}

TEST_F(LoadModelTest, FunctionsKnowDtypesAndExceptions) {
  const auto model = Load("f.py",
                          "def f(x: Tensor) -> Tensor:\n"
                          "    if x.numel() == 0:\n        raise ValueError('it is empty')\n"
                          "    return x.to(torch.float64) + len(annotate(List[int], []))\n");
  ASSERT_TRUE(model.ok()) << model.error().Render();
  EXPECT_EQ(Call(*model, {"i64[2]=1"}).scalar_type(), at::kDouble);
  EXPECT_THROW(Call(*model, {"i64[0]"}), torch::jit::JITException);
}

TEST_F(LoadModelTest, ClassesBecomeAModuleWithTheValuesOfTheText) {
  const auto model = Load("c.py", kClasses);
  ASSERT_TRUE(model.ok()) << model.error().Render();
  EXPECT_THAT(model->EntryNames(), ElementsAre("forward", "other"));
  EXPECT_TRUE(model->module()->is_training());
  EXPECT_EQ(model->module()->parameters().size(), 1);
  EXPECT_EQ(model->module()->buffers().size(), 1);
  EXPECT_EQ(Call(*model, {"f32[1,2]=1"}).sum().item<double>(), 40);
  EXPECT_EQ(model->module()->attr("layer").toModule().attr("calls").toTensor().item<int64_t>(), 1);
}

TEST_F(LoadModelTest, AnArchiveIsTheSameModel) {
  const auto model = Load("m.pt", Archive(kClasses));
  ASSERT_TRUE(model.ok()) << model.error().Render();
  EXPECT_EQ(Call(*model, {"f32[1,2]=1"}).sum().item<double>(), 40);
}

TEST_F(LoadModelTest, AMethodThatDoesNotExistIsNamedWithThoseThatDo) {
  const auto model = Load("c.py", kClasses);
  EXPECT_THAT(
      model->FindEntry("forwrad").error().Render(),
      HasSubstr("there is no method 'forwrad', did you mean 'forward'?\n  note: there are: forward, other"));
}

TEST_F(LoadModelTest, AnAttributeNeedsAValue) {
  EXPECT_EQ(
      Error("c.py",
            "class Net(Module):\n  w : Tensor\n  def forward(self: __torch__.Net) -> int:\n    return 1\n"),
      "c.py: error: attribute 'w' of class Net has no value\n"
      "  help: write it behind the type: w : Tensor  # = VALUE");
}

TEST_F(LoadModelTest, AValueOfAnotherTypeIsShownInItsLine) {
  EXPECT_EQ(
      Error("c.py",
            "class Net(Module):\n  n : int  # = 1.5\n  def forward(self: __torch__.Net) -> int:\n    "
            "return 1\n"),
      "c.py:2:16: error: attribute 'n': expected int, not float\n    n : int  # = 1.5\n                 ^");
}

TEST_F(LoadModelTest, WhatDoesNotCompileIsAnError) {
  EXPECT_EQ(Error("f.py", "def f(x: Tensor) -> Tensor:\n    return y\n"),
            "f.py:2:12: error: cannot be compiled: undefined value y\n    return y\n           ^");
  EXPECT_EQ(
      Error("f.py", "def f(x: Tensor) -> Tensor:\n    return torch.relu(x, 'a')\n"),
      "f.py:2:12: error: cannot be compiled: Arguments for call are not valid\n"
      "    return torch.relu(x, 'a')\n           ^\n"
      "  note: aten::relu(Tensor self) -> Tensor: Expected at most 1 arguments but found 2 positional "
      "arguments\n"
      "  note: aten::relu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!): Argument out not provided");
  EXPECT_THAT(Error("f.py", "hello"), HasSubstr("f.py: error: "));
  EXPECT_THAT(Error("f.py", ""), HasSubstr("the file is empty"));
  EXPECT_THAT(Error("f.py", "\n\n"), HasSubstr("there is no function in it"));
  EXPECT_THAT(Error("f.py", "class A:\n  x : int\n"), HasSubstr("none of its classes is a Module"));
  EXPECT_THAT(Error("f.py", std::string("def f\0", 6)),
              HasSubstr("is neither an archive of TorchScript nor a source text"));
}

TEST_F(LoadModelTest, AnUnknownOperatorSuggestsItsLibrary) {
  EXPECT_THAT(
      Error("c.py",
            "class Net(Module):\n  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n"
            "    return ops.torchvision.nms(x, x, 0.5)\n"),
      HasSubstr("help: if a library of yours registers it, name that library before: --load-library LIB"));
}

TEST_F(LoadModelTest, FilesWithoutAProgramAreExplained) {
  const std::vector<char> saved = torch::jit::pickle_save(at::ones({2}));
  EXPECT_EQ(Error("x.pt", {saved.begin(), saved.end()}),
            "x.pt: error: holds tensors, but no program\n"
            "  help: in Python, save the program with its weights: torch.jit.script(model).save('model.pt')");
  EXPECT_THAT(Error("x.pt", "\x80\x02}."),
              HasSubstr("is a pickle of Python, where a TorchScript model is expected"));
  const auto missing = LoadModel(folder_ / "none.pt");
  ASSERT_FALSE(missing.ok());
  EXPECT_THAT(missing.error().Render(),
              HasSubstr("none.pt: error: cannot open it: no such file or directory"));
  EXPECT_THAT(LoadModel(folder_.path()).error().Render(), HasSubstr("is a folder where a file is expected"));
}

TEST_F(LoadModelTest, EveryTruncationOfAnArchiveIsAnError) {
  const std::string archive = Archive(kClasses);
  for (size_t length = 4; length < archive.size(); length += 211)
    EXPECT_THAT(Error("m.pt", archive.substr(0, length)), HasSubstr("m.pt: error: ")) << length;
}

TEST_F(LoadModelTest, AnArchiveWithAlteredCodeIsAnError) {
  std::string archive = Archive(kClasses);
  // The last byte of the first file of code, which a descriptor follows.
  const size_t end = archive.find("PK\x07\x08", archive.find("code/__torch__"));
  ASSERT_NE(end, std::string::npos);
  archive[end - 1] ^= 0x55;
  EXPECT_THAT(Error("m.pt", archive), HasSubstr("is a broken zip archive"));
}

TEST_F(LoadModelTest, OperatorsOfOtherLibrariesCanBeNamedInSourceText) {
  EXPECT_TRUE(Load("f.py", "def f(x: Tensor) -> Tensor:\n    return torch.ops.aten.relu(x)\n").ok());
  EXPECT_THAT(Error("f.py", "def f(x: Tensor) -> Tensor:\n    return torch.ops.nobody.relu(x)\n"),
              HasSubstr("f.py:2:12: error: cannot be compiled: Unknown builtin op: nobody::relu"));
}

TEST_F(LoadModelTest, ATensorWithLessBytesThanItClaimsIsAnError) {
  Archive(kClasses);
  caffe2::serialize::PyTorchStreamReader whole(folder_ / "saved.pt");
  caffe2::serialize::PyTorchStreamWriter cut(folder_ / "cut.pt");
  for (const std::string& name : whole.getAllRecords()) {
    const auto [data, size] = whole.getRecord(name);
    if (name != "version" && !name.starts_with("."))
      cut.writeRecord(name, data.get(), name == "data/0" ? 4 : size);
  }
  cut.writeEndOfFile();
  EXPECT_EQ(Error("m.pt", tests::ReadWholeFile(folder_ / "cut.pt")),
            "m.pt: error: is a broken archive: tensor 'cut/data/0' claims 16 bytes and has 4");
}

TEST_F(LoadModelTest, OperatorsThatOpenFilesAreRefused) {
  const std::string text =
      "def f(x: Tensor) -> Tensor:\n    if bool(x.sum() > 0):\n        torch.save(x, 'f')\n    return x\n";
  EXPECT_EQ(Error("f.py", text),
            "f.py:3:9: error: operator 'aten::save' opens a file\n"
            "  help: if you trust the model, add: --allow-file-operators");
  EXPECT_TRUE(Load("f.py", text, {.allow_file_operators = true}).ok());
}

TEST_F(LoadModelTest, AnArchiveThatOpensFilesWhileItIsLoadedIsRefusedBefore) {
  const std::string target = folder_ / "target";
  const std::string archive = Archive(
      "class Net(Module):\n"
      "  training : bool\n"
      "  def __getstate__(self: __torch__.Net) -> int:\n    return 1\n"
      "  def __setstate__(self: __torch__.Net, state: int) -> NoneType:\n"
      "    torch.save(state, '" +
      target +
      "')\n    self.training = False\n    return None\n"
      "  def forward(self: __torch__.Net) -> int:\n    return 1\n");
  EXPECT_THAT(Error("m.pt", archive), HasSubstr("error: operator 'torch.save' opens a file"));
  EXPECT_FALSE(std::filesystem::exists(target));
}

}  // namespace
}  // namespace culprit::model
