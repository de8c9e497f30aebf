// SPDX-License-Identifier: Apache-2.0
#include "hunt/private_folder.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace culprit::hunt {

namespace fs = std::filesystem;

base::Result<PrivateFolder> PrivateFolder::Make(const std::string& parent, const std::string& name) {
  std::error_code error;
  std::string path =
      (parent.empty() ? fs::temp_directory_path(error) : fs::path(parent)) / (name + "-XXXXXX");
  if (error) return base::Diagnostic{{}, "there is no folder for temporary files: " + error.message()};
  if (mkdtemp(path.data()) == nullptr)
    return base::Diagnostic{{path}, fmt::format("the folder cannot be made: {}", std::strerror(errno))};
  return PrivateFolder(std::move(path));
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace culprit::hunt
