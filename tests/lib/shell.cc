// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/shell.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/internal_error.h"

namespace culprit::tests {
namespace {

std::string ReadAll(std::FILE* stream) {
  std::string text;
  std::array<char, 4096> block{};
  while (const size_t count = std::fread(block.data(), 1, block.size(), stream))
    text.append(block.data(), count);
  return text;
}

/// An empty file that goes away with the object.
class TemporaryFile {
 public:
  TemporaryFile() : path_((std::filesystem::temp_directory_path() / "culprit_shell_XXXXXX").string()) {
    const int descriptor = mkstemp(path_.data());
    CULPRIT_CHECK(descriptor >= 0, "cannot make a file like {}", path_);
    file_ = fdopen(descriptor, "r");
  }
  ~TemporaryFile() {
    std::fclose(file_);
    std::filesystem::remove(path_);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }
  std::string Read() const { return ReadAll(file_); }

 private:
  std::string path_;
  std::FILE* file_ = nullptr;
};

}  // namespace

ShellResult RunShell(const std::string& command) {
  const TemporaryFile errors;
  const std::string line =
      fmt::format("{{ PATH='{}':\"$PATH\"; {}\n}} 2>'{}'", CULPRIT_PROGRAM_FOLDER, command, errors.path());
  std::FILE* stream = popen(line.c_str(), "r");
  CULPRIT_CHECK(stream != nullptr, "cannot run sh");
  ShellResult result;
  result.output = ReadAll(stream);
  const int status = pclose(stream);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.errors = errors.Read();
  return result;
}

}  // namespace culprit::tests
