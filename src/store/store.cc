// SPDX-License-Identifier: Apache-2.0
#include "store/store.h"

#include <c10/core/Allocator.h>
#include <fmt/format.h>

#include "base/is_hex.h"
#include "base/text.h"
#include "files/read_file.h"
#include "files/temporary_file.h"
#include "graph/tensors/describe_tensors.h"
#include "graph/tensors/rebuild_tensors.h"
#include "store/group_text.h"
#include "store/torch_storage.h"

namespace culprit::store {
namespace {

using base::Diagnostic;
using base::Done;
using base::Result;
using base::Status;

// A record of a tensor takes some hundred bytes.
constexpr int64_t kLargestGroupText = int64_t{64} << 20;
constexpr size_t kLongestName = 200;

Status CheckName(const std::string& name) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
  const bool valid = !name.empty() && name.size() <= kLongestName && name[0] != '.' &&
                     name.find_first_not_of(kLetters) == std::string::npos;
  if (valid) return Done{};
  return Diagnostic{
      {},
      fmt::format("'{}' is no name for tensors in a store", base::Printable(name.substr(0, kLongestName)))};
}

Status CheckTotal(const graph::TensorGroup& group, int64_t max_bytes) {
  int64_t total = 0;
  for (const graph::StorageSpec& storage : group.storages) {
    if (!storage.hash) continue;
    if (storage.bytes < 0 || __builtin_add_overflow(total, storage.bytes, &total) || total > max_bytes) {
      return Diagnostic{
          {}, fmt::format("the tensors have more than the {} that may be read", base::HumanBytes(max_bytes))};
    }
  }
  return Done{};
}

}  // namespace

Result<Store> Store::Open(const std::string& path) {
  CULPRIT_TRY(files::Folder::Open(path));
  return Store(path, CULPRIT_TRY(files::Folder::Open(path + "/storages")));
}

Result<Store> Store::Create(const std::string& path) {
  Store store(path, CULPRIT_TRY(files::Folder::Create(path + "/storages")));
  CULPRIT_TRY(files::RemoveStaleFiles(store.storages_));
  const files::Folder tensors = CULPRIT_TRY(files::Folder::Create(store.TensorsPath()));
  CULPRIT_TRY(files::RemoveStaleFiles(tensors));
  return store;
}

Result<ContentHash> Store::WriteStorage(std::span<const std::byte> contents) const {
  const ContentHash hash = ContentHash::Of(contents);
  const std::string name = hash.ToString();
  while (true) {
    const bool exists = storages_.Contains(name);
    if (exists) {
      const files::OpenedFile file = CULPRIT_TRY(storages_.OpenFile(name));
      if (CULPRIT_TRY(files::HasContents(file, contents))) return hash;
    }
    files::TemporaryFile file = CULPRIT_TRY(files::TemporaryFile::Create(storages_));
    CULPRIT_TRY(file.Write(contents, storages_.PathOf(name)));
    if (exists) {
      // It was altered.
      CULPRIT_TRY(std::move(file).PublishOver(name));
      return hash;
    }
    if (CULPRIT_TRY(std::move(file).PublishNew(name))) return hash;
    // Another writer was faster; what it wrote is looked at in the next round.
  }
}

bool Store::HasStorage(const std::string& hash) const {
  const bool is_hash = base::IsHex(hash, kTorchHashDigits) || base::IsHex(hash, ContentHash::kDigits);
  return is_hash && storages_.Contains(hash);
}

Result<StoredStorage> Store::ReadStorage(const std::string& hash, int64_t bytes,
                                         const ReadOptions& options) const {
  if (base::IsHex(hash, kTorchHashDigits)) {
    return ReadTorchStorage(CULPRIT_TRY(storages_.OpenFile(hash)), hash, bytes, options.verify);
  }
  const std::optional<ContentHash> expected = ContentHash::FromString(hash);
  if (!expected) {
    return Diagnostic{{}, fmt::format("'{}' is no hash of a storage", base::Printable(hash.substr(0, 50)))};
  }
  const files::OpenedFile file = CULPRIT_TRY(storages_.OpenFile(hash));
  c10::Storage storage = CULPRIT_TRY(store::ReadContents(file, bytes, options.access));
  if (options.verify && ContentHash::Of(BytesOf(storage)) != *expected) {
    return Diagnostic{{file.path}, "was altered: its contents do not have the hash that is its name"};
  }
  return StoredStorage{std::move(storage), options.verify};
}

