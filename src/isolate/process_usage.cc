// SPDX-License-Identifier: Apache-2.0
#include "isolate/process_usage.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <time.h>

#include <array>
#include <charconv>
#include <string>
#include <string_view>

#include "isolate/wire/descriptor.h"

namespace culprit::isolate {
namespace {

/// Of a line such as "RssAnon:    5120 kB".
std::optional<uint64_t> BytesInLine(std::string_view status, std::string_view name) {
  const size_t line = status.find(name);
  if (line == std::string_view::npos) return std::nullopt;
  status.remove_prefix(line + name.size());
  status.remove_prefix(std::min(status.size(), status.find_first_not_of(" \t")));
  uint64_t kilobytes = 0;
  const auto parsed = std::from_chars(status.data(), status.data() + status.size(), kilobytes);
  if (parsed.ec != std::errc()) return std::nullopt;
  return kilobytes << 10;
}

}  // namespace

std::optional<std::chrono::nanoseconds> CpuTimeOf(pid_t pid) {
  clockid_t clock = 0;
  timespec time = {};
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0) return std::nullopt;
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

std::optional<uint64_t> MemoryOf(pid_t pid) {
  const std::string path = fmt::format("/proc/{}/status", pid);
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 8192> buffer;
  const ssize_t size = file.is_open() ? read(file.number(), buffer.data(), buffer.size()) : 0;
  if (size <= 0) return std::nullopt;
  const std::string_view status(buffer.data(), static_cast<size_t>(size));
  uint64_t bytes = 0;
  for (const std::string_view name : {"\nRssAnon:", "\nRssShmem:", "\nVmSwap:"}) {
    const auto part = BytesInLine(status, name);
    if (!part) return std::nullopt;
    bytes += *part;
  }
  return bytes;
}

}  // namespace culprit::isolate
