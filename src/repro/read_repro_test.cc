// SPDX-License-Identifier: Apache-2.0
#include "repro/read_repro.h"

#include <ATen/ops/full.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "repro/write_repro.h"
#include "tests/lib/graph_builder.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::repro {
namespace {

using testing::HasSubstr;

class ReadReproTest : public testing::Test {
 protected:
  base::Result<LoadedRepro> Load(const std::string& text, const ReadOptions& options = {}) {
    base::Result<ReadRepro> read = OpenRepro(folder_ / "repro.py", text, options);
    if (!read.ok()) return read.error();
    return LoadRepro(*std::move(read), options);
  }

  std::string ErrorOf(const std::string& text, const ReadOptions& options = {}) {
    const auto loaded = Load(text, options);
    return loaded.ok() ? "no error" : loaded.error().Render();
  }

  // With its data in the store.
  std::string Write(const graph::Graph& graph, std::vector<c10::IValue> inputs) {
    return WriteRepro(folder_ / "repro.py", {graph, std::move(inputs), {}}, {.inline_elements = 0})->text;
  }

  std::string NoStore() const {
    return folder_ / "store" +
           ": error: cannot open the folder: no such file or directory\n"
           "  help: put the folder with the data there, or name another with: --store DIR";
  }

  tests::TemporaryFolder folder_;
};

TEST_F(ReadReproTest, InputsWhoseStoreIsMissingAreAnErrorThatNamesTheFolder) {
  tests::TestGraph g;
  g.Return({g.Call("aten::relu", {g.Placeholder("x")})});
  const std::string text = Write(g.graph(), {at::full({4}, 1.0F)});
  EXPECT_TRUE(Load(text).ok());
  std::filesystem::remove_all(folder_ / "store");
  EXPECT_EQ(ErrorOf(text), NoStore());
}

TEST_F(ReadReproTest, ConstantsWhoseStoreIsMissingAreTheSameError) {
  tests::TestGraph g;
  g.Return({g.Constant("c", at::full({4}, 1.0F))});
  const std::string text = Write(g.graph(), {});
  EXPECT_EQ(Load(text)->repro.graph.constants()[0].tensor.sum().item<float>(), 4);
  std::filesystem::rename(folder_ / "store", folder_ / "elsewhere");
  EXPECT_THAT(ErrorOf(text), HasSubstr("error: constant 'c': cannot open the folder: no such file"));
  EXPECT_TRUE(OpenRepro(folder_ / "repro.py", text).ok());
  EXPECT_TRUE(Load(text, {.store = folder_ / "elsewhere"}).ok());
}

TEST_F(ReadReproTest, AStoreThatWasNamedHasToExist) {
  EXPECT_EQ(
      ErrorOf("class Repro:\n    def forward(self):\n        return ()\n", {.store = folder_ / "absent"}),
      folder_ / "absent" + ": error: cannot open the folder: no such file or directory");
}

// PyTorch's scripts name hashes whether or not the data was saved.
TEST_F(ReadReproTest, AFolderBesideAScriptNeedNotBeItsStore) {
  const std::string text =
      "class Repro:\n    def forward(self, x):\n        return (x,)\n"
      "def load_args(reader):\n"
      "    buf0 = reader.storage('0123456789012345678901234567890123456789', 16)\n"
      "    reader.tensor(buf0, (4,))\nload_args._version = 0\n";
  for (const char* made : {"store", "store/storages"}) {
    std::filesystem::create_directories(folder_ / made);
    const auto loaded = Load(text);
    ASSERT_TRUE(loaded.ok()) << loaded.error().Render();
    EXPECT_EQ(loaded->random, std::vector<std::string>{"x"});
  }
  EXPECT_THAT(ErrorOf(text, {.store = folder_ / "store"}),
              HasSubstr("0123456789012345678901234567890123456789: error: cannot open it: no such file"));
}

TEST_F(ReadReproTest, WhatPyTorchWritesAfterAotRunsWithoutGradients) {
  const std::string graph = "class Repro:\n    def forward(self):\n        return ()\n";
  const std::string main =
      "if __name__ == '__main__':\n"
      "    from torch._dynamo.repro.after_aot import run_repro\n"
      "    with torch.no_grad():\n"
      "        run_repro(mod, load_args)\n";
  EXPECT_TRUE(OpenRepro("repro.py", graph)->header.run.grad);
  EXPECT_FALSE(OpenRepro("repro.py", graph + main)->header.run.grad);
}

TEST_F(ReadReproTest, WhatPyTorchWritesAfterAotNamesInductorAndItsStore) {
  const std::string text =
      "class Repro:\n    def forward(self, x):\n        return (x,)\n"
      "def load_args(reader):\n"
      "    buf0 = reader.storage('0123456789012345678901234567890123456789', 16)\n"
      "    reader.tensor(buf0, (4,))\nload_args._version = 0\n"
      "if __name__ == '__main__':\n"
      "    from torch._dynamo.repro.after_aot import run_repro\n"
      "    run_repro(mod, load_args, accuracy=True, check_str='range', save_dir='/elsewhere/checkpoints')\n";
  EXPECT_FALSE(OpenRepro(folder_ / "launcher.py", text)->store);
  std::filesystem::create_directories(folder_ / "checkpoints/storages");
  const auto read = OpenRepro(folder_ / "launcher.py", text);
  EXPECT_EQ(read->header.backend, "inductor:graphs=below");
  EXPECT_EQ(read->header.accuracy, Accuracy::kStrict);
  EXPECT_EQ(read->header.settings.at(kCheckTextSetting), "range");
  EXPECT_TRUE(read->store) << "the folder moved with the file";
}

TEST_F(ReadReproTest, SharedMemoryIsNotComparedInWhatPyTorchWritesAfterAot) {
  const std::string graph = "class Repro:\n    def forward(self):\n        return ()\n";
  const std::string main = "from torch._dynamo.repro.after_aot import run_repro\n";
  EXPECT_TRUE(OpenRepro("repro.py", graph)->header.compare.compare_aliasing);
  EXPECT_FALSE(OpenRepro("repro.py", graph + main)->header.compare.compare_aliasing);
  const std::string pasted = "import torch\nisolate_fails_code_str = None\n" + graph;
  EXPECT_FALSE(OpenRepro("repro.py", pasted)->header.compare.compare_aliasing);
}

}  // namespace
}  // namespace culprit::repro
