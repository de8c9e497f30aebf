// SPDX-License-Identifier: Apache-2.0
#include "api/log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "base/write_signals.h"

namespace culprit::api {
namespace {

/// A line is one write, so that lines of several threads and processes stay whole.
void WriteLine(int descriptor, const std::string& text) {
  const std::string line = "culprit: " + text + "\n";
  const base::WriteSignalsBlocked blocked;
  // A log that is full says nothing more.
  if (write(descriptor, line.data(), line.size()) < 0) return;
}

class File {
 public:
  explicit File(const std::string& path)
      : descriptor_(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)) {
    if (descriptor_ < 0)
      throw std::invalid_argument(
          fmt::format("{}: error: the log cannot be written: {}", path, std::strerror(errno)));
  }
  ~File() { close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace

std::function<void(const std::string&)> OpenLog(const std::string& where) {
  if (where.empty()) return nullptr;
  if (where == "stderr") return [](const std::string& text) { WriteLine(STDERR_FILENO, text); };
  return [file = std::make_shared<const File>(where)](const std::string& text) {
    WriteLine(file->descriptor(), text);
  };
}

}  // namespace culprit::api
