// SPDX-License-Identifier: Apache-2.0
#include "tests/house/source_tree.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/internal_error.h"

namespace culprit::tests {

namespace fs = std::filesystem;

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  CULPRIT_CHECK(file.good(), "cannot read {}", path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<SourceFile> ReadTree(const std::string& folder) {
  constexpr std::array<std::string_view, 5> kIgnored = {".git", ".venv", "build", "culprit_runs",
                                                        "__pycache__"};
  std::vector<SourceFile> files;
  for (auto entry = fs::recursive_directory_iterator(folder); entry != fs::end(entry); ++entry) {
    const std::string name = entry->path().filename().string();
    if (std::find(kIgnored.begin(), kIgnored.end(), name) != kIgnored.end()) {
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file()) {
      files.push_back({entry->path().lexically_relative(folder).generic_string(), ReadFile(entry->path())});
    }
  }
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

std::vector<std::string_view> Lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::string_view StemOf(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);
  return path.substr(0, path.rfind('.'));
}

bool IsCpp(std::string_view path) {
  return path.ends_with(".h") || path.ends_with(".cc");
}

}  // namespace culprit::tests
