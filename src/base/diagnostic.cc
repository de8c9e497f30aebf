// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"

namespace culprit::base {
namespace {

// Lines that a terminal does not hold are shown as a window around the column, so that a megabyte-long line
// stays readable. In characters.
constexpr size_t kWidest = 76;
constexpr size_t kShownWidth = 70;

std::string RenderSourceLine(std::string_view line, uint32_t column) {
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  size_t caret = OffsetOfCharacter(line, column - 1);
  const size_t indent = std::min(line.find_first_not_of(" \t"), caret);
  line.remove_prefix(indent);
  caret -= indent;
  std::string before;
  const size_t characters = CountCharacters(line.substr(0, caret));
  const size_t width = CountCharacters(line) <= kWidest ? kWidest : kShownWidth;
  if (characters > width) {
    const size_t cut = OffsetOfCharacter(line, characters - width / 2);
    line.remove_prefix(cut);
    caret -= cut;
    before = "...";
  }
  const size_t end = OffsetOfCharacter(line, width);
  const std::string shown = before + Printable(line.substr(0, end)) + (end < line.size() ? "..." : "");
  const size_t shown_caret = CountColumns(before + Printable(line.substr(0, caret)));
  return fmt::format("\n    {}\n    {:>{}}", shown, "^", shown_caret + 1);
}

std::string RenderPlace(const Place& place) {
  std::string text = place.file;
  if (place.line > 0) text += fmt::format(":{}", place.line);
  if (place.line > 0 && place.column > 0) text += fmt::format(":{}", place.column);
  return text.empty() ? text : text + ": ";
}

}  // namespace

Cause CauseOf(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EIO:
    case ENOMEM:
    case EAGAIN:  // no more processes
    case EMFILE:
    case ENFILE:
      return Cause::kEnvironment;
    default:
      return Cause::kInput;
  }
}

Diagnostic SystemError(Place place, std::string_view what, int error_number) {
  Diagnostic error{std::move(place), fmt::format("{}: {}", what, std::strerror(error_number))};
  error.cause = CauseOf(error_number);
  return error;
}

std::string Diagnostic::Render(const char* severity) const {
  std::string text =
      fmt::format("{}{}: {}", PrintableText(RenderPlace(place)), severity, PrintableText(message));
  if (!source_line.empty() && place.column > 0) text += RenderSourceLine(source_line, place.column);
  for (const std::string& note : notes) text += "\n  note: " + PrintableText(note);
  if (!help.empty()) text += "\n  help: " + PrintableText(help);
  return text;
}

}  // namespace culprit::base
