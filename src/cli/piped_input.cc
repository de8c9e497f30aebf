// SPDX-License-Identifier: Apache-2.0
#include "cli/piped_input.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>

namespace culprit::cli {
namespace {

constexpr size_t kMostInput = size_t{1} << 28;

using Contents = base::Result<std::shared_ptr<isolate::SharedMemory>>;

base::Diagnostic CannotRead(const std::string& file, int error) {
  if (file != "-") return base::SystemError({file}, "cannot be read", error);
  if (error == EBADF) return {{"<stdin>"}, "standard input is closed"};
  return base::SystemError({"<stdin>"}, "cannot be read", error);
}

Contents ReadWhole(FILE* stream, const std::string& file) {
  std::string text;
  char buffer[1 << 16];
  // Whoever reads it refuses what is longer.
  while (text.size() <= kMostInput) {
    const size_t got = std::fread(buffer, 1, sizeof(buffer), stream);
    if (got == 0) break;
    text.append(buffer, got);
  }
  if (std::ferror(stream) != 0) return CannotRead(file, errno);
  auto memory = CULPRIT_TRY(isolate::SharedMemory::Make(text.size()));
  std::memcpy(memory->data(), text.data(), text.size());
  return memory;
}

std::string& FileOnStandardInput() {
  static std::string file;
  return file;
}

}  // namespace

bool IsPiped(const std::string& word) {
  struct stat facts = {};
  return word == "-" ||
         (stat(word.c_str(), &facts) == 0 && (S_ISFIFO(facts.st_mode) || S_ISCHR(facts.st_mode)));
}

const std::string* FindPiped(const std::vector<std::string>& words) {
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i - 1] != "--record" && IsPiped(words[i])) return &words[i];
  }
  return nullptr;
}

Contents PipedContents(const std::string& file) {
  static std::map<std::string, Contents> read;
  if (const auto found = read.find(file); found != read.end()) return found->second;
  FILE* stream = file == "-" ? stdin : std::fopen(file.c_str(), "rb");
  if (stream == nullptr) return base::SystemError({file}, "cannot be opened", errno);
  Contents contents = read.emplace(file, ReadWhole(stream, file)).first->second;
  if (stream != stdin) std::fclose(stream);
  return contents;
}

void UseAsStandardInput(const isolate::SharedMemory& contents, const std::string& file) {
  const int descriptor = contents.descriptor().number();
  lseek(descriptor, 0, SEEK_SET);
  CULPRIT_CHECK(dup2(descriptor, STDIN_FILENO) >= 0, "standard input cannot be replaced");
  FileOnStandardInput() = file;
}

bool IsStandardInput(const std::string& file) {
  return file == "-" || file == FileOnStandardInput();
}

}  // namespace culprit::cli
