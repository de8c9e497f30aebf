// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <algorithm>

namespace culprit::base {
namespace {

struct Range {
  uint32_t first;
  uint32_t last;
};

// The blocks that matter in practice; Unicode's own tables have hundreds of ranges.
constexpr Range kWide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},  {0x3041, 0x33ff}, {0x3400, 0x4dbf},
                           {0x4e00, 0x9fff},   {0xa000, 0xa4cf},  {0xac00, 0xd7a3}, {0xf900, 0xfaff},
                           {0xfe30, 0xfe6f},   {0xff00, 0xff60},  {0xffe0, 0xffe6}, {0x1f300, 0x1f64f},
                           {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
constexpr Range kMarks[] = {{0x0300, 0x036f}, {0x200b, 0x200d}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}};

template <size_t n>
bool IsIn(const Range (&ranges)[n], uint32_t point) {
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [&](const Range& range) { return point >= range.first && point <= range.last; });
}

}  // namespace

size_t Utf8Length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const size_t length = byte(0) < 0x80 ? 1 : byte(0) < 0xc2 ? 0 : byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : 4;
  if (length == 0 || length > text.size() || byte(0) > 0xf4) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const bool overlong = (byte(0) == 0xe0 && byte(1) < 0xa0) || (byte(0) == 0xf0 && byte(1) < 0x90);
  const bool surrogate = byte(0) == 0xed && byte(1) >= 0xa0;
  const bool too_large = byte(0) == 0xf4 && byte(1) >= 0x90;
  return overlong || surrogate || too_large ? 0 : length;
}

uint32_t Utf8CodePoint(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) return first;
  uint32_t point = first & (0xff >> (sequence.size() + 1));
  for (const char c : sequence.substr(1)) point = (point << 6) | (static_cast<unsigned char>(c) & 0x3f);
  return point;
}

size_t CountCharacters(std::string_view text) {
  size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(std::max<size_t>(Utf8Length(text), 1));
  return count;
}

size_t OffsetOfCharacter(std::string_view text, size_t character) {
  size_t offset = 0;
  for (; character > 0 && offset < text.size(); --character)
    offset += std::max<size_t>(Utf8Length(text.substr(offset)), 1);
  return offset;
}

int ColumnsOf(uint32_t code_point) {
  if (code_point < 0x300) return 1;
  return IsIn(kMarks, code_point) ? 0 : IsIn(kWide, code_point) ? 2 : 1;
}

size_t CountColumns(std::string_view text) {
  size_t columns = 0;
  while (!text.empty()) {
    const size_t length = Utf8Length(text);
    columns += length == 0 ? 1 : ColumnsOf(Utf8CodePoint(text.substr(0, length)));
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return columns;
}

}  // namespace culprit::base
