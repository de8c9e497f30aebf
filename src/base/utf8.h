// SPDX-License-Identifier: Apache-2.0
//
// Texts are bytes, and may be no UTF-8. A character is a code point in UTF-8 or, where there is none, a
// single byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace culprit::base {

/// The length of the UTF-8 sequence at the front of a text that is not empty; 0 if there is none.
size_t Utf8Length(std::string_view text);

/// The code point of a sequence whose length Utf8Length gave.
uint32_t Utf8CodePoint(std::string_view sequence);

size_t CountCharacters(std::string_view text);

/// The byte at which this character (from 0) begins, at most the text's size.
size_t OffsetOfCharacter(std::string_view text, size_t character);

/// How many columns of a terminal the code point takes: 2 for East Asian wide letters and emoji, 0 for marks
/// that are drawn over the letter before them.
int ColumnsOf(uint32_t code_point);

/// The columns that a text takes, all of whose characters are shown as they are.
size_t CountColumns(std::string_view text);

}  // namespace culprit::base
