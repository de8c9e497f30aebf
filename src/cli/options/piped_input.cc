// SPDX-License-Identifier: Apache-2.0
#include "cli/options/piped_input.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdio>

#include "graph/text/script/script.h"

namespace culprit::cli {
namespace {

base::Diagnostic CannotRead(const std::string& file, int error) {
  if (file != "-") return base::SystemError({file}, "cannot be read", error);
  if (error == EBADF) return {{"<stdin>"}, "standard input is closed"};
  return base::SystemError({"<stdin>"}, "cannot be read", error);
}

base::Result<std::string> ReadWhole(FILE* stream, const std::string& file) {
  const size_t most = graph::text::ReadOptions{}.max_source_bytes;
  std::string text;
  char buffer[1 << 16];
  // Whoever opens it refuses what is longer.
  while (text.size() <= most) {
    const size_t got = std::fread(buffer, 1, sizeof(buffer), stream);
    if (got == 0) break;
    text.append(buffer, got);
  }
  if (std::ferror(stream) != 0) return CannotRead(file, errno);
  return text;
}

}  // namespace

bool IsPiped(const std::string& file) {
  struct stat facts = {};
  return file == "-" ||
         (stat(file.c_str(), &facts) == 0 && (S_ISFIFO(facts.st_mode) || S_ISCHR(facts.st_mode)));
}

base::Status TakePiped(open::FileRequest& request) {
  if (!IsPiped(request.file)) return base::Done{};
  FILE* stream = request.file == "-" ? stdin : std::fopen(request.file.c_str(), "rb");
  if (stream == nullptr) return base::SystemError({request.file}, "cannot be opened", errno);
  base::Result<std::string> contents = ReadWhole(stream, request.file);
  if (stream != stdin) std::fclose(stream);
  if (!contents.ok()) return contents.error();
  request.contents = *std::move(contents);
  return base::Done{};
}

}  // namespace culprit::cli
