// SPDX-License-Identifier: Apache-2.0
#include "model/tensor_file.h"

#include <fmt/format.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include <filesystem>

#include "base/text.h"
#include "graph/torch_error.h"
#include "model/open_file.h"
#include "store/store.h"
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

Result<c10::IValue> ReadPickled(const store::OpenedFile& file) {
  const auto entries = CULPRIT_TRY(store::ListZip(file));
  const bool has_pickle = std::any_of(entries.begin(), entries.end(), [](const store::ZipEntry& entry) {
    return entry.name.ends_with("/data.pkl");
  });
  if (!has_pickle) return Diagnostic{{file.path}, "is an archive, but not one that torch.save() wrote"};
  std::vector<char> bytes(static_cast<size_t>(file.bytes));
  CULPRIT_TRY(store::ReadAt(file, 0, std::as_writable_bytes(std::span(bytes))));
  try {
    return torch::jit::pickle_load(bytes);
  } catch (const std::exception& error) {
    Diagnostic diagnostic{{file.path},
                          fmt::format("its contents cannot be read: {}", graph::TorchMessage(error))};
    diagnostic.help = "save a tensor, or a list, tuple or dict of tensors, with torch.save()";
    return diagnostic;
  }
}

}  // namespace

Result<c10::IValue> ReadTensorFile(const std::string& path, int64_t max_bytes) {
  const store::OpenedFile file = CULPRIT_TRY(OpenNamedFile(path));
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
