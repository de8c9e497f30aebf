// SPDX-License-Identifier: Apache-2.0
#include "tests/house/layering.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::tests {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(LayeringTest, EveryIncludeFollowsAnAllowedArrow) {
  const base::Result<Layers> layers = ReadLayers(ReadFile("tests/layers.txt"));
  ASSERT_TRUE(layers.ok()) << layers.error().Render();
  EXPECT_GE(layers->folders.size(), 5u);
  EXPECT_THAT(FindViolations(*layers, ReadTree("src")), IsEmpty());
}

TEST(LayeringTest, ThePictureInArchitectureIsTrue) {
  const base::Result<Layers> layers = ReadLayers(ReadFile("tests/layers.txt"));
  ASSERT_TRUE(layers.ok()) << layers.error().Render();
  const std::string block = "```layers\n" + DrawLayers(WithoutRooms(*layers)) + "```\n";
  EXPECT_TRUE(ReadFile("ARCHITECTURE.md").find(block) != std::string::npos) << "ARCHITECTURE.md should say:\n"
                                                                            << block;
}

// From here on: that the check above can fail.

constexpr const char* kLayers =
    "outside torch: ATen/ c10/ torch/\n"
    "outside torch/jit: torch/csrc/jit/\n"
    "never: ATen/ATen.h\n"
    "base:\n"
    "graph: base torch\n"
    "graph/text: graph   # not base\n"
    "model: graph torch/jit\n";

// Uses every arrow of kLayers.
std::vector<SourceFile> CleanFiles() {
  return {{"base/text.h", "#include <string>\n"},
          {"graph/ir/graph.h", "#include <ATen/core/Tensor.h>\n#include \"base/text.h\"\n"},
          {"graph/text/script/script.h", "#include \"graph/ir/graph.h\"\n"},
          {"model/model.h", "#include <torch/csrc/jit/ir/ir.h>\n#include \"graph/ir/graph.h\"\n"}};
}

std::vector<std::string> ViolationsWith(std::string path, std::string text) {
  std::vector<SourceFile> files = CleanFiles();
  files.push_back({std::move(path), std::move(text)});
  return FindViolations(*ReadLayers(kLayers), files);
}

TEST(LayeringCheckTest, CleanFilesHaveNoViolations) {
  EXPECT_THAT(FindViolations(*ReadLayers(kLayers), CleanFiles()), IsEmpty());
}

TEST(LayeringCheckTest, AnIncludeThatPointsUpIsFound) {
  EXPECT_THAT(ViolationsWith("base/planted.cc", "\n#include \"graph/ir/graph.h\"\n"),
              ElementsAre("src/base/planted.cc:2: base may not include graph (graph/ir/graph.h)"));
}

TEST(LayeringCheckTest, AnIncludeThatPointsDownButIsNotListedIsFound) {
  EXPECT_THAT(ViolationsWith("graph/text/planted_test.cc", "#include \"base/text.h\"\n"),
              ElementsAre("src/graph/text/planted_test.cc:1: graph/text may not include base (base/text.h)"));
}

TEST(LayeringCheckTest, AnInnerFolderMayNotBeSeenByTheOuterOne) {
  EXPECT_THAT(
      ViolationsWith("graph/planted.cc", "#include \"graph/text/script/script.h\"\n"),
      ElementsAre("src/graph/planted.cc:1: graph may not include graph/text (graph/text/script/script.h)"));
}

TEST(LayeringCheckTest, AnUnlistedSubfolderBelongsToTheFolderAroundIt) {
  EXPECT_THAT(ViolationsWith("base/deep/planted.cc", "#include <c10/core/Device.h>\n"),
              ElementsAre("src/base/deep/planted.cc:1: base may not include torch (c10/core/Device.h)"));
}

TEST(LayeringCheckTest, AnOutsideLibraryHasToBeAskedFor) {
  EXPECT_THAT(ViolationsWith("base/planted.h", "# include <ATen/core/Tensor.h>\n"),
              ElementsAre("src/base/planted.h:1: base may not include torch (ATen/core/Tensor.h)"));
}

TEST(LayeringCheckTest, APartOfALibraryHasToBeAskedForByItsOwnName) {
  EXPECT_THAT(
      ViolationsWith("graph/planted_test.cc",
                     "#include <torch/csrc/jit/ir/ir.h>\n#include <torch/library.h>\n"),
      ElementsAre("src/graph/planted_test.cc:1: graph may not include torch/jit (torch/csrc/jit/ir/ir.h)"));
  EXPECT_THAT(ViolationsWith("model/planted.cc", "#include <torch/library.h>\n"),
              ElementsAre("src/model/planted.cc:1: model may not include torch (torch/library.h)"));
}

TEST(LayeringCheckTest, AForbiddenHeaderIsFoundWhereItsLibraryIsAllowed) {
  EXPECT_THAT(ViolationsWith("graph/planted.cc", "#include <ATen/ATen.h>\n"),
              ElementsAre("src/graph/planted.cc:1: ATen/ATen.h is never included"));
}

TEST(LayeringCheckTest, AFolderThatIsNotListedIsFound) {
  EXPECT_THAT(ViolationsWith("store/planted.cc", ""),
              ElementsAre("src/store/planted.cc: its folder is not listed in tests/layers.txt"));
}

TEST(LayeringCheckTest, ALibraryOfItsOwnHasToBeListed) {
  EXPECT_THAT(ViolationsWith("graph/text/CMakeLists.txt", ""), IsEmpty());
  EXPECT_THAT(ViolationsWith("graph/planted/CMakeLists.txt", ""),
              ElementsAre("src/graph/planted: this library is not listed in tests/layers.txt"));
}

TEST(LayeringCheckTest, ALibraryWhoseRoomsAreListedIsListed) {
  EXPECT_THAT(FindViolations(*ReadLayers("house/room:\n"), {{"house/CMakeLists.txt", ""}}), IsEmpty());
}

TEST(LayeringCheckTest, AFolderMayIncludeWhatItsRoomsMay) {
  const Layers whole = WithoutRooms(*ReadLayers(
      "outside torch: ATen/\nbase: torch\ngraph/ir: base\ngraph/run: graph/ir torch\nmodel: graph/run\n"));
  EXPECT_EQ(DrawLayers(whole),
            DrawLayers(*ReadLayers("outside torch: ATen/\nbase: torch\ngraph: base torch\nmodel: graph\n")));
}

TEST(LayeringCheckTest, AnArrowThatNothingUsesIsFound) {
  std::vector<SourceFile> files = CleanFiles();
  files.pop_back();
  EXPECT_THAT(FindViolations(*ReadLayers(kLayers), files),
              ElementsAre("tests/layers.txt: no file uses the arrow model -> graph",
                          "tests/layers.txt: no file uses the arrow model -> torch/jit"));
}

TEST(LayeringCheckTest, AnArrowThatPointsUpCannotBeListed) {
  const base::Result<Layers> layers = ReadLayers("base: graph\ngraph:\n");
  ASSERT_FALSE(layers.ok());
  EXPECT_EQ(layers.error().Render(),
            "tests/layers.txt:1: error: 'base' may not include 'graph', which is not listed above it");
}

}  // namespace
}  // namespace culprit::tests
