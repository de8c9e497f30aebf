// SPDX-License-Identifier: Apache-2.0
#include "repro/text_file.h"

#include <filesystem>

#include "graph/text/script/script.h"
#include "store/file_contents.h"

namespace culprit::repro {

base::Result<std::string> ReadText(const std::string& path) {
  const std::filesystem::path file(path);
  const std::string folder_path = file.has_parent_path() ? file.parent_path().string() : ".";
  const store::Folder folder = CULPRIT_TRY(store::Folder::Open(folder_path));
  const auto largest = static_cast<int64_t>(graph::text::ReadOptions{}.max_source_bytes);
  return store::ReadText(CULPRIT_TRY(folder.OpenFile(file.filename())), largest);
}

}  // namespace culprit::repro
