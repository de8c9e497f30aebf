// SPDX-License-Identifier: Apache-2.0
//
// Archives that libtorch writes; tests/store/python_store_test.cc has those of Python.
#include "store/torch_storage.h"

#include <caffe2/serialize/inline_container.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "store/sha1.h"
#include "store/store.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::store {
namespace {

using tests::ReadWholeFile;
using tests::TemporaryFolder;
using tests::WriteWholeFile;

const std::string kText = std::string(3000, 'x') + "the contents of a storage";

std::span<const std::byte> AsBytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}

using Records = std::vector<std::pair<std::string, std::string>>;

class TorchStorageTest : public testing::Test {
 protected:
  void Write(const Records& records, bool compress = false) const {
    std::filesystem::remove(file_);
    caffe2::serialize::PyTorchStreamWriter writer(file_);
    for (const auto& [name, text] : records) writer.writeRecord(name, text.data(), text.size(), compress);
    writer.writeEndOfFile();
  }
  base::Result<StoredStorage> Read(size_t bytes = kText.size()) const {
    return store_.ReadStorage(hash_, static_cast<int64_t>(bytes));
  }
  std::string ErrorOf(size_t bytes = kText.size()) const {
    const auto read = Read(bytes);
    return read.ok() ? "none" : read.error().Render();
  }

  TemporaryFolder place_;
  Store store_ = *Store::Create(place_.path());
  std::string hash_ = Sha1(AsBytes(kText));
  std::string file_ = place_ / "storages/" + hash_;
};

void ExpectText(const base::Result<StoredStorage>& read) {
  ASSERT_TRUE(read.ok()) << read.error().Render();
  const std::span<std::byte> bytes = BytesOf(read->storage);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), kText);
}

TEST_F(TorchStorageTest, TheOneStorageIsReadAndThePickleIsNot) {
  Write({{"data.pkl", "no pickle at all"}, {"data/0", kText}});
  const auto read = Read();
  ExpectText(read);
  EXPECT_TRUE(read->verified);
}

TEST_F(TorchStorageTest, RecordsOfNewerVersionsAreFine) {
  Write({{"data.pkl", ""},
         {".format_version", "1"},
         {"byteorder", "little"},
         {"data/0", kText},
         {".data/serialization_id", "0123"}});
  ExpectText(Read());
}

TEST_F(TorchStorageTest, DeflatedStoragesAreInflated) {
  Write({{"data.pkl", ""}, {"data/0", kText}}, /*compress=*/true);
  EXPECT_LT(std::filesystem::file_size(file_), kText.size());
  ExpectText(Read());
}

TEST_F(TorchStorageTest, AFastHashCannotBeVerifiedAndIsNoError) {
  hash_ = std::string(40, '7');
  file_ = place_ / "storages/" + hash_;
  Write({{"data.pkl", ""}, {"data/0", kText}});
  const auto read = Read();
  ExpectText(read);
  EXPECT_FALSE(read->verified);
}

TEST_F(TorchStorageTest, ThereHasToBeExactlyOneStorageOfTheSize) {
  Write({{"data.pkl", ""}});
  EXPECT_EQ(ErrorOf(), file_ + ": error: holds 0 storages instead of one");
  Write({{"data.pkl", ""}, {"data/0", kText}, {"data/1", kText}});
  EXPECT_EQ(ErrorOf(), file_ + ": error: holds 2 storages instead of one");
  Write({{"data.pkl", ""}, {"data/0", kText}});
  EXPECT_EQ(ErrorOf(1), file_ + ": error: its storage has 3025 bytes instead of 1");
}

TEST_F(TorchStorageTest, TheOtherByteOrderIsAnError) {
  Write({{"data.pkl", ""}, {"byteorder", "big"}, {"data/0", kText}});
  EXPECT_EQ(ErrorOf(), file_ + ": error: its byte order is 'big' instead of 'little'");
}

TEST_F(TorchStorageTest, OtherFilesAreNoArchives) {
  WriteWholeFile(file_, "");
  EXPECT_EQ(ErrorOf(), file_ + ": error: is no zip archive");
  WriteWholeFile(file_, kText);
  EXPECT_EQ(ErrorOf(), file_ + ": error: is no zip archive");
}

TEST_F(TorchStorageTest, EveryCutIsFound) {
  Write({{"data.pkl", ""}, {"data/0", kText}});
  const std::string archive = ReadWholeFile(file_);
  for (size_t size = 0; size < archive.size(); size += 7) {
    WriteWholeFile(file_, archive.substr(0, size));
    EXPECT_FALSE(Read().ok()) << size;
  }
}

// Whatever bit is turned over: the contents are read, or there is an error.
TEST_F(TorchStorageTest, NoAlteredBitGivesOtherContents) {
  for (const bool compress : {false, true}) {
    Write({{"data.pkl", ""}, {"data/0", kText}}, compress);
    const std::string archive = ReadWholeFile(file_);
    size_t errors = 0;
    for (size_t i = 0; i < archive.size(); ++i) {
      std::string altered = archive;
      altered[i] = static_cast<char>(altered[i] ^ (1 << (i % 8)));
      WriteWholeFile(file_, altered);
      const auto read = Read();
      if (read.ok()) ExpectText(read);
      errors += read.ok() ? 0 : 1;
    }
    EXPECT_GT(errors, compress ? 100 : kText.size());
  }
}

TEST_F(TorchStorageTest, AClaimedSizeIsNotBelieved) {
  Write({{"data.pkl", ""}, {"data/0", kText}});
  std::string archive = ReadWholeFile(file_);
  // The directory's entry of data/0 is the second that has this number of bytes twice.
  const std::string size("\xd1\x0b\0\0\xd1\x0b\0\0", 8);
  const size_t place = archive.rfind(size);
  ASSERT_NE(place, std::string::npos);
  archive.replace(place, size.size(), std::string("\xff\xff\xff\x7f\xff\xff\xff\x7f", 8));
  WriteWholeFile(file_, archive);
  const std::string top = hash_;
  EXPECT_EQ(
      ErrorOf(0x7fffffff),
      fmt::format("{}: error: is a broken zip archive: '{}/data/0' claims 2147483647 bytes", file_, top));
}

}  // namespace
}  // namespace culprit::store
