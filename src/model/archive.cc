// SPDX-License-Identifier: Apache-2.0
#include "model/archive.h"

#include <fmt/format.h>
#include <torch/csrc/jit/serialization/import.h>

#include <optional>
#include <unordered_map>

#include "base/text.h"
#include "model/compile_error.h"
#include "model/files/pickle_reader.h"
#include "model/script_file_operators.h"
#include "store/zip_archive.h"

namespace culprit::model {
namespace {

using base::Diagnostic;
using base::Done;
using base::Result;
using base::Status;

constexpr uint64_t kLargestCode = uint64_t{64} << 20;

bool IsCode(const store::ZipEntry& entry) {
  return entry.name.ends_with(".py") && entry.name.find("/code/") != std::string::npos;
}

/// What says how to make things; all else are the bytes of tensors, and notes for debuggers.
bool IsPickle(const store::ZipEntry& entry) {
  return entry.name.ends_with("/data.pkl") || entry.name.ends_with("/constants.pkl");
}

/// libtorch takes the number of bytes of a tensor from the pickle, and reads beyond the end of what the
/// archive has. Pickles with things that are unknown here are left to it.
Status CheckStorages(const files::OpenedFile& file, const std::vector<store::ZipEntry>& entries,
                     const std::string& pickle_name, const std::string& pickle) {
  std::unordered_map<std::string_view, uint64_t> bytes_of;
  for (const store::ZipEntry& entry : entries) bytes_of[entry.name] = entry.bytes;
  const std::string folder =
      pickle_name.substr(0, pickle_name.size() - std::string_view(".pkl").size()) + "/";
  std::optional<Diagnostic> beyond;
  const auto load = [&](const std::string& key, uint64_t claimed) -> Result<c10::Storage> {
    const auto entry = bytes_of.find(folder + key);
    if (entry != bytes_of.end() && entry->second < claimed && !beyond)
      beyond = Diagnostic{{file.path},
                          fmt::format("is a broken archive: tensor '{}' claims {} bytes and has {}",
                                      base::Printable(folder + key), claimed, entry->second)};
    return c10::Storage(c10::Storage::use_byte_size_t(), static_cast<int64_t>(claimed),
                        at::DataPtr(nullptr, at::kCPU), /*allocator=*/nullptr, /*resizable=*/false);
  };
  (void)ReadPickle(file.path, pickle, load, Objects::kSkipped);
  if (beyond) return *beyond;
  return Done{};
}

/// That code and pickles are what was written, which libtorch does not check, and that no code opens files:
/// it may run as soon as libtorch loads it (__setstate__), before there is a program to look at.
Status CheckCode(const files::OpenedFile& file, const std::vector<store::ZipEntry>& entries,
                 const LoadOptions& options) {
  uint64_t bytes = 0;
  bool has_code = false;
  for (const store::ZipEntry& entry : entries) {
    if (!IsCode(entry) && !IsPickle(entry)) continue;
    bytes += entry.bytes;
    if (bytes > kLargestCode)
      return Diagnostic{{file.path}, fmt::format("has more than {} of code", base::HumanBytes(kLargestCode))};
    std::string contents(entry.bytes, '\0');
    CULPRIT_TRY(store::ReadZipEntry(file, entry, std::as_writable_bytes(std::span(contents))));
    if (IsPickle(entry)) CULPRIT_TRY(CheckStorages(file, entries, entry.name, contents));
    if (!IsCode(entry)) continue;
    has_code = true;
    if (!options.allow_file_operators && contents.find("__setstate__") != std::string::npos)
      CULPRIT_TRY(RefuseFileOperatorsIn(file.path + ":" + entry.name, contents));
  }
  if (has_code) return Done{};
  Diagnostic error{{file.path}, "holds tensors, but no program"};
  error.help = "in Python, save the program with its weights: torch.jit.script(model).save('model.pt')";
  return error;
}

}  // namespace

Result<LoadedModel> LoadArchive(const files::OpenedFile& file, const LoadOptions& options) {
  // Every parameter is a file of its own.
  constexpr store::ZipLimits kLimits = {.entries = 200'000, .directory_bytes = 64 << 20};
  CULPRIT_TRY(CheckCode(file, CULPRIT_TRY(store::ListZip(file, kLimits)), options));
  try {
    return LoadedModel(file.path, torch::jit::load(file.path, at::kCPU));
  } catch (const std::exception& error) {
    return CompileError(file.path, error, "loaded");
  }
}

}  // namespace culprit::model
