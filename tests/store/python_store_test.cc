// SPDX-License-Identifier: Apache-2.0
//
// Storages that Python wrote, and Culprit's in Python's hands (tests/python/content_store.py).
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "store/sha1.h"
#include "store/store.h"
#include "tests/lib/run_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::store {
namespace {

using tests::ProgramRun;
using tests::TemporaryFolder;

ProgramRun RunPython(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {CULPRIT_PYTHON, "tests/python/content_store.py"});
  return tests::RunProgram(arguments);
}

struct Written {
  std::string hash;
  int64_t bytes = 0;
};

std::vector<Written> ParseLines(const std::string& text) {
  std::vector<Written> lines;
  std::istringstream stream(text);
  for (Written line; stream >> line.hash >> line.bytes;) lines.push_back(line);
  return lines;
}

TEST(PythonStoreTest, StoragesThatTorchSavedAreReadAndVerified) {
  const TemporaryFolder place;
  const ProgramRun run = RunPython({"write", place / "store"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  std::vector<Written> written = ParseLines(run.out);
  ASSERT_EQ(written.size(), 18U);
  const Store store = *Store::Open(place / "store");
  const Written old_format = written.back();
  written.pop_back();
  for (const auto& [hash, bytes] : written) {
    const auto read = store.ReadStorage(hash, bytes);
    ASSERT_TRUE(read.ok()) << read.error().Render();
    EXPECT_TRUE(read->verified) << hash;
    EXPECT_EQ(Sha1(BytesOf(read->storage)), hash);
  }
  EXPECT_EQ(written[13].hash, "c17fd92682ca5b304ac71074b558dda9e8eb4d66");
  EXPECT_EQ(store.ReadStorage(old_format.hash, old_format.bytes).error().message, "is no zip archive");
}

TEST(PythonStoreTest, StoragesAreMappedByPython) {
  const TemporaryFolder place;
  const Store store = *Store::Create(place / "store");
  const at::Tensor tensor = at::arange(5000);
  const std::span<const std::byte> bytes = BytesOf(tensor.storage());
  const std::string hash = store.WriteStorage(bytes)->ToString();
  const ProgramRun run = RunPython({"read", place / "store/storages/" + hash});
  EXPECT_EQ(run.out, Sha1(bytes) + "\n") << run.err;
}

}  // namespace
}  // namespace culprit::store
