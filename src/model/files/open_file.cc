// SPDX-License-Identifier: Apache-2.0
#include "model/files/open_file.h"

#include <algorithm>
#include <filesystem>

#include "files/read_file.h"

namespace culprit::model {

using base::Result;

Result<files::OpenedFile> OpenNamedFile(const std::string& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  if (error) return files::FileError(path, "cannot open it", error.value());
  if (!real.has_filename()) return base::Diagnostic{{path}, "is a folder where a file is expected"};
  const files::Folder folder = CULPRIT_TRY(files::Folder::Open(real.parent_path().string()));
  Result<files::OpenedFile> file = folder.OpenFile(real.filename().string());
  if (!file.ok()) {
    base::Diagnostic diagnostic = std::move(file).error();
    diagnostic.place.file = path;
    return diagnostic;
  }
  file->path = path;
  return file;
}

Result<std::string> ReadBeginning(const files::OpenedFile& file, size_t bytes) {
  std::string beginning(std::min(bytes, static_cast<size_t>(file.bytes)), '\0');
  CULPRIT_TRY(files::ReadAt(file, 0, std::as_writable_bytes(std::span(beginning))));
  return beginning;
}

bool IsZip(const std::string& beginning) {
  return beginning.starts_with("PK\x03\x04");
}

}  // namespace culprit::model
