// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/utf8.h"

namespace culprit::base {
namespace {

// Swapped neighbours are the likelier slip of the fingers: 'reul' means relu, not real.
constexpr size_t kSwapCost = 2;
constexpr size_t kEditCost = 3;

// Optimal string alignment distance, given up as soon as it must exceed `limit`.
size_t EditDistance(std::string_view a, std::string_view b, size_t limit) {
  const size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (difference * kEditCost > limit) return limit + 1;
  std::vector<size_t> before_last(b.size() + 1);
  std::vector<size_t> last(b.size() + 1);
  std::vector<size_t> row(b.size() + 1);
  size_t last_lowest = 0;
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j * kEditCost;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i * kEditCost;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t exchange = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : kEditCost);
      row[j] = std::min({exchange, last[j] + kEditCost, row[j - 1] + kEditCost});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + kSwapCost);
    }
    // A swap reaches back two rows, so both have to be hopeless.
    const size_t lowest = *std::min_element(row.begin(), row.end());
    if (std::min(lowest, last_lowest) > limit) return limit + 1;
    last_lowest = lowest;
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

// How often each letter stands in a name. Every edit changes at most one letter on each side, and a swap
// none, which bounds the distance from below in linear time: nearly all of some thousand candidates need no
// more.
class LetterCounts {
 public:
  explicit LetterCounts(std::string_view name) {
    for (const char c : name) ++counts_[static_cast<unsigned char>(c)];
  }

  size_t LowestDistanceTo(std::string_view other) const {
    std::array<int, 256> rest = counts_;
    size_t missing = 0;
    for (const char c : other) {
      if (--rest[static_cast<unsigned char>(c)] < 0) ++missing;
    }
    return missing * kEditCost;
  }

 private:
  std::array<int, 256> counts_ = {};
};

bool IsHarmless(uint32_t point) {
  const bool control = point < 0x20 || (point >= 0x7f && point < 0xa0);
  const bool line_end = point == 0x2028 || point == 0x2029;
  const bool direction =
      point == 0x061c || (point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
  // What has no width, and the letters of tags, which no terminal shows.
  const bool invisible =
      (point >= 0x200b && point <= 0x200f) || point == 0xfeff || (point >= 0xe0000 && point <= 0xe007f);
  return !control && !line_end && !direction && !invisible;
}

}  // namespace

std::string Printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const size_t length = Utf8Length(text);
    const std::string_view character = text.substr(0, std::max<size_t>(length, 1));
    if (character == "\t") {
      shown += ' ';
    } else if (length > 0 && IsHarmless(Utf8CodePoint(character))) {
      shown += character;
    } else {
      for (const char c : character) shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
    text.remove_prefix(character.size());
  }
  return shown;
}

std::string Shortened(std::string_view text) {
  constexpr size_t kLongestQuoted = 60;
  const size_t end = OffsetOfCharacter(text, kLongestQuoted);
  return Printable(text.substr(0, end)) + (end < text.size() ? "..." : "");
}

std::string PrintableText(std::string_view text, size_t longest_line) {
  std::string shown;
  while (true) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const size_t kept = line.size() <= longest_line ? line.size() : OffsetOfCharacter(line, longest_line);
    shown += Printable(line.substr(0, kept));
    if (kept < line.size()) shown += fmt::format("... ({} more bytes)", line.size() - kept);
    if (end == text.size()) return shown;
    shown += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string Counted(size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string FirstOf(std::span<const std::string> names) {
  constexpr size_t kShown = 6;
  const std::string more = names.size() > kShown ? fmt::format(" and {} more", names.size() - kShown) : "";
  return fmt::format("{}{}", fmt::join(names.first(std::min(kShown, names.size())), ", "), more);
}

std::string ToHex(std::span<const std::byte> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::byte byte : bytes) {
    const auto value = std::to_integer<size_t>(byte);
    text += {kDigits[value / 16], kDigits[value % 16]};
  }
  return text;
}

std::string HumanBytes(uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(kUnits); ++unit) value /= 1024;
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string_view NearestName(std::string_view name, std::span<const std::string_view> candidates) {
  constexpr size_t kLongestName = 200;
  if (name.size() > kLongestName) return {};
  // A third of the letters may differ: enough for typing errors, too few for unrelated short names.
  size_t best_distance = std::max<size_t>(1, name.size() / 3) * kEditCost + 1;
  std::string_view best;
  const LetterCounts letters(name);
  for (const std::string_view candidate : candidates) {
    if (letters.LowestDistanceTo(candidate) >= best_distance) continue;
    const size_t distance = EditDistance(name, candidate, best_distance - 1);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string DidYouMean(std::string_view name, std::span<const std::string_view> candidates) {
  const std::string_view nearest = NearestName(name, candidates);
  return nearest.empty() ? std::string() : fmt::format(", did you mean '{}'?", nearest);
}

std::string DurationText(std::chrono::nanoseconds duration) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration).count();
  if (seconds < 120) return fmt::format("{} s", seconds);
  if (seconds < 7200) return fmt::format("{} min", seconds / 60);
  return fmt::format("{} h", seconds / 3600);
}

}  // namespace culprit::base
