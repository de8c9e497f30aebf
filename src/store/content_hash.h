// SPDX-License-Identifier: Apache-2.0
//
// The name of contents: XXH3, 128 bits, as 32 hexadecimal digits in xxHash's canonical (big-endian) order, so
// that `xxh128sum FILE` prints the name that the file has in a store.
//
// The hash finds damage and equal contents; it is no defence against somebody who wants two contents to
// collide. Such a person could as well write other contents into the store.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace culprit::store {

class ContentHash {
 public:
  static constexpr size_t kDigits = 32;

  static ContentHash Of(std::span<const std::byte> contents);
  /// Lower-case digits only: a hash has one spelling.
  static std::optional<ContentHash> FromString(std::string_view text);
  std::string ToString() const;

  bool operator==(const ContentHash&) const = default;

 private:
  std::array<unsigned char, kDigits / 2> bytes_ = {};
};

}  // namespace culprit::store
