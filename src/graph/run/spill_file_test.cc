// SPDX-License-Identifier: Apache-2.0
#include "graph/run/spill_file.h"

#include <ATen/ops/arange.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "graph/ir/graph.h"
#include "graph/tensors/tensor_copy.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::graph {
namespace {

size_t MappedSpillFiles() {
  std::ifstream maps("/proc/self/maps");
  size_t count = 0;
  for (std::string line; std::getline(maps, line);) count += line.find("culprit_spill") != std::string::npos;
  return count;
}

at::Tensor Spilled(SpillFile& file, const at::Tensor& tensor) {
  return TensorOn(*file.Copy(tensor.storage()), Geometry::Of(tensor));
}

TEST(SpillFileTest, ContentsComeBackAlsoWhenTheyWereUnloaded) {
  const tests::TemporaryFolder folder;
  const std::shared_ptr<SpillFile> file = *SpillFile::Make(folder.path());
  const at::Tensor large = at::arange(100000, at::kFloat);
  const at::Tensor small = at::arange(7, at::kShort).slice(0, 2, 5);
  const at::Tensor large_copy = Spilled(*file, large);
  const at::Tensor small_copy = Spilled(*file, small);
  EXPECT_TRUE(SameTensor(large, large_copy));
  file->Unload();
  EXPECT_TRUE(SameTensor(large, large_copy));
  EXPECT_TRUE(SameTensor(small, small_copy));
}

TEST(SpillFileTest, AddressesAreAlignedAlike) {
  const tests::TemporaryFolder folder;
  const std::shared_ptr<SpillFile> file = *SpillFile::Make(folder.path());
  for (int64_t size = 1; size < 200; size += 13) {
    const at::Tensor tensor = at::arange(size, at::kByte);
    const at::Tensor copy = Spilled(*file, tensor);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.data_ptr()) % kKeptAlignment,
              reinterpret_cast<uintptr_t>(copy.data_ptr()) % kKeptAlignment);
  }
}

TEST(SpillFileTest, TheFileHasNoNameAndGoesWithTheLastStorage) {
  const tests::TemporaryFolder folder;
  std::shared_ptr<SpillFile> file = *SpillFile::Make(folder.path());
  at::Tensor copy = Spilled(*file, at::arange(1000));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  file.reset();
  EXPECT_EQ(MappedSpillFiles(), 1);
  EXPECT_EQ(copy[999].item<int64_t>(), 999);
  copy.reset();
  EXPECT_EQ(MappedSpillFiles(), 0);
}

TEST(SpillFileTest, AFolderThatIsNotThereIsAnError) {
  const auto file = SpillFile::Make("/nowhere");
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().message, "cannot make a temporary file: No such file or directory");
}

}  // namespace
}  // namespace culprit::graph
