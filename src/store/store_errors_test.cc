// SPDX-License-Identifier: Apache-2.0
//
// Every way a store can be wrong, with the text that a user reads.
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "store/store.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::store {
namespace {

using testing::IsEmpty;
using tests::NamesIn;
using tests::ReadWholeFile;
using tests::TemporaryFolder;
using tests::WriteWholeFile;

constexpr std::string_view kText = "the contents of a storage";

std::span<const std::byte> AsBytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}

class StoreErrorsTest : public testing::Test {
 protected:
  std::string HashOfText() const { return ContentHash::Of(AsBytes(kText)).ToString(); }
  std::string PathOfText() const { return path_ + "/storages/" + HashOfText(); }
  void WriteText() const { *store_.WriteStorage(AsBytes(kText)); }
  std::string ErrorOfReadingText() const {
    const auto read = store_.ReadStorage(HashOfText(), kText.size());
    return read.ok() ? "none" : read.error().Render();
  }
  std::string ErrorOfWritingText() const {
    const auto written = store_.WriteStorage(AsBytes(kText));
    return written.ok() ? "none" : written.error().Render();
  }

  TemporaryFolder place_;
  std::string path_ = place_ / "store";
  Store store_ = *Store::Create(path_);
};

// What root may do proves nothing about rights.
class WithoutRootsRights {
 public:
  WithoutRootsRights() : was_root_(geteuid() == 0 && seteuid(kNobody) == 0) {}
  ~WithoutRootsRights() {
    if (was_root_ && seteuid(0) != 0) abort();
  }

 private:
  static constexpr uid_t kNobody = 65534;
  bool was_root_;
};

TEST_F(StoreErrorsTest, NoStore) {
  EXPECT_EQ(Store::Open(place_ / "other").error().Render(),
            place_ / "other" + ": error: cannot open the folder: no such file or directory");
  std::filesystem::create_directory(place_ / "other");
  EXPECT_EQ(Store::Open(place_ / "other").error().Render(),
            place_ / "other/storages" + ": error: cannot open the folder: no such file or directory");
  WriteWholeFile(place_ / "file", "");
  EXPECT_EQ(Store::Open(place_ / "file").error().Render(),
            place_ / "file" + ": error: cannot open the folder: not a directory");
  EXPECT_EQ(Store::Create(place_ / "file").error().Render(),
            place_ / "file/storages" + ": error: cannot make the folder: not a directory");
}

TEST_F(StoreErrorsTest, AMissingStorage) {
  EXPECT_EQ(ErrorOfReadingText(), PathOfText() + ": error: cannot open it: no such file or directory");
}

TEST_F(StoreErrorsTest, AStorageOfAnotherSizeThanExpected) {
  WriteText();
  EXPECT_EQ(store_.ReadStorage(HashOfText(), 1000).error().Render(),
            PathOfText() + ": error: has 25 bytes instead of 1000");
}

TEST_F(StoreErrorsTest, ATruncatedStorageIsFoundAndMended) {
  WriteWholeFile(PathOfText(), "the contents");
  EXPECT_EQ(ErrorOfReadingText(), PathOfText() + ": error: has 12 bytes instead of 25");
  WriteText();
  EXPECT_EQ(ErrorOfReadingText(), "none");
}

TEST_F(StoreErrorsTest, AnAlteredStorageIsFoundAndMended) {
  WriteWholeFile(PathOfText(), "the contents of a sTorage");
  EXPECT_EQ(ErrorOfReadingText(),
            PathOfText() + ": error: was altered: its contents do not have the hash that is its name");
  const auto unverified = store_.ReadStorage(HashOfText(), kText.size(), {.verify = false});
  ASSERT_TRUE(unverified.ok());
  EXPECT_FALSE(unverified->verified);
  WriteText();
  EXPECT_EQ(ErrorOfReadingText(), "none");
}

TEST_F(StoreErrorsTest, SomethingElseInPlaceOfAStorageStaysThere) {
  const std::vector<std::pair<std::string, std::function<void()>>> kinds = {
      {"is a folder where a file is expected", [&] { mkdir(PathOfText().c_str(), 0755); }},
      {"is a FIFO where a file is expected", [&] { mkfifo(PathOfText().c_str(), 0644); }},
      {"is a symbolic link where a file is expected", [&] {
         WriteWholeFile(place_ / "elsewhere", std::string(kText));
         std::filesystem::create_symlink(place_ / "elsewhere", PathOfText());
       }}};
  for (const auto& [message, make] : kinds) {
    make();
    EXPECT_EQ(ErrorOfReadingText(), PathOfText() + ": error: " + message);
    EXPECT_EQ(ErrorOfWritingText(), PathOfText() + ": error: " + message);
    EXPECT_EQ(unlink(PathOfText().c_str()) == 0 || rmdir(PathOfText().c_str()) == 0, true);
  }
  mkdir((path_ + "/tensors/name").c_str(), 0755);
  EXPECT_EQ(store_.WriteTensor("name", at::ones({2})).error().Render(),
            path_ + "/tensors/name: error: is a folder where a file is expected");
}

TEST_F(StoreErrorsTest, NamesThatAreNoHash) {
  EXPECT_EQ(store_.ReadStorage("../../etc/passwd", 1).error().Render(),
            "error: '../../etc/passwd' is no hash of a storage");
}

TEST_F(StoreErrorsTest, NamesThatAreNoName) {
  for (const std::string name : {"", "..", ".hidden", "a/b", "a b", "a\n"}) {
    EXPECT_EQ(store_.WriteTensor(name, at::ones({2})).error().message,
              "'" + std::string(name == "a\n" ? "a\\x0a" : name) + "' is no name for tensors in a store");
    EXPECT_FALSE(store_.ReadTensor(name).ok());
  }
  EXPECT_EQ(store_.ReadTensor("name").error().Render(),
            path_ + "/tensors/name: error: cannot open it: no such file or directory");
}

