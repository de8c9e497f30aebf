// SPDX-License-Identifier: Apache-2.0
//
// A folder for one test, removed with everything in it at the end.
#pragma once

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "base/internal_error.h"

namespace culprit::tests {

class TemporaryFolder {
 public:
  TemporaryFolder() : path_((std::filesystem::temp_directory_path() / "culprit-test-XXXXXX").string()) {
    CULPRIT_CHECK(mkdtemp(path_.data()) != nullptr, "cannot make a folder like {}", path_);
    // Tests that give up root's rights have to get in.
    chmod(path_.c_str(), 0755);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

inline std::string ReadWholeFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  CULPRIT_CHECK(file.good(), "cannot read {}", path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// In place of a file that is there; files of a store are read-only.
inline void WriteWholeFile(const std::string& path, const std::string& text) {
  std::filesystem::remove(path);
  std::ofstream(path, std::ios::binary) << text;
}

inline std::set<std::string> NamesIn(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

}  // namespace culprit::tests
