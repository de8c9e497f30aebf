// SPDX-License-Identifier: Apache-2.0
#include "model/archive.h"

#include <fmt/format.h>
#include <torch/csrc/jit/serialization/import.h>

#include "base/text.h"
#include "model/compile_error.h"
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

/// That code and pickles are what was written, which libtorch does not check, and that no code opens files:
/// it may run as soon as libtorch loads it (__setstate__), before there is a program to look at.
Status CheckCode(const store::OpenedFile& file, const std::vector<store::ZipEntry>& entries,
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
    if (!IsCode(entry)) continue;
    has_code = true;
    if (!options.allow_file_operators && contents.find("__setstate__") != std::string::npos)
      CULPRIT_TRY(RefuseFileOperatorsIn(file.path + ":" + entry.name, contents));
  }
  if (!has_code) return NoCode(file.path, "holds tensors, but no program");
  return Done{};
}

}  // namespace

Diagnostic NoCode(const std::string& path, std::string_view what) {
  Diagnostic error{{path}, std::string(what)};
  error.help = "in Python, save the program with its weights: torch.jit.script(model).save('model.pt')";
  return error;
}

Result<LoadedModel> LoadArchive(const store::OpenedFile& file, const LoadOptions& options) {
  // Every parameter is a file of its own.
  constexpr store::ZipLimits kLimits = {.entries = 200'000, .directory_bytes = 64 << 20};
  CULPRIT_TRY(CheckCode(file, CULPRIT_TRY(store::ListZip(file, kLimits)), options));
  try {
    return LoadedModel(file.path, torch::jit::load(file.path, at::kCPU));
  } catch (const std::exception& error) {
    return CompileError(file.path, error);
  }
}

}  // namespace culprit::model
