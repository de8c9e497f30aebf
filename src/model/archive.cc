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

/// Code may run as soon as libtorch loads it (__setstate__), which is before a program can be looked at.
Status CheckCode(const store::OpenedFile& file, const std::vector<store::ZipEntry>& entries,
                 const LoadOptions& options) {
  uint64_t code_bytes = 0;
  for (const store::ZipEntry& entry : entries) {
    if (!IsCode(entry)) continue;
    code_bytes += entry.bytes;
    if (code_bytes > kLargestCode) {
      return Diagnostic{{file.path}, fmt::format("has more than {} of code", base::HumanBytes(kLargestCode))};
    }
    std::string code(entry.bytes, '\0');
    CULPRIT_TRY(store::ReadZipEntry(file, entry, std::as_writable_bytes(std::span(code))));
    if (!options.allow_file_operators && code.find("__setstate__") != std::string::npos)
      CULPRIT_TRY(RefuseFileOperatorsIn(file.path + ":" + entry.name, code));
  }
  if (code_bytes == 0) return NoCode(file.path, "holds tensors, but no program");
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
