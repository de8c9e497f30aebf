// SPDX-License-Identifier: Apache-2.0
#include "model/files/file_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>

#include "base/shell_word.h"
#include "model/files/open_file.h"
#include "store/zip_archive.h"

namespace culprit::model {
namespace {

constexpr std::string_view kSaveProgram =
    "in Python, save the program with its weights: torch.jit.script(model).save('model.pt')";
constexpr std::string_view kUnpack = "unpack it first";

constexpr FileKind kFolder = {"a folder", "name a file in it"};
constexpr FileKind kTorchScript = {"a TorchScript archive",
                                   "to see its graphs, run: culprit explain {} --inputs f32[1,3,224,224]",
                                   /*is_archive=*/true};
constexpr FileKind kExported = {"an exported program (.pt2)", kSaveProgram};
constexpr FileKind kTensors = {"an archive of tensors, without a program", kSaveProgram,
                               /*is_archive=*/true};
constexpr FileKind kBrokenZip = {"a broken zip archive", "", /*is_archive=*/true};
constexpr FileKind kZip = {"a zip archive", kUnpack};
constexpr FileKind kOnnx = {"an ONNX model", kSaveProgram};
constexpr FileKind kSafetensors = {"a file of tensors (safetensors), without a program", kSaveProgram};

struct Magic {
  size_t offset = 0;
  std::string_view bytes;
  FileKind kind;
};

// The first that fits.
constexpr Magic kMagics[] = {
    {0, "PK\x03\x04", kZip},
    {0, "PK\x05\x06", kZip},
    {0, "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9", {"a file of tensors in PyTorch's old format", kSaveProgram}},
    {0, "\x80", {"a pickle of Python", kSaveProgram}},
    {0, "\x1f\x8b", {"compressed with gzip", "to read it, run: gunzip -c {} | culprit graph -"}},
    {0, "BZh", {"compressed with bzip2", "to read it, run: bunzip2 -c {} | culprit graph -"}},
    {0,
     "\xfd"
     "7zXZ",
     {"compressed with xz", "to read it, run: xz -dc {} | culprit graph -"}},
    {0, "\x28\xb5\x2f\xfd", {"compressed with zstd", "to read it, run: zstd -dc {} | culprit graph -"}},
    {257, "ustar", {"a tar archive", kUnpack}},
    {0,
     "\x7f"
     "ELF",
     {"a program or a shared library", "a plug-in is named with: --backend {}"}},
    {0, "\x93NUMPY", {"an array of NumPy", ""}},
    {0, "\x89HDF", {"an HDF5 file", ""}},
    {0, "GGUF", {"a GGUF model", kSaveProgram}},
    {4, "PTMF", {"a TorchScript model for mobile devices", kSaveProgram}},
    {4, "TFL3", {"a TensorFlow Lite model", ""}},
    {0, "%PDF", {"a PDF document", ""}},
    {0, "\x89PNG", {"a picture", ""}},
    {0, "\xff\xd8\xff", {"a picture", ""}},
};

/// A protocol buffer: the version of the format as field 1, the producer's name as field 2.
bool IsOnnx(std::string_view beginning) {
  constexpr unsigned char kNewestVersion = 20;
  return beginning.size() > 4 && beginning[0] == 8 &&
         static_cast<unsigned char>(beginning[1]) <= kNewestVersion && beginning[2] == 0x12 &&
         beginning[4] >= ' ';
}

/// The length of a header in eight bytes, and then JSON.
bool IsSafetensors(std::string_view beginning) {
  return beginning.size() > 9 && beginning.substr(5, 5) == std::string_view("\0\0\0{\"", 5);
}

const FileKind* KindOfArchive(std::span<const store::ZipEntry> entries) {
  const auto has = [&](auto&& is_sign) {
    return std::ranges::any_of(entries, is_sign, &store::ZipEntry::name);
  };
  if (has([](const std::string& name) {
        return name.ends_with(".py") && name.find("/code/") != std::string::npos;
      }))
    return &kTorchScript;
  if (has([](const std::string& name) {
        return name.ends_with("serialized_exported_program.json") || name.ends_with("/archive_format") ||
               name == "archive_format" || name.ends_with("/models/model.json");
      }))
    return &kExported;
  if (has([](const std::string& name) { return name.ends_with("/data.pkl"); })) return &kTensors;
  return &kZip;
}

/// Of each line that begins in the first column.
bool HasTopLevelLine(std::string_view text, bool (*is_sign)(std::string_view line)) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (is_sign(text.substr(0, end))) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

}  // namespace

std::string FileKind::HelpFor(const std::string& file) const {
  std::string text(help);
  if (const size_t at = text.find("{}"); at != std::string::npos) text.replace(at, 2, base::ShellWord(file));
  return text;
}

const FileKind* KindOfBytes(std::string_view beginning) {
  for (const Magic& magic : kMagics) {
    if (beginning.size() > magic.offset && beginning.substr(magic.offset).starts_with(magic.bytes))
      return &magic.kind;
  }
  if (IsOnnx(beginning)) return &kOnnx;
  return IsSafetensors(beginning) ? &kSafetensors : nullptr;
}

const FileKind* KindOfFile(const std::string& path) {
  constexpr size_t kEnough = 512;
  constexpr store::ZipLimits kLimits = {.entries = 200'000, .directory_bytes = 64 << 20};
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return &kFolder;
  if (!std::filesystem::is_regular_file(path, ignored)) return nullptr;
  const base::Result<files::OpenedFile> file = OpenNamedFile(path);
  if (!file.ok()) return nullptr;
  const base::Result<std::string> beginning = ReadBeginning(*file, kEnough);
  if (!beginning.ok()) return nullptr;
  if (!IsZip(*beginning)) return KindOfBytes(*beginning);
  const base::Result<std::vector<store::ZipEntry>> entries = store::ListZip(*file, kLimits);
  return entries.ok() ? KindOfArchive(*entries) : &kBrokenZip;
}

bool IsGraphText(std::string_view text) {
  return text.find("torch.ops.") != std::string_view::npos &&
         text.find("def forward(") != std::string_view::npos;
}

bool IsModelText(std::string_view text) {
  if (text.find("torch.ops.") != std::string_view::npos) return false;
  return HasTopLevelLine(text, [](std::string_view line) {
    const bool is_class = line.starts_with("class ") && line.find("(Module):") != std::string_view::npos;
    const bool is_function = line.starts_with("def ") && line.find(": Tensor") != std::string_view::npos;
    return is_class || is_function;
  });
}

}  // namespace culprit::model
