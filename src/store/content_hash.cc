// SPDX-License-Identifier: Apache-2.0
#include "store/content_hash.h"

#include <xxhash.h>

#include <algorithm>
#include <charconv>

#include "base/is_hex.h"
#include "base/text.h"

namespace culprit::store {

ContentHash ContentHash::Of(std::span<const std::byte> contents) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(contents.data(), contents.size()));
  ContentHash hash;
  std::copy(std::begin(canonical.digest), std::end(canonical.digest), hash.bytes_.begin());
  return hash;
}

std::optional<ContentHash> ContentHash::FromString(std::string_view text) {
  if (!base::IsHex(text, kDigits)) return std::nullopt;
  ContentHash hash;
  for (size_t i = 0; i < hash.bytes_.size(); ++i) {
    const char* digits = text.data() + 2 * i;
    std::from_chars(digits, digits + 2, hash.bytes_[i], 16);
  }
  return hash;
}

std::string ContentHash::ToString() const {
  return base::ToHex(std::as_bytes(std::span(bytes_)));
}

}  // namespace culprit::store
