// SPDX-License-Identifier: Apache-2.0
//
// Many writers at once, and writers that are killed.
#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <random>
#include <thread>

#include "files/temporary_file.h"
#include "store/store.h"
#include "tests/lib/temporary_folder.h"
#include "tests/lib/volume.h"

namespace culprit::store {
namespace {

using testing::Each;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using tests::NamesIn;
using tests::TemporaryFolder;

std::vector<std::byte> Contents(int number, size_t bytes) {
  std::vector<std::byte> contents(bytes);
  std::mt19937 random(number);
  for (std::byte& byte : contents) byte = static_cast<std::byte>(random());
  return contents;
}

// Runs in a child process; _exit keeps its copy of the test from going on.
template <typename Function>
pid_t InChild(const Function& function) {
  const pid_t child = fork();
  if (child != 0) return child;
  function();
  _exit(0);
}

// Every file that has a name is what its name says.
void ExpectWholeStore(const std::string& path) {
  const Store store = *Store::Open(path);
  for (const std::string& name : NamesIn(path + "/storages")) {
    if (name.starts_with('.')) continue;
    const auto bytes = static_cast<int64_t>(std::filesystem::file_size(path + "/storages/" + name));
    const auto read = store.ReadStorage(name, bytes);
    EXPECT_TRUE(read.ok()) << read.error().Render();
  }
  for (const std::string& name : NamesIn(path + "/tensors")) {
    if (name.starts_with('.')) continue;
    const auto read = store.ReadTensors(name);
    EXPECT_TRUE(read.ok()) << read.error().Render();
  }
}

constexpr int kContents = 8;

void WriteAllContents(const Store& store, int first) {
  for (int i = 0; i < kContents; ++i) {
    const auto contents = Contents((first + i) % kContents, 100000);
    *store.WriteStorage(contents);
  }
}

TEST(StoreWritersTest, ThreadsWriteEqualAndDifferentContents) {
  const TemporaryFolder place;
  const Store store = *Store::Create(place / "store");
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([&, i] { WriteAllContents(store, i); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(NamesIn(place / "store/storages"), SizeIs(kContents));
  ExpectWholeStore(place / "store");
}

TEST(StoreWritersTest, ProcessesWriteEqualAndDifferentContents) {
  const TemporaryFolder place;
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    // Each cleans up behind dead writers while the others live and write.
    children.push_back(InChild([&] { WriteAllContents(*Store::Create(place / "store"), i); }));
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_THAT(NamesIn(place / "store/storages"), SizeIs(kContents));
  ExpectWholeStore(place / "store");
}

TEST(StoreWritersTest, CleaningUpDoesNotDisturbWriters) {
  const TemporaryFolder place;
  const files::Folder folder = *files::Folder::Open(place.path());
  constexpr int kFiles = 300;
  std::atomic<int> writing = 2;
  const auto write = [&](char letter) {
    for (int i = 0; i < kFiles; ++i) {
      files::TemporaryFile file = *files::TemporaryFile::Create(folder, files::TemporaryFile::Kind::kNamed);
      EXPECT_TRUE(*std::move(file).PublishNew(letter + std::to_string(i)));
    }
    --writing;
  };
  std::thread first(write, 'a');
  std::thread second(write, 'b');
  while (writing > 0) *RemoveStaleFiles(folder);
  first.join();
  second.join();
  EXPECT_THAT(NamesIn(place.path()), SizeIs(2 * kFiles));
}

// Different every time, quick to make and slow to write: the writers below should be writing when they are
// killed.
class Sequence {
 public:
  std::span<std::byte> Next() {
    ++number_;
    std::memcpy(bytes_.data(), &number_, sizeof(number_));
    return bytes_;
  }

 private:
  int number_ = 0;
  std::vector<std::byte> bytes_ = Contents(0, 2000000);
};

// As on file systems that know no nameless files.
void WriteWithTemporaryNames(const std::string& path, Sequence sequence) {
  const files::Folder folder = *files::Folder::Open(path + "/storages");
  while (true) {
    const auto contents = sequence.Next();
    const std::string name = ContentHash::Of(contents).ToString();
    files::TemporaryFile file = *files::TemporaryFile::Create(folder, files::TemporaryFile::Kind::kNamed);
    *file.Write(contents, name);
    *std::move(file).PublishNew(name);
  }
}

void WriteTensorsForEver(const std::string& path, Sequence sequence) {
  const Store store = *Store::Open(path);
  for (int i = 0;; ++i) {
    const auto contents = sequence.Next();
    // The same names over and over: they are replaced.
    *store.WriteTensor("tensor" + std::to_string(i % 3),
                       at::from_blob(contents.data(), {static_cast<int64_t>(contents.size())}, at::kByte));
  }
}

void KillAfter(pid_t child, unsigned microseconds) {
  usleep(microseconds);
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
}

TEST(StoreWritersTest, KilledWritersLeaveNoWrongFile) {
  const int kills = tests::Volume(/*sample=*/40, /*full=*/200);
  const Sequence sequence;
  std::mt19937 random(3);
  size_t whole = 0;
  size_t leftovers = 0;
  for (int i = 0; i < kills; ++i) {
    const TemporaryFolder place;
    const std::string path = place / "store";
    *Store::Create(path);
    const pid_t child = InChild(
        [&] { i % 2 == 0 ? WriteTensorsForEver(path, sequence) : WriteWithTemporaryNames(path, sequence); });
    KillAfter(child, random() % 30000);
    ExpectWholeStore(path);
    const size_t before = NamesIn(path + "/storages").size();
    *Store::Create(path);
    whole += NamesIn(path + "/storages").size();
    leftovers += before - NamesIn(path + "/storages").size();
    EXPECT_THAT(NamesIn(path + "/storages"), Each(Not(StartsWith("."))));
    EXPECT_THAT(NamesIn(path + "/tensors"), Each(StartsWith("tensor")));
  }
  RecordProperty("whole", static_cast<int>(whole));
  RecordProperty("leftovers", static_cast<int>(leftovers));
  EXPECT_GT(whole, 0) << "the writers never came to write";
  EXPECT_GT(leftovers, 0) << "no writer was killed while it wrote";
}

}  // namespace
}  // namespace culprit::store
