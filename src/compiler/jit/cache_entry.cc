// SPDX-License-Identifier: Apache-2.0
#include "compiler/jit/cache_entry.h"

#include <fmt/format.h>

#include <span>

#include "store/content_hash.h"

namespace culprit::compiler::jit {
namespace {

constexpr std::string_view kFirstLine = "culprit kernel 1\n";

std::string ChecksumLine(std::string_view text) {
  return store::ContentHash::Of(std::as_bytes(std::span(text))).ToString() + "\n";
}

std::string LinesBehindChecksum(std::string_view key, size_t bytes) {
  return fmt::format("{}\n{:016x}\n", key, bytes);
}

/// Cuts `expected` off the front of the contents, if they begin with it.
bool Take(std::string_view& contents, std::string_view expected) {
  if (!contents.starts_with(expected)) return false;
  contents.remove_prefix(expected.size());
  return true;
}

}  // namespace

std::string EncodeEntry(std::string_view key, std::string_view object) {
  const std::string checked = LinesBehindChecksum(key, object.size()).append(object);
  return std::string(kFirstLine).append(ChecksumLine(checked)).append(checked);
}

std::optional<std::string> DecodeEntry(std::string_view contents, std::string_view key) {
  constexpr size_t kChecksumBytes = store::ContentHash::kDigits + 1;
  if (!Take(contents, kFirstLine) || contents.size() < kChecksumBytes) return std::nullopt;
  if (!Take(contents, ChecksumLine(contents.substr(kChecksumBytes)))) return std::nullopt;
  const size_t line_bytes = LinesBehindChecksum(key, 0).size();
  if (contents.size() < line_bytes) return std::nullopt;
  if (!Take(contents, LinesBehindChecksum(key, contents.size() - line_bytes))) return std::nullopt;
  return std::string(contents);
}

}  // namespace culprit::compiler::jit
