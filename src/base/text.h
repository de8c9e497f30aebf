// SPDX-License-Identifier: Apache-2.0
//
// Small text functions that error messages and reports share.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace culprit::base {

/// The text as it is safe on a terminal: control characters, code points that change the direction of
/// writing, and bytes that are no UTF-8 are shown as \xNN, and a tab as a blank.
std::string Printable(std::string_view text);

/// As Printable, for a message that quotes it: of a long text the beginning, with "..." behind it.
std::string Shortened(std::string_view text);

/// As Printable, line by line, with the line breaks as they are. Of a line that is too long to be read the
/// beginning is kept, and how many bytes are missing.
inline constexpr size_t kLongestLine = 2000;
std::string PrintableText(std::string_view text, size_t longest_line = kLongestLine);

/// "1 operator", "3 operators".
std::string Counted(size_t count, std::string_view noun);

/// "a, b, c"; of many the first few, which are enough to see what is meant, as in "a, b, c and 9 more".
std::string FirstOf(std::span<const std::string> names);

/// Two lower-case hexadecimal digits per byte.
std::string ToHex(std::span<const std::byte> bytes);

/// "512 B", "1.5 KiB", "2.0 GiB".
std::string HumanBytes(uint64_t bytes);

/// The candidate that differs least from `name` (insertions, deletions, exchanges and swaps of neighbours),
/// or an empty view if none is close enough to be what the user meant.
std::string_view NearestName(std::string_view name, std::span<const std::string_view> candidates);

/// ", did you mean 'x'?" or nothing.
std::string DidYouMean(std::string_view name, std::span<const std::string_view> candidates);

/// "14 s", "3 min", "2 h".
std::string DurationText(std::chrono::nanoseconds duration);

}  // namespace culprit::base