TEST_F(StoreErrorsTest, NoPermission) {
  WriteText();
  std::filesystem::permissions(path_ + "/storages", std::filesystem::perms(0555));
  const WithoutRootsRights nobody;
  EXPECT_EQ(ErrorOfReadingText(), "none");
  EXPECT_EQ(store_.WriteStorage(AsBytes("other")).error().Render(),
            path_ + "/storages: error: cannot make a file in it: permission denied");
  EXPECT_EQ(Store::Create("/culprit").error().Render(),
            "/culprit/storages: error: cannot make the folder: permission denied");
}

TEST_F(StoreErrorsTest, AStorageThatMayNotBeRead) {
  WriteText();
  std::filesystem::permissions(PathOfText(), std::filesystem::perms(0));
  const WithoutRootsRights nobody;
  EXPECT_EQ(ErrorOfReadingText(), PathOfText() + ": error: cannot open it: permission denied");
}

TEST_F(StoreErrorsTest, AFullDiskLeavesWhatWasThere) {
  const std::string disk = place_ / "disk";
  std::filesystem::create_directory(disk);
  if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=256k") != 0) {
    GTEST_SKIP() << "cannot mount a small disk: " << std::strerror(errno);
  }
  {
    const Store store = *Store::Create(disk);
    ASSERT_TRUE(store.WriteTensor("name", at::ones({1000})).ok());
    const auto before = NamesIn(disk + "/storages");
    const at::Tensor large = at::arange(100000);
    const base::Diagnostic error = store.WriteTensor("name", large).error();
    const std::string hash =
        ContentHash::Of({static_cast<std::byte*>(large.data_ptr()), large.nbytes()}).ToString();
    EXPECT_EQ(error.Render(),
              disk + "/storages/" + hash + ": error: cannot write it: no space left on device");
    EXPECT_EQ(NamesIn(disk + "/storages"), before);
    EXPECT_TRUE(at::equal(*store.ReadTensor("name"), at::ones({1000})));
  }
  EXPECT_EQ(umount2(disk.c_str(), MNT_DETACH), 0);
}

TEST_F(StoreErrorsTest, ALimitOnTheSizeOfFilesIsAnError) {
  rlimit before = {};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  const rlimit small = {10, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string error = ErrorOfWritingText();
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  EXPECT_EQ(error, PathOfText() + ": error: cannot write it: file too large");
  EXPECT_THAT(NamesIn(path_ + "/storages"), IsEmpty());
}

TEST_F(StoreErrorsTest, TensorsThatCannotBeStored) {
  const auto error = [&](const at::Tensor& tensor) {
    return store_.WriteTensor("x", tensor).error().message;
  };
  EXPECT_EQ(error(at::Tensor()), "an undefined tensor cannot be stored");
  EXPECT_EQ(error(at::ones({2, 2}).to_sparse_csr()), "a tensor of layout SparseCsr cannot be stored");
  const at::Tensor fake = at::empty({0});
  fake.set_(c10::Storage(c10::Storage::use_byte_size_t(), 8, at::DataPtr(nullptr, at::kCPU)), 0, {2}, {1});
  EXPECT_EQ(error(fake), "a tensor whose storage has no memory cannot be stored");
  EXPECT_THAT(NamesIn(path_ + "/tensors"), IsEmpty());
}

TEST_F(StoreErrorsTest, AlteredRecords) {
  ASSERT_TRUE(store_.WriteTensors("name", {at::ones({2}), at::zeros({2})}).ok());
  const std::string file = path_ + "/tensors/name";
  const std::string text = ReadWholeFile(file);
  const std::string altered =
      file + ": error: is incomplete or was altered: its last line does not fit what stands before";
  for (const size_t size : {size_t{0}, size_t{10}, text.size() / 2, text.size() - 1}) {
    WriteWholeFile(file, text.substr(0, size));
    EXPECT_EQ(store_.ReadTensors("name").error().Render(), altered);
  }
  for (size_t i = 0; i < text.size(); ++i) {
    std::string one_bit = text;
    one_bit[i] ^= 1;
    WriteWholeFile(file, one_bit);
    EXPECT_EQ(store_.ReadTensors("name").error().Render(), altered);
  }
  WriteWholeFile(file, text);
  EXPECT_EQ(store_.ReadTensor("name").error().Render(), file + ": error: holds 2 tensors instead of one");
}

TEST_F(StoreErrorsTest, MoreThanTheCallerAllows) {
  const graph::TensorGroup group = *store_.WriteContents({at::ones({2000})});
  EXPECT_EQ(store_.ReadContents(group, {.max_bytes = 4096}).error().Render(),
            "error: the tensors have more than the 4.0 KiB that may be read");
}

TEST_F(StoreErrorsTest, TensorsThatCannotBeRebuiltAreNamed) {
  ASSERT_TRUE(store_.WriteTensor("name", at::ones({2000})).ok());
  EXPECT_EQ(store_.ReadTensor("name", {.max_bytes = 4096}).error().Render(),
            path_ + "/tensors/name: error: the tensors have more than the 4.0 KiB that may be read");
}

TEST_F(StoreErrorsTest, AStorageWithoutContents) {
  graph::TensorGroup group = *store_.WriteContents({at::ones({2})});
  group.storages[0].hash.reset();
  EXPECT_EQ(store_.ReadContents(group).error().Render(), "error: a storage of 8 bytes has no contents");
}

}  // namespace
}  // namespace culprit::store
