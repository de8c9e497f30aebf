// SPDX-License-Identifier: Apache-2.0
#include "model/inputs/tensor_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <unordered_map>

#include "base/text.h"
#include "model/files/open_file.h"
#include "model/files/pickle_reader.h"
#include "store/store.h"
#include "store/torch_storage.h"
#include "store/zip_archive.h"

namespace culprit::model {
namespace {

using base::Diagnostic;
using base::Result;

constexpr std::string_view kStoreBeginning = "culprit tensors ";

Result<c10::IValue> ReadStored(const std::filesystem::path& path, int64_t max_bytes) {
  const std::filesystem::path tensors = path.parent_path();
  if (tensors.filename() != "tensors")
    return Diagnostic{{path}, "is a file of a store, but not in its folder tensors/"};
  const store::Store store = CULPRIT_TRY(store::Store::Open(tensors.parent_path().string()));
  const std::vector<at::Tensor> read = CULPRIT_TRY(
      store.ReadTensors(path.filename().string(), {.access = store::Access::kCopy, .max_bytes = max_bytes}));
  return read.size() == 1 ? c10::IValue(read[0]) : c10::IValue(read);
}

Result<c10::IValue> ReadPickled(const files::OpenedFile& file) {
  constexpr uint64_t kLargestPickle = uint64_t{64} << 20;
  constexpr std::string_view kPickle = "/data.pkl";
  // Every storage is a file of its own.
  const auto entries = CULPRIT_TRY(store::ListZip(file, {.entries = 200'000, .directory_bytes = 64 << 20}));
  std::unordered_map<std::string, const store::ZipEntry*> by_name;
  const store::ZipEntry* pickle = nullptr;
  for (const store::ZipEntry& entry : entries) {
    by_name[entry.name] = &entry;
    if (entry.name.ends_with(kPickle)) pickle = &entry;
  }
  if (pickle == nullptr || pickle->bytes > kLargestPickle)
    return Diagnostic{{file.path}, "is an archive, but not one that torch.save() wrote"};
  CULPRIT_TRY(store::CheckByteOrder(file, entries));
  std::string text(pickle->bytes, '\0');
  CULPRIT_TRY(store::ReadZipEntry(file, *pickle, std::as_writable_bytes(std::span(text))));
  const std::string top = pickle->name.substr(0, pickle->name.size() - kPickle.size());
  std::unordered_map<std::string, c10::Storage> storages;
  const auto load = [&](const std::string& key, uint64_t /*claimed*/) -> Result<c10::Storage> {
    if (const auto known = storages.find(key); known != storages.end()) return known->second;
    const auto entry = by_name.find(top + "/data/" + key);
    if (entry == by_name.end())
      return Diagnostic{{file.path}, fmt::format("there is no storage '{}' in it", base::Printable(key))};
    c10::Storage storage = CULPRIT_TRY(store::AllocateStorage(static_cast<int64_t>(entry->second->bytes)));
    CULPRIT_TRY(store::ReadZipEntry(file, *entry->second, store::BytesOf(storage)));
    return storages.emplace(key, std::move(storage)).first->second;
  };
  Result<c10::IValue> value = ReadPickle(file.path, text, load);
  if (value.ok()) return value;
  Diagnostic error = std::move(value).error();
  error.help = "save a tensor, or a list, tuple or dict of tensors, with torch.save()";
  return error;
}

}  // namespace

Result<c10::IValue> ReadTensorFile(const std::string& path, int64_t max_bytes) {
  const files::OpenedFile file = CULPRIT_TRY(OpenNamedFile(path));
  if (file.bytes > max_bytes) {
    return Diagnostic{{path},
                      fmt::format("has {}, more than the {} that inputs may have",
                                  base::HumanBytes(file.bytes), base::HumanBytes(max_bytes))};
  }
  const std::string beginning = CULPRIT_TRY(ReadBeginning(file, kStoreBeginning.size()));
  if (beginning == kStoreBeginning) return ReadStored(std::filesystem::canonical(path), max_bytes);
  if (IsZip(beginning)) return ReadPickled(file);
  return Diagnostic{{path}, "is neither a file of torch.save() nor one of a store"};
}

}  // namespace culprit::model