Result<graph::TensorGroup> Store::WriteContents(const std::vector<at::Tensor>& tensors) const {
  graph::DescribedTensors described = CULPRIT_TRY(graph::DescribeTensors(tensors));
  for (size_t i = 0; i < described.contents.size(); ++i) {
    graph::StorageSpec& spec = described.group.storages[i];
    if (spec.device.is_meta()) continue;
    spec.hash = CULPRIT_TRY(WriteStorage(BytesOf(described.contents[i]))).ToString();
  }
  return std::move(described.group);
}

Result<c10::Storage> Store::ReadSpec(const graph::StorageSpec& spec, const ReadOptions& options) const {
  if (spec.device.is_meta()) {
    // The allocator of the meta device allocates nothing.
    return c10::Storage(c10::Storage::use_byte_size_t(), spec.bytes, c10::GetAllocator(at::kMeta),
                        /*resizable=*/true);
  }
  if (!spec.hash) return Diagnostic{{}, fmt::format("a storage of {} bytes has no contents", spec.bytes)};
  return CULPRIT_TRY(ReadStorage(*spec.hash, spec.bytes, options)).storage;
}

Result<std::vector<at::Tensor>> Store::ReadContents(const graph::TensorGroup& group,
                                                    const ReadOptions& options) const {
  CULPRIT_TRY(graph::CheckGroup(group));
  CULPRIT_TRY(CheckTotal(group, options.max_bytes));
  std::vector<c10::Storage> contents;
  for (const graph::StorageSpec& spec : group.storages) {
    contents.push_back(CULPRIT_TRY(ReadSpec(spec, options)));
  }
  return graph::RebuildTensors(group, contents);
}

Status Store::WriteTensors(const std::string& name, const std::vector<at::Tensor>& tensors) const {
  CULPRIT_TRY(CheckName(name));
  const files::Folder folder = CULPRIT_TRY(files::Folder::Create(TensorsPath()));
  // What is there must be a file; anything else stays as it is.
  if (folder.Contains(name)) CULPRIT_TRY(folder.OpenFile(name));
  const std::string text = PrintGroup(CULPRIT_TRY(WriteContents(tensors)));
  files::TemporaryFile file = CULPRIT_TRY(files::TemporaryFile::Create(folder));
  CULPRIT_TRY(file.Write(std::as_bytes(std::span(text)), folder.PathOf(name)));
  return std::move(file).PublishOver(name);
}

Result<graph::TensorGroup> Store::ReadGroup(const std::string& name) const {
  CULPRIT_TRY(CheckName(name));
  const files::Folder folder = CULPRIT_TRY(files::Folder::Open(TensorsPath()));
  const files::OpenedFile file = CULPRIT_TRY(folder.OpenFile(name));
  return ParseGroup(file.path, CULPRIT_TRY(files::ReadText(file, kLargestGroupText)));
}

Result<std::vector<at::Tensor>> Store::ReadTensors(const std::string& name,
                                                   const ReadOptions& options) const {
  Result<std::vector<at::Tensor>> tensors = ReadContents(CULPRIT_TRY(ReadGroup(name)), options);
  if (tensors.ok() || !tensors.error().place.file.empty()) return tensors;
  Diagnostic error = std::move(tensors).error();
  error.place.file = TensorsPath() + "/" + name;
  return error;
}

Status Store::WriteTensor(const std::string& name, const at::Tensor& tensor) const {
  return WriteTensors(name, {tensor});
}

Result<at::Tensor> Store::ReadTensor(const std::string& name, const ReadOptions& options) const {
  const std::vector<at::Tensor> tensors = CULPRIT_TRY(ReadTensors(name, options));
  if (tensors.size() != 1) {
    return Diagnostic{{TensorsPath() + "/" + name},
                      fmt::format("holds {} instead of one", base::Counted(tensors.size(), "tensor"))};
  }
  return tensors[0];
}

}  // namespace culprit::store
